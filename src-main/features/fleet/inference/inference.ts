import type { InferenceWorkload } from '#shared/api/fleet.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import type { Amounts, ObjectOf } from '../../../cluster-model/index.ts';
import { add, amountsOf, quantitiesOf, resources } from '../../../cluster-model/index.ts';
import { type Cluster, clusterReading, type OpenTarget } from '../../../sources/cluster/index.ts';
import type { RunningRead } from '../running.ts';
import { outOfMemory } from './out-of-memory.ts';
import { readServing, type Serving, tiersOf } from './serving.ts';

/** `GET /api/inference`: every workload with a tier as it is deployed, and when its pods ran out of memory. */
export async function inference(
  target: OpenTarget,
  readRunning: (cluster: Cluster) => Promise<RunningRead>,
): Promise<RouteAnswer<RouteOf<'fleet.inference'>>> {
  const { cluster } = target;
  const [{ workloads, listings }, events] = await Promise.all([
    readRunning(cluster).then((read) => readServing(cluster, read)),
    cluster.list(resources.events),
  ]);
  return {
    items: workloads
      .map((serving) => rowOf(serving, events.items))
      .toSorted((a, b) => a.tier.localeCompare(b.tier) || a.name.localeCompare(b.name)),
    tiers: tiersOf(workloads),
    ...clusterReading(target, [...listings, events]),
  };
}

function rowOf(serving: Serving, events: readonly ObjectOf<typeof resources.events>[]): InferenceWorkload {
  const { kind, name, namespace, tier, settings, replicas, state, reason } = serving;
  const { parallel, ...known } = settings;
  const requests = sumOf(serving, 'requests');
  const limits = sumOf(serving, 'limits');
  return {
    kind,
    name,
    namespace,
    tier,
    ...known,
    gpus: quantitiesOf(limits).gpus ?? quantitiesOf(requests).gpus ?? parallel ?? 0,
    image: serving.container?.image ?? '',
    replicas_ready: replicas.ready,
    replicas_desired: replicas.desired,
    requests: quantitiesOf(requests),
    limits: quantitiesOf(limits),
    out_of_memory: outOfMemory({ name, namespace }, serving.pods, events),
    state,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Returns the sum over the containers of one replica. */
function sumOf({ containers }: Serving, side: 'requests' | 'limits'): Amounts {
  return containers.reduce<Amounts>((sum, { resources: own }) => add(sum, amountsOf(own?.[side] ?? {})), {});
}
