import type { ObjectRef } from '#shared/api/cluster.ts';
import { counted } from '#shared/text.ts';
import type { ObjectOf, PodObject, resources } from '../../../cluster-model/index.ts';
import { groupBy, isFinished, keyOf, objectIn } from '../../../cluster-model/index.ts';
import type { Reading } from '../evidence/reading.ts';
import { type Check, type Found, found, refOf } from './found.ts';

/** A workload with fewer ready pods than it wants, and not because it is still being brought about. */
export const workloadShort: Check = (reading) => [
  ...reading.running.workloads.flatMap(({ row }): Found[] => {
    const { kind, ready, desired, state, reason } = row;
    if (kind === 'Job' || kind === 'CronJob' || (state !== 'failing' && state !== 'degraded')) return [];
    if (ready === undefined || desired === undefined || ready >= desired || isManifest(reading, row))
      return [];
    return [
      found(refOf(kind, row), reason ?? `${ready} of ${desired} replicas ready`, {
        ref: 'status',
        since: row.since,
      }),
    ];
  }),
  ...shortReplicaSets(reading),
];

/** A workload that should have pods and has none: nothing is left that could say why but its controller. */
export const workloadHasNoPods: Check = (reading) =>
  reading.running.workloads.flatMap(({ row }): Found[] => {
    if (row.kind === 'Job' || row.kind === 'CronJob' || row.state !== 'failing') return [];
    if (!reading.isReadIn('pods', row.namespace) || isManifest(reading, row)) return [];
    const own = reading.running.podsOf.get(keyOf(row)) ?? [];
    if ((row.desired ?? 0) === 0 || own.some(({ pod }) => !isFinished(pod))) return [];
    return [
      found(
        refOf(row.kind, row),
        `${row.kind} ${row.name} wants ${counted(row.desired ?? 0, 'pod')} and has none: ${row.reason}`,
        {
          ref: 'spec.replicas',
          since: row.since,
        },
      ),
    ];
  });

const workloadListings = {
  Deployment: 'deployments',
  StatefulSet: 'statefulSets',
  DaemonSet: 'daemonSets',
} as const;

/**
 * Returns whether an object is a manifest that was never in a cluster, which gives every workload a status: nothing is
 * known of its pods.
 */
function isManifest({ listings }: Reading, { kind, name, namespace }: ObjectRef): boolean {
  if (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'DaemonSet') return false;
  const items: readonly Owned[] = listings[workloadListings[kind]].items;
  // A manifest need not name its namespace.
  const item = objectIn(items, { name, namespace });
  return item !== undefined && item.status === undefined;
}

type Owned = {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
  readonly status?: unknown;
};

/** A ReplicaSet has its pods within this time, in ms, or it is stuck (Deployment, progressDeadlineSeconds: 600). */
const progressDeadline = 600_000;

/** ReplicaSets of a workload that was not read, or is of a kind that is not: what they lack nothing else says. */
function shortReplicaSets({ listings, running, now, ownerOf, workloadOf }: Reading): Found[] {
  return listings.replicaSets.items.flatMap(({ metadata, spec, status }): Found[] => {
    const set = refOf('ReplicaSet', metadata);
    const owner = ownerOf(set);
    const [desired, ready] = [spec.replicas ?? 1, status?.readyReplicas ?? 0];
    if (status === undefined || ready >= desired || workloadOf(owner) !== undefined) return [];
    const isYoung = !(now - Date.parse(metadata.creationTimestamp ?? '') >= progressDeadline);
    const own = running.podsOf.get(keyOf(owner)) ?? [];
    if (isYoung || own.some(({ verdict }) => verdict.state === 'working')) return [];
    return [
      found(set, `ReplicaSet ${metadata.name}: ${ready} of ${desired} replicas ready`, {
        owner,
        ref: 'status',
      }),
    ];
  });
}

/** A rollout that its controller has given up, or whose new pods fail while the old ones still serve. */
export const rolloutStuck: Check = (reading) => {
  const { listings, running } = reading;
  const revisions = revisionsIn(reading);
  const deployments = listings.deployments.items.flatMap((item): Found[] => {
    const object = refOf('Deployment', item.metadata);
    const row = reading.workloadOf(object)?.row;
    if (row === undefined || row.state === 'working' || row.state === 'idle' || row.state === 'healthy')
      return [];
    const progressing = item.status?.conditions.find(({ type }) => type === 'Progressing');
    if (progressing?.status === 'False')
      return [
        found(
          object,
          `Progressing is False (${progressing.reason ?? 'no reason given'}): ${progressing.message ?? ''}`,
          {
            ref: 'status.conditions',
            since: progressing.lastTransitionTime,
          },
        ),
      ];
    const [newest, ...older] = revisions.get(keyOf(object)) ?? [];
    const oldPods = older.filter((set) => (set.status?.readyReplicas ?? 0) > 0);
    if (newest === undefined || oldPods.length === 0) return [];
    const bad = (running.podsOf.get(keyOf(object)) ?? []).find(
      ({ pod, verdict }) => verdict.state === 'failing' && isOf(pod, newest),
    );
    return bad === undefined
      ? []
      : [
          found(
            object,
            `ReplicaSet ${newest.metadata.name} is not taken over: ${bad.pod.metadata.name} ${bad.verdict.reason ?? bad.verdict.label}; ${oldPods[0]?.metadata.name} still serves`,
            { ref: 'its ReplicaSets' },
          ),
        ];
  });
  const sets = listings.statefulSets.items.flatMap(({ metadata, status, spec }): Found[] => {
    const { currentRevision, updateRevision, updatedReplicas = 0 } = status ?? {};
    if (updateRevision === undefined || updateRevision === currentRevision) return [];
    const object = refOf('StatefulSet', metadata);
    const bad = (running.podsOf.get(keyOf(object)) ?? []).find(
      ({ pod, verdict }) =>
        verdict.state === 'failing' && pod.metadata.labels['controller-revision-hash'] === updateRevision,
    );
    return bad === undefined
      ? []
      : [
          found(
            object,
            `${updatedReplicas} of ${spec.replicas ?? 1} pods have revision ${updateRevision}: ${bad.pod.metadata.name} ${bad.verdict.reason ?? bad.verdict.label}`,
            { ref: 'status.updateRevision' },
          ),
        ];
  });
  return [...deployments, ...sets];
};

type ReplicaSet = ObjectOf<typeof resources.replicaSets>;

/** ReplicaSets of each Deployment, by `keyOf`, newest first. */
function revisionsIn({ listings }: Reading): ReadonlyMap<string, readonly ReplicaSet[]> {
  const sets = groupBy(listings.replicaSets.items, ({ metadata }) => {
    const owner = metadata.ownerReferences.find(({ kind }) => kind === 'Deployment');
    return owner && keyOf({ kind: owner.kind, name: owner.name, namespace: metadata.namespace });
  });
  for (const own of sets.values())
    own.sort((a, b) =>
      (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''),
    );
  return sets;
}

function isOf({ metadata }: PodObject, set: ReplicaSet): boolean {
  return metadata.ownerReferences.some(
    ({ kind, name }) => kind === 'ReplicaSet' && name === set.metadata.name,
  );
}

/**
 * A roll to another tag that brought the same image: the digest that pods of the new tag run is the one that pods of the
 * tag before run, here or elsewhere in the cluster.
 */
export const sameDigestAfterRoll: Check = (reading) => {
  const revisions = revisionsIn(reading);
  const digests = new Map<string, string>();
  for (const { pod } of reading.running.pods)
    for (const { name, image } of pod.spec.containers) {
      const id = pod.status.containerStatuses.find((status) => status.name === name)?.imageID;
      const digest = /sha256:[0-9a-f]{64}/.exec(id ?? '')?.[0];
      if (image !== undefined && digest !== undefined) digests.set(image, digest);
    }
  return reading.listings.deployments.items.flatMap((item): Found[] => {
    const [newest, before] = revisions.get(keyOf({ kind: 'Deployment', ...item.metadata })) ?? [];
    return (newest?.spec.template.spec?.containers ?? []).flatMap(({ name, image }) => {
      const old = before?.spec.template.spec?.containers.find((container) => container.name === name)?.image;
      if (image === undefined || old === undefined || image === old) return [];
      const digest = digests.get(image);
      if (digest === undefined || digest !== digests.get(old)) return [];
      return [
        found(
          refOf('Deployment', item.metadata),
          `${image} and ${old}, which it replaced, are both ${digest}`,
          {
            container: name,
            ref: 'imageID of its pods',
            values: { image },
          },
        ),
      ];
    });
  });
};
