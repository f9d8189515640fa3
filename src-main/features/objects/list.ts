import type { Handlers } from '#shared/api/handler.ts';
import type { ObjectRow } from '#shared/api/objects.ts';
import { ConsoleError } from '#shared/errors.ts';
import { timeOf } from '../../cluster-model/index.ts';
import { parseSelector } from '../../kube-objects/index.ts';
import { clusterReading, findKind, type TableRow } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { kindsOf } from './kinds.ts';

/** Objects of a page unless the query says how many, as kubectl asks for. */
const usualLimit = 500;

/** `GET /api/objects`. `now`: epoch ms. */
export function listHandlers(targetOf: OpenTargetOf, now: () => number): Pick<Handlers, 'objects.list'> {
  return {
    'objects.list': async ({ query }, { caller, signal }) => {
      const { plural, group = '', namespace, selector, limit = usualLimit } = query;
      if (selector !== undefined && parseSelector(selector) === undefined)
        throw new ConsoleError(
          'BadInput',
          `${selector} is no label selector, such as app=web,tier in (a,b).`,
        );
      const target = await targetOf(query.target, caller);
      const { cluster } = target;
      const { kinds, gaps, state } = await kindsOf(cluster, signal, now);
      const nothing = { columns: [], items: [] };
      const kind = findKind(kinds, { kind: plural, group });
      if (kind === undefined) {
        if (state === 'read')
          throw new ConsoleError(
            'NotFound',
            `There is no kind ${plural}${group === '' ? '' : `.${group}`} here.`,
          );
        return { ...nothing, ...clusterReading(target, [{ state: 'unavailable', gaps, readAt: now() }]) };
      }
      const read = await cluster.table?.({
        kind,
        namespace: kind.namespaced ? namespace : undefined,
        selector,
        limit,
        from: query.continue,
        signal,
      });
      const unread = read === undefined ? '' : read.state === 'unavailable' ? read.reason : undefined;
      if (read === undefined || unread !== undefined) {
        const gaps = unread === undefined || unread === '' ? [] : [unread];
        return { ...nothing, ...clusterReading(target, [{ state: 'unavailable', gaps, readAt: now() }]) };
      }
      if (read.state === 'refused') throw new ConsoleError('BadInput', read.reason);
      if ('reason' in read) {
        // Read and found closed: the page says so above an empty list.
        const isThere = read.state !== 'not_served';
        const reading = {
          state: isThere ? 'partly' : 'not_served',
          gaps: isThere ? [read.reason] : [],
        } as const;
        return { ...nothing, ...clusterReading(target, [{ ...reading, readAt: now() }]) };
      }
      return {
        columns: read.columns.map(({ name, type, wide }) => ({ name, type, wide })),
        items: read.rows.map(shownRow),
        ...(read.next === undefined ? {} : { continue: read.next }),
        ...(read.remaining === undefined ? {} : { remaining: read.remaining }),
        ...clusterReading(target, [{ state: read.state, gaps: read.gaps, readAt: read.readAt }]),
      };
    },
  };
}

function shownRow({ name, namespace, uid, created, owners, cells }: TableRow): ObjectRow {
  const owner = owners.find(({ controller }) => controller) ?? owners[0];
  return {
    name,
    namespace,
    uid,
    created_at: timeOf(created),
    ...(owner === undefined ? {} : { owner: { kind: owner.kind, name: owner.name } }),
    cells: [...cells],
  };
}
