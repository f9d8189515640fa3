import type { Handlers } from '#shared/api/handler.ts';
import {
  describeControlPlanes,
  judgeControlPlane,
  judgeRunning,
  resources,
  serviceOf,
} from '../../cluster-model/index.ts';
import {
  clusterReading,
  createHealthFetcher,
  listControlPlanes,
  listRunning,
  nowOf,
  readManagers,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** `GET /api/control-planes`. */
export function controlPlaneHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'cluster.controlPlanes'> {
  const fetchHealth = createHealthFetcher(now);
  return {
    'cluster.controlPlanes': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const [planes, running, services] = await Promise.all([
        listControlPlanes(cluster),
        listRunning(cluster),
        cluster.list(resources.services),
      ]);
      const { workloads } = judgeRunning(running, nowOf(cluster, now));
      const items = await Promise.all(
        describeControlPlanes(planes, { listings: running, workloads }).map(async (read) => {
          const { row, deployment } = read;
          const service = serviceOf(read, services.items);
          const [health, drift] = await Promise.all([
            service === undefined
              ? undefined
              : fetchHealth(cluster, { backend: row.backend, service, port: read.port }),
            deployment === undefined ? row.drift : readManagers(cluster, deployment, row.drift),
          ]);
          const facts = { ...row, drift, health };
          const judged = judgeControlPlane(facts, read.missing, nowOf(cluster, now));
          return { ...facts, reason: undefined, reasons: undefined, ...judged };
        }),
      );
      return {
        items,
        ...clusterReading(target, [...Object.values(planes), ...Object.values(running), services]),
      };
    },
  };
}
