import type { JudgedPod, Running, RunningListings } from '../../cluster-model/index.ts';
import { keyOf, timeOf } from '../../cluster-model/index.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import { commitOfTag, type ImageReference, imageReference } from './image-reference.ts';
import type { ImageAsked } from './rollout.ts';

/** A workload whose template has the image, in whatever version. */
export type ImageUser = {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'CronJob';
  readonly name: string;
  readonly namespace: string;
  /** As `keyOf` names it. */
  readonly key: string;
  readonly reference: ImageReference;
  /**
   * `same`: this exact image; `later`: one that contains the commit, too; `other`: neither, as far as its
   * reference shows.
   */
  readonly version: 'same' | 'later' | 'other';
  /** Creation time of its newest ReplicaSet with that image. */
  readonly at: string | undefined;
};

type Containers = {
  readonly spec?: { readonly containers: readonly { readonly image?: string | undefined }[] } | undefined;
};

/** Other versions that are compared with the commit at most, for one image. */
const mostCompared = 4;

/** Returns every workload that has the image in some version, and whether that is the requested one. */
export async function findUsers(
  listings: RunningListings,
  running: Running,
  image: ImageAsked,
  contains: CodeHost['contains'],
): Promise<readonly ImageUser[]> {
  const { deployments, statefulSets, daemonSets, cronJobs } = listings;
  const found = [
    ...deployments.items.map(({ metadata, spec }) => using('Deployment', metadata, spec.template)),
    ...statefulSets.items.map(({ metadata, spec }) => using('StatefulSet', metadata, spec.template)),
    ...daemonSets.items.map(({ metadata, spec }) => using('DaemonSet', metadata, spec.template)),
    ...cronJobs.items.map(({ metadata, spec }) =>
      using('CronJob', metadata, spec.jobTemplate.spec?.template),
    ),
  ].flatMap(({ template, ...workload }) => {
    const reference = referenceIn(template, image.image);
    if (reference === undefined) return [];
    const same =
      isSame(reference, image) || (reference.digest === undefined && pulledBy(running, workload.key, image));
    const version = same ? ('same' as const) : ('other' as const);
    return [{ ...workload, reference, version, at: rolledAt(listings, workload, reference) }];
  });
  const others = found.filter(({ version }) => version === 'other');
  const heads = [...new Set(others.flatMap(({ reference }) => commitOfTag(reference.tag) ?? []))];
  const later = new Set<string>();
  for (const head of heads.slice(0, mostCompared)) {
    const read = await contains(image.repo, image.sha, head);
    if (read.ok && read.value) later.add(head);
  }
  return found.map((user) =>
    user.version === 'other' && later.has(commitOfTag(user.reference.tag) ?? '')
      ? { ...user, version: 'later' }
      : user,
  );
}

/** Returns whether a reference is the very image: by its digest where it has one, else by its tag. */
export function isSame({ tag, digest }: ImageReference, image: ImageAsked): boolean {
  if (digest !== undefined && image.digest !== undefined) return digest === image.digest;
  const tags = image.tag === undefined ? [image.sha, `sha-${image.sha.slice(0, 7)}`] : [image.tag];
  return tag !== undefined && tags.includes(tag);
}

/** Returns whether pods of a workload pulled this exact image: a moving tag does not prove it. */
function pulledBy({ podsOf }: Running, key: string, { digest }: ImageAsked): boolean {
  return (podsOf.get(key) ?? []).some(({ pod }) => digest !== undefined && hasPulled(pod, digest));
}

/** Returns whether a container of a pod runs the image of this digest. */
export function hasPulled({ status }: JudgedPod['pod'], digest: string): boolean {
  return status.containerStatuses.some(({ imageID }) => imageReference(imageID)?.digest === digest);
}

function using(
  kind: ImageUser['kind'],
  { name, namespace = '' }: { readonly name: string; readonly namespace?: string | undefined },
  template: Containers | undefined,
) {
  return { kind, name, namespace, key: keyOf({ kind, name, namespace }), template };
}

function referenceIn(template: Containers | undefined, image: string): ImageReference | undefined {
  return template?.spec?.containers
    .map((container) => imageReference(container.image))
    .find((reference) => reference?.name === image);
}

function rolledAt(
  { replicaSets }: RunningListings,
  { kind, name, namespace }: Pick<ImageUser, 'kind' | 'name' | 'namespace'>,
  wanted: ImageReference,
): string | undefined {
  if (kind !== 'Deployment') return undefined;
  return replicaSets.items
    .filter(
      ({ metadata, spec }) =>
        metadata.namespace === namespace &&
        metadata.ownerReferences.some((owner) => owner.kind === kind && owner.name === name) &&
        isDeepSame(referenceIn(spec.template, wanted.name), wanted),
    )
    .flatMap(({ metadata }) => timeOf(metadata.creationTimestamp) ?? [])
    .toSorted()
    .at(-1);
}

function isDeepSame(a: ImageReference | undefined, b: ImageReference): boolean {
  return a?.tag === b.tag && a?.digest === b.digest;
}
