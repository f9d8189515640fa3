import type { Handlers } from '#shared/api/handler.ts';
import { paced } from '../../base/pace.ts';
import { describeControlPlanes, judgeRunning, resources } from '../../cluster-model/index.ts';
import {
  clusterReading,
  createPlaneJudge,
  keptOf,
  listControlPlanes,
  listRunning,
  nowOf,
} from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';

/** `GET /api/control-planes`. */
export function controlPlaneHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'cluster.controlPlanes'> {
  const judgePlanes = createPlaneJudge(now);
  return {
    'cluster.controlPlanes': async ({ query }, call) => {
      const target = await targetOf(query.target, call.caller);
      const { cluster } = target;
      const [planes, running, services] = await Promise.all([
        listControlPlanes(cluster),
        listRunning(cluster),
        cluster.list(resources.services),
      ]);
      const { workloads } = await paced(
        judgeRunning(running, { now: nowOf(cluster, now), kept: keptOf(cluster) }),
      );
      const judged = await judgePlanes(
        cluster,
        await paced(describeControlPlanes(planes, { listings: running, workloads })),
        services.items,
      );
      return {
        items: judged.map(({ row }) => row),
        ...clusterReading(target, [...Object.values(planes), ...Object.values(running), services]),
      };
    },
  };
}
