import type { ObjectRef } from '#shared/api/cluster.ts';
import type { JudgedPod } from '../../../cluster-model/index.ts';
import { agesSince, describeQuota, keyOf, timeOf, usedUp } from '../../../cluster-model/index.ts';
import type { Reading } from '../evidence/reading.ts';
import { type Check, type Found, found, refOf } from './found.ts';

/** A claim that waits longer is stuck, in ms: volumes take their time. */
const bindingLimit = 5 * 60_000;

/**
 * Finds claims that lost their volume, and those pending for too long: a claim whose class binds at first use
 * is rightly pending until a pod uses it.
 */
export const claimUnbound: Check = (reading) => {
  const userOf = usersIn(reading);
  return reading.listings.claims.items.flatMap(({ metadata, spec, status }): Found[] => {
    const object = refOf('PersistentVolumeClaim', metadata);
    const phase = status?.phase;
    if (phase !== 'Pending' && phase !== 'Lost') return [];
    const age = reading.now - Date.parse(metadata.creationTimestamp ?? '');
    const user = userOf(metadata);
    if (phase === 'Pending' && (age < bindingLimit || user === undefined)) return [];
    const text =
      phase === 'Lost'
        ? `phase is Lost: its volume ${spec.volumeName ?? ''} is gone`
        : `phase is Pending for ${agesSince(age)}; storage class ${spec.storageClassName ?? 'is the default one'}`;
    return [
      found(object, text, {
        owner: user ?? object,
        ref: 'status.phase',
        since: timeOf(metadata.creationTimestamp),
      }),
    ];
  });
};

type ClaimName = { readonly name: string; readonly namespace?: string | undefined };

/**
 * Returns how to find the workload whose pods wait for a claim: one that mounts it, or a StatefulSet whose pod it is
 * named after.
 */
function usersIn({ listings, running }: Reading): (claim: ClaimName) => ObjectRef | undefined {
  const waiting = new Map<string, JudgedPod>();
  const owners = new Set<string>();
  for (const judged of running.pods) {
    const { pod, owner } = judged;
    if (pod.status.phase !== 'Pending') continue;
    const key = `${pod.metadata.namespace ?? ''}/${pod.metadata.name}`;
    if (!waiting.has(key)) waiting.set(key, judged);
    if (owner !== undefined) owners.add(keyOf(owner));
  }
  const mounting = new Map<string, ObjectRef>();
  for (const [kind, items] of [
    ['Deployment', listings.deployments.items],
    ['StatefulSet', listings.statefulSets.items],
  ] as const)
    for (const { metadata, spec } of items) {
      if (!owners.has(keyOf({ kind, ...metadata }))) continue;
      for (const { persistentVolumeClaim } of spec.template.spec?.volumes ?? []) {
        const key = `${metadata.namespace ?? ''}/${persistentVolumeClaim?.claimName}`;
        if (!mounting.has(key)) mounting.set(key, refOf(kind, metadata));
      }
    }
  return ({ name, namespace = '' }) => {
    // `data-db-0` is the claim of the pod `db-0`.
    for (let dash = name.indexOf('-'); dash >= 0; dash = name.indexOf('-', dash + 1)) {
      const named = waiting.get(`${namespace}/${name.slice(dash + 1)}`);
      if (named !== undefined) return named.owner ?? refOf('Pod', named.pod.metadata);
    }
    return mounting.get(`${namespace}/${name}`);
  };
}

export const quotaUsedUp: Check = ({ listings }) =>
  listings.quotas.items.flatMap((quota) =>
    usedUp(describeQuota(quota)).map((text) =>
      found(refOf('ResourceQuota', quota.metadata), text, { ref: 'status.used' }),
    ),
  );
