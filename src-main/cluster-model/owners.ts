import type { ObjectRef } from '#shared/api/cluster.ts';
import { type Kept, keep, keepNothing } from './kept.ts';
import type * as resources from './kinds/index.ts';
import type { ObjectOf } from './kinds/index.ts';
import type { Listing } from './kinds/types.ts';

type Owned = {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly labels: Readonly<Record<string, string>>;
    readonly ownerReferences: readonly {
      readonly kind: string;
      readonly name: string;
      readonly controller?: boolean | undefined;
    }[];
  };
};

/**
 * Returns the top-level controller of an object: a pod's Deployment through its ReplicaSet, or its CronJob
 * through its Job.
 */
export type OwnerOf = (object: Owned) => ObjectRef | undefined;

/**
 * Finds controllers. A ReplicaSet or Job that was not read is the controller itself, but for a ReplicaSet that carries
 * its pods' template hash in its name: that one is a Deployment's.
 */
export function ownersBy({ replicaSets, jobs }: OwnerListings, kept: Kept = keepNothing): OwnerOf {
  return keep(kept, replicaSets.items, 'owners', [jobs.items], () => readOwners({ replicaSets, jobs }));
}

type OwnerListings = {
  readonly replicaSets: Pick<Listing<ObjectOf<typeof resources.replicaSets>>, 'items'>;
  readonly jobs: Pick<Listing<ObjectOf<typeof resources.jobs>>, 'items'>;
};

function readOwners({ replicaSets, jobs }: OwnerListings): OwnerOf {
  const above = new Map<string, ObjectRef>();
  for (const [kind, { items }] of [
    ['ReplicaSet', replicaSets],
    ['Job', jobs],
  ] as const)
    for (const item of items) {
      const owner = controllerOf(item);
      if (owner !== undefined) above.set(keyOf({ kind, ...item.metadata }), owner);
    }
  return (object) => {
    const owner = controllerOf(object);
    if (owner === undefined) return undefined;
    const found = above.get(keyOf(owner));
    if (found !== undefined) return found;
    const hash = object.metadata.labels['pod-template-hash'];
    return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name.endsWith(`-${hash}`)
      ? { ...owner, kind: 'Deployment', name: owner.name.slice(0, -hash.length - 1) }
      : owner;
  };
}

function controllerOf({ metadata }: Owned): ObjectRef | undefined {
  // A Node has no namespace, and static pods are its.
  for (const { kind, name, controller } of metadata.ownerReferences)
    if (controller === true)
      return kind === 'Node' || metadata.namespace === undefined
        ? { kind, name }
        : { kind, name, namespace: metadata.namespace };
  return undefined;
}

/** Returns a string that identifies an object among all. */
export function keyOf({
  kind,
  namespace,
  name,
}: {
  kind: string;
  namespace?: string | undefined;
  name: string;
}): string {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** `Deployment cockpit-api`. */
export function nameOf({ kind, name }: Pick<ObjectRef, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}
