import { z } from 'zod';
import { inParallel } from '../../../base/in-parallel.ts';
import { isJsonObject, listAt, numberAt, objectAt, textAt, textsAt } from '../../../base/json-fields.ts';
import {
  type DiscoveredKind,
  type KindsRead,
  plainCell,
  rowIdentity,
  type TableRead,
  type TableRequest,
  type TableRow,
} from '../any-kind.ts';
import { type Connection, readText } from './connection.ts';
import { actOf } from './discovery.ts';
import { answerFailure, networkFailure } from './failures.ts';

/** Any kind of a live cluster: what there is, a page of its objects as the server prints them, and how many there are. */
export type AnyKind = {
  kinds(): Promise<KindsRead>;
  table(request: TableRequest): Promise<TableRead>;
  count(kind: DiscoveredKind, signal: AbortSignal): Promise<number | undefined>;
  /** Forgets the kinds and counts that were read. */
  forget(): void;
};

/** Discovery in one answer (apidiscovery.k8s.io), in its versions, then as it was before Kubernetes 1.26. */
const discoveryTypes = [
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
  'application/json',
].join(',');

/** What kubectl get asks for; the last is for servers that print no tables. */
const tableTypes = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const metadataTypes = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json';

/** Bytes of one page of a table. */
const largestPage = 64 * 1024 * 1024;

/** A 410 has a token that goes on from the same place in today's state (ListOptions.continue). */
const expiredPage = z.object({ metadata: z.object({ continue: z.string().min(1) }) });

/** Groups whose kinds are asked for at once, where discovery comes in pieces. */
const groupsAtOnce = 6;

/** Creates the reads of any kind. `fresh`: milliseconds that kinds and counts are good for. */
export function createAnyKind(connection: Connection, now: () => number, fresh: number): AnyKind {
  let known: { readonly at: number; readonly read: Promise<KindsRead> } | undefined;
  const counts = new Map<string, { readonly at: number; readonly count: Promise<number | undefined> }>();

  const kindsNow = async (): Promise<KindsRead> => {
    const gaps: string[] = [];
    const kinds: DiscoveredKind[] = [];
    for (const path of ['/api', '/apis']) {
      try {
        const answer = await connection.json({
          path,
          act: `list the kinds of ${path}`,
          accept: discoveryTypes,
        });
        if (isJsonObject(answer) && answer.kind === 'APIGroupDiscoveryList')
          for (const group of listAt(answer, 'items')) kinds.push(...aggregatedKinds(group, gaps));
        else kinds.push(...(await kindsInPieces(connection, path, answer, gaps)));
      } catch (error) {
        gaps.push(networkFailure(error, connection.host()).message);
      }
    }
    return {
      state: kinds.length === 0 ? 'unavailable' : gaps.length === 0 ? 'read' : 'partly',
      kinds: distinct(kinds),
      gaps,
      readAt: now(),
    };
  };

  const countNow = async (kind: DiscoveredKind, signal: AbortSignal): Promise<number | undefined> => {
    try {
      const answer = await connection.json({
        path: `${pathOf(kind)}?limit=1`,
        act: actOf('list', kind),
        accept: metadataTypes,
        signal,
      });
      const rest = numberAt(answer, 'metadata', 'remainingItemCount');
      const items = listAt(answer, 'items').length;
      // Without a remainder, more than one page of an unknown length follows.
      return textAt(answer, 'metadata', 'continue') !== '' && rest === 0 ? undefined : items + rest;
    } catch {
      // Not allowed, or not answered: there may be any number.
      return undefined;
    }
  };

  return {
    async kinds() {
      if (known === undefined || now() - known.at >= fresh) {
        const read = kindsNow();
        known = { at: now(), read };
        void read.then(({ state }) => {
          if (state !== 'read' && known?.read === read) known = undefined;
        });
      }
      return known.read;
    },
    table: (request) => readTable(connection, now, request),
    count(kind, signal) {
      const key = pathOf(kind);
      const kept = counts.get(key);
      if (kept !== undefined && now() - kept.at < fresh) return kept.count;
      const count = countNow(kind, signal);
      counts.set(key, { at: now(), count });
      void count.then((found) => {
        if (found === undefined) counts.delete(key);
      });
      return count;
    },
    forget() {
      known = undefined;
      counts.clear();
    },
  };
}

function pathOf({ group, version, plural, namespaced }: TableRequest['kind'], namespace?: string): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const within = namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${within}/${plural}`;
}

async function readTable(
  connection: Connection,
  now: () => number,
  request: TableRequest,
): Promise<TableRead> {
  const { kind, namespace, selector, limit, from, signal } = request;
  const query = new URLSearchParams({
    limit: `${limit}`,
    includeObject: 'Metadata',
    ...(selector === undefined || selector === '' ? {} : { labelSelector: selector }),
  });
  const gaps: string[] = [];
  const act = actOf('list', kind, kind.namespaced ? namespace : undefined);
  const ask = async (
    token: string | undefined,
  ): Promise<{ readonly status: number; readonly text: string }> => {
    const page = new URLSearchParams(query);
    if (token !== undefined) page.set('continue', token);
    const { status, body, header } = await connection.send({
      path: `${pathOf(kind, namespace)}?${page}`,
      act,
      accept: tableTypes,
      signal,
    });
    const text = await readText(body, largestPage);
    if (status === 200 || (status === 410 && token !== undefined && token === from)) return { status, text };
    throw answerFailure({ status, body: text, retryAfter: header('retry-after') }, act, connection.host());
  };
  try {
    let page = await ask(from);
    if (page.status === 410) {
      const token = expiredPage.safeParse(JSON.parse(page.text)).data?.metadata.continue;
      if (token === undefined) throw answerFailure({ ...page, body: page.text }, act, connection.host());
      // The server has forgotten the state of the first page and goes on in the one it has now.
      gaps.push(
        'Objects changed while they were listed: one that changed may be missing or shown as it was.',
      );
      page = await ask(token);
    }
    const answer: unknown = JSON.parse(page.text);
    return { ...tableOf(answer, gaps), readAt: now() };
  } catch (error) {
    if (signal.aborted) return { state: 'unavailable', reason: 'The read was ended.' };
    const { kind: why, message } = networkFailure(error, connection.host());
    if (why === 'missing' || why === 'not_served')
      return {
        state: 'not_served',
        reason: `The cluster does not have ${kind.plural}${kind.group === '' ? '' : `.${kind.group}`}.`,
      };
    if (why === 'forbidden' || why === 'refused' || why === 'expired')
      return { state: why === 'forbidden' ? 'forbidden' : 'refused', reason: message };
    return { state: 'unavailable', reason: message };
  }
}

function tableOf(answer: unknown, gaps: string[]): Omit<TableRead & { state: 'read' | 'partly' }, 'readAt'> {
  const metadata = objectAt(answer, 'metadata');
  const remaining = numberAt(metadata, 'remainingItemCount');
  const next = textAt(metadata, 'continue') || undefined;
  const isTable = isJsonObject(answer) && answer.kind === 'Table';
  if (!isTable)
    gaps.push('The server of this kind prints no columns of its own: only name and age are shown.');
  const rows = isTable ? tableRows(answer) : plainRows(answer);
  const columns = isTable
    ? listAt(answer, 'columnDefinitions').map((column) => ({
        name: textAt(column, 'name'),
        type: textAt(column, 'type'),
        format: textAt(column, 'format'),
        wide: numberAt(column, 'priority') > 0,
      }))
    : [
        { name: 'Name', type: 'string', format: 'name', wide: false },
        { name: 'Created At', type: 'date', format: '', wide: false },
      ];
  return {
    state: gaps.length === 0 ? 'read' : 'partly',
    columns,
    rows,
    ...(next === undefined ? {} : { next }),
    ...(remaining === 0 && next !== undefined ? {} : { remaining }),
    gaps,
  };
}

function tableRows(answer: unknown): TableRow[] {
  return listAt(answer, 'rows').flatMap((row) => {
    const identity = rowIdentity(row.object);
    const cells = Array.isArray(row.cells) ? row.cells : [];
    return identity === undefined ? [] : [{ ...identity, cells: cells.map(plainCell) }];
  });
}

function plainRows(answer: unknown): TableRow[] {
  return listAt(answer, 'items').flatMap((object) => {
    const identity = rowIdentity(object);
    return identity === undefined ? [] : [{ ...identity, cells: [identity.name, identity.created ?? null] }];
  });
}

function aggregatedKinds(group: unknown, gaps: string[]): DiscoveredKind[] {
  const groupName = textAt(group, 'metadata', 'name');
  return listAt(group, 'versions').flatMap((version) => {
    const versionName = textAt(version, 'version');
    if (textAt(version, 'freshness') === 'Stale')
      gaps.push(`The server of ${groupName}/${versionName} does not answer: its kinds may be out of date.`);
    return listAt(version, 'resources')
      .filter((resource) => textsAt(resource, 'verbs').includes('list'))
      .map((resource) => ({
        group: groupName,
        version: versionName,
        plural: textAt(resource, 'resource'),
        kind: textAt(resource, 'responseKind', 'kind'),
        namespaced: resource.scope === 'Namespaced',
        shortNames: textsAt(resource, 'shortNames'),
      }));
  });
}

/** Discovery as it was before it came in one answer: each version of each group by itself. */
async function kindsInPieces(
  connection: Connection,
  path: string,
  answer: unknown,
  gaps: string[],
): Promise<DiscoveredKind[]> {
  const versions =
    path === '/api'
      ? textsAt(answer, 'versions').map((version) => ({ group: '', version }))
      : listAt(answer, 'groups').flatMap((group) =>
          listAt(group, 'versions').map((each) => ({
            group: textAt(group, 'name'),
            version: textAt(each, 'version'),
          })),
        );
  const found = await inParallel(
    versions,
    groupsAtOnce,
    async ({ group, version }): Promise<DiscoveredKind[]> => {
      const within = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      try {
        const list = await connection.json({ path: within, act: `list the kinds of ${within.slice(1)}` });
        return listAt(list, 'resources')
          .filter(
            (resource) =>
              !textAt(resource, 'name').includes('/') && textsAt(resource, 'verbs').includes('list'),
          )
          .map((resource) => ({
            group,
            version,
            plural: textAt(resource, 'name'),
            kind: textAt(resource, 'kind'),
            namespaced: resource.namespaced === true,
            shortNames: textsAt(resource, 'shortNames'),
          }));
      } catch (error) {
        gaps.push(networkFailure(error, connection.host()).message);
        return [];
      }
    },
  );
  return found.flat();
}

/** Each kind once, in the version that comes first: servers name their preferred one first. */
function distinct(kinds: readonly DiscoveredKind[]): DiscoveredKind[] {
  const byName = new Map<string, DiscoveredKind>();
  for (const kind of kinds) {
    const key = `${kind.group}/${kind.plural}`;
    if (kind.kind !== '' && kind.plural !== '' && !byName.has(key)) byName.set(key, kind);
  }
  return [...byName.values()];
}
