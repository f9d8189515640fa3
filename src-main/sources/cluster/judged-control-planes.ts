import type { ControlPlane } from '#shared/api/cluster.ts';
import type { Steps } from '#shared/steps.ts';
import { paced } from '../../base/pace.ts';
import type { ObjectOf, ReadControlPlane, resources } from '../../cluster-model/index.ts';
import { judgeControlPlane, serviceOf } from '../../cluster-model/index.ts';
import { readManagers } from './drift-managers.ts';
import { createHealthFetcher, type FetchHealth } from './health-endpoints.ts';
import { nowOf } from './reading.ts';
import type { Cluster } from './types.ts';

/**
 * Judges control planes by everything that is known of them: their objects, the answers of their health endpoints, and
 * what somebody else set on their Deployments.
 */
export type JudgeControlPlanes = (
  cluster: Cluster,
  planes: readonly ReadControlPlane[],
  services: readonly ObjectOf<typeof resources.services>[],
) => Promise<ReadControlPlane[]>;

/**
 * Returns the one judgement of control planes that every page shows. `now`: epoch ms. `patience`: ms after which an answer
 * that has not come is done without; by default it is waited for.
 */
export function createPlaneJudge(now: () => number, patience?: number): JudgeControlPlanes {
  const fetchHealth: FetchHealth = createHealthFetcher(now, patience);
  return (cluster, planes, services) =>
    Promise.all(
      planes.map(async (plane): Promise<ReadControlPlane> => {
        const { row, deployment, port, env, missing } = plane;
        const service = serviceOf(plane, services);
        const [health, drift] = await Promise.all([
          service === undefined ? undefined : fetchHealth(cluster, { backend: row.backend, service, port }),
          deployment === undefined ? row.drift : readManagers(cluster, deployment, row.drift, env),
        ]);
        const facts = { ...row, drift, health };
        const judged = judgeControlPlane(facts, missing, nowOf(cluster, now));
        return { ...plane, row: { ...facts, reason: undefined, reasons: undefined, ...judged } };
      }),
    );
}

type KeptWithPlanes<Made> = { readonly key: string; readonly made: Promise<Made> };

/** Keeps what is made of a base and of control planes while the base is the same and those are judged the same. */
export function keepWithPlanes<Base extends object, Made>(
  make: (base: Base, planes: readonly ControlPlane[]) => Steps<Made>,
): (base: Base, planes: readonly ControlPlane[]) => Promise<Made> {
  const kept = new WeakMap<Base, KeptWithPlanes<Made>>();
  return (base, planes) => {
    const key = JSON.stringify(
      planes.map(({ kind, namespace, name, state, reason }) => [kind, namespace, name, state, reason]),
    );
    const found = kept.get(base);
    if (found?.key === key) return found.made;
    const made = paced(make(base, planes));
    kept.set(base, { key, made });
    return made;
  };
}
