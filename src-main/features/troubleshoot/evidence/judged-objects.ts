import type { ControlPlane, HealthState, ObjectRef } from '#shared/api/cluster.ts';
import { healthRank } from '#shared/health/worst-first.ts';
import type { Steps } from '#shared/steps.ts';
import {
  describeMeshCas,
  describeNodes,
  describeQuota,
  judgeControlPlane,
  keyOf,
  usedUp,
} from '../../../cluster-model/index.ts';
import { type Cluster, keptOf } from '../../../sources/cluster/index.ts';
import type { JudgedObject, JudgedOf } from '../findings/findings.ts';
import type { BackendHealth } from './health.ts';
import type { Reading } from './reading.ts';

/**
 * Returns how the pages judge an object, by the functions that the pages use. A Deployment of a control plane is judged
 * with that, and is as ill as the worse of the two.
 */
export function* judgedObjects(cluster: Cluster, reading: Reading): Steps<JudgedOf> {
  const { running, listings, services, backends, now } = reading;
  const states = new Map<string, HealthState>();
  for (const { pod, verdict } of running.pods)
    states.set(keyOf({ kind: 'Pod', ...pod.metadata }), verdict.state);
  yield;
  for (const { row } of running.workloads) states.set(keyOf(row), row.state);
  for (const { row } of services) states.set(keyOf({ ...row, kind: 'Service' }), row.state);
  yield;
  const { nodes, pods, namespaces } = listings;
  for (const { name, state } of yield* describeNodes({ nodes, pods, namespaces }, keptOf(cluster)))
    states.set(keyOf({ kind: 'Node', name }), state);
  const certificates = describeMeshCas(listings, now);
  for (const { row, holder } of certificates.items) {
    const key = keyOf(holder);
    states.set(key, worse(states.get(key), row.state));
  }
  for (const { ill } of reading.certificates.items)
    for (const { holder, state } of ill) states.set(keyOf(holder), worse(states.get(keyOf(holder)), state));
  yield;
  for (const quota of listings.quotas.items)
    if (usedUp(describeQuota(quota)).length > 0)
      states.set(keyOf({ kind: 'ResourceQuota', ...quota.metadata }), 'degraded');
  const answers = healthByResource(reading.health ?? []);
  const planes = new Map<string, JudgedObject>();
  for (const backend of backends) {
    const { state } = judgeControlPlane(
      { ...backend.row, health: answers.get(backend.resource) },
      backend.missing,
      now,
    );
    const judged = { object: backend.resource, state: worse(states.get(keyOf(backend.owner)), state) };
    planes.set(keyOf(backend.resource), judged);
    planes.set(keyOf(backend.owner), judged);
  }
  return (owner: ObjectRef) => {
    const key = keyOf(owner);
    return planes.get(key) ?? { object: owner, state: states.get(key) };
  };
}

function worse(a: HealthState | undefined, b: HealthState): HealthState {
  return a !== undefined && healthRank(a) < healthRank(b) ? a : b;
}

function healthByResource(
  health: readonly BackendHealth[],
): ReadonlyMap<ObjectRef, NonNullable<ControlPlane['health']>> {
  return new Map(
    health.map(({ backend, answers = [] }) => [
      backend.resource,
      Object.fromEntries(answers.map(({ name, answer }) => [name, answer])),
    ]),
  );
}
