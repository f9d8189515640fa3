import type { Handlers } from '#shared/api/handler.ts';
import { describeMeshCas } from '../../cluster-model/index.ts';
import { clusterReading, listMeshCas, nowOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** `GET /api/security`. */
export function certificateHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'cluster.security'> {
  return {
    'cluster.security': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const listings = await listMeshCas(target.cluster);
      const { items, unreadable } = describeMeshCas(listings, nowOf(target.cluster, now));
      return {
        items: items.map(({ row }) => row),
        ...clusterReading(target, Object.values(listings), unreadable),
      };
    },
  };
}
