import type { ObjectRef } from '#shared/api/cluster.ts';
import { agesSince, describeQuota, isFinished, keyOf, timeOf, usedUp } from '../../../cluster-model/index.ts';
import type { Reading } from '../evidence/reading.ts';
import { type Check, type Found, found, refOf } from './found.ts';

/** A claim that waits longer is stuck, in ms: volumes take their time. */
const bindingLimit = 5 * 60_000;

/**
 * Finds claims that lost their volume, and those pending for too long: a claim whose class binds at first use
 * is rightly pending until a pod uses it.
 */
export const claimUnbound: Check = (reading) =>
  reading.listings.claims.items.flatMap(({ metadata, spec, status }): Found[] => {
    const object = refOf('PersistentVolumeClaim', metadata);
    const phase = status?.phase;
    if (phase !== 'Pending' && phase !== 'Lost') return [];
    const age = reading.now - Date.parse(metadata.creationTimestamp ?? '');
    const user = userOf(reading, metadata);
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

/** The workload whose pods wait for it: one that mounts it, or a StatefulSet whose pod it is named after. */
function userOf(
  { listings, running }: Reading,
  { name, namespace = '' }: { readonly name: string; readonly namespace?: string | undefined },
): ObjectRef | undefined {
  const waiting = running.pods.filter(
    ({ pod }) => pod.metadata.namespace === namespace && !isFinished(pod) && pod.status.phase === 'Pending',
  );
  const named = waiting.find(({ pod }) => name.endsWith(`-${pod.metadata.name}`));
  if (named !== undefined) return named.owner ?? refOf('Pod', named.pod.metadata);
  const mounting = [
    ...listings.deployments.items.map((item) => ({ kind: 'Deployment', item })),
    ...listings.statefulSets.items.map((item) => ({ kind: 'StatefulSet', item })),
  ].find(
    ({ kind, item }) =>
      item.metadata.namespace === namespace &&
      item.spec.template.spec?.volumes.some((volume) => volume.persistentVolumeClaim?.claimName === name) &&
      waiting.some(({ owner }) => owner !== undefined && keyOf(owner) === keyOf({ kind, ...item.metadata })),
  );
  return mounting && refOf(mounting.kind, mounting.item.metadata);
}

export const quotaUsedUp: Check = ({ listings }) =>
  listings.quotas.items.flatMap((quota) =>
    usedUp(describeQuota(quota)).map((text) =>
      found(refOf('ResourceQuota', quota.metadata), text, { ref: 'status.used' }),
    ),
  );
