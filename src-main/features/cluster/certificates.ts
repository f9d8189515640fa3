import type { Handlers } from '#shared/api/handler.ts';
import {
  describeCertificates,
  describeMeshCas,
  type JudgedCertificates,
  type MeshCaListings,
} from '../../cluster-model/index.ts';
import { clusterReading, keepAnswers, keptOf, listMeshCas, nowOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** `GET /api/security`. */
export function certificateHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'cluster.security'> {
  const judged = keepAnswers<MeshCaListings, JudgedCertificates>(Object.values, (cluster, listings, at) =>
    describeCertificates(listings, at, { isBundle: cluster.source === 'bundle', kept: keptOf(cluster) }),
  );
  return {
    'cluster.security': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const listings = await listMeshCas(cluster);
      const at = nowOf(cluster, now);
      const { items, unreadable } = describeMeshCas(listings, at);
      const held = await judged(cluster, listings, at);
      return {
        items: items.map(({ row }) => row),
        certificates: held.items.map(({ row }) => row),
        ...clusterReading(target, Object.values(listings), [...unreadable, ...held.gaps]),
      };
    },
  };
}
