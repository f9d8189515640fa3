import type { Handlers } from '#shared/api/handler.ts';
import type { ServedKind as ShownKind } from '#shared/api/objects.ts';
import { inParallel } from '../../base/in-parallel.ts';
import {
  type Cluster,
  clusterReading,
  type DiscoveredKind,
  type KindsRead,
  type OpenTarget,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** Kinds that are counted at once. */
const countsAtOnce = 8;
/** Kinds that are counted: a cluster with more definitions than that is counted in part. */
const mostCounted = 400;

/** `GET /api/object-kinds` and `GET /api/object-counts`. `now`: epoch ms. */
export function kindHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'objects.kinds' | 'objects.counts'> {
  return {
    'objects.kinds': async ({ query }, { caller, signal }) => {
      const target = await targetOf(query.target, caller);
      const read = await kindsOf(target.cluster, signal, now);
      return { items: read.kinds.map(shownKind), ...kindsReading(target, read) };
    },
    'objects.counts': async ({ query }, { caller, signal }) => {
      const target = await targetOf(query.target, caller);
      const { cluster } = target;
      const read = await kindsOf(cluster, signal, now);
      const counted = read.kinds.slice(0, mostCounted);
      const counts = await inParallel(counted, countsAtOnce, async (kind) => {
        const count = kind.count ?? (await cluster.count?.(kind, signal));
        return count === undefined ? [] : [{ group: kind.group, plural: kind.plural, count }];
      });
      const more = read.kinds.length - counted.length;
      return {
        items: counts.flat(),
        ...kindsReading(target, read, more === 0 ? [] : [`${more} more kinds were not counted.`]),
      };
    },
  };
}

/** Reads the kinds of a cluster; one without any says why. */
export async function kindsOf(cluster: Cluster, signal: AbortSignal, now: () => number): Promise<KindsRead> {
  const read = await cluster.kinds?.(signal);
  if (read !== undefined) return read;
  const { detail } = cluster.status();
  return { state: 'unavailable', kinds: [], gaps: detail === undefined ? [] : [detail], readAt: now() };
}

function kindsReading(target: OpenTarget, { state, gaps, readAt }: KindsRead, more: readonly string[] = []) {
  return clusterReading(target, [{ state, gaps, readAt }], more);
}

function shownKind({ shortNames, ...kind }: DiscoveredKind): ShownKind {
  return { ...kind, short_names: [...shortNames] };
}
