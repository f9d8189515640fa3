import type { ObjectRef } from '#shared/api/cluster.ts';
import type { PlatformPart } from '#shared/api/symptoms.ts';
import type { Steps } from '#shared/steps.ts';
import type { ReadControlPlane, Running, TemplateContainer } from '../../../cluster-model/index.ts';
import { backendContainer, describeControlPlanes, keyOf } from '../../../cluster-model/index.ts';
import type { ListingsBeforeEvents } from './listings.ts';

/** A backend of the platform: its custom resource, and the Deployment that runs it as far as there is one. */
export type Backend = ReadControlPlane & {
  readonly part: PlatformPart;
  /** Its custom resource. */
  readonly resource: ObjectRef;
  /** Its Deployment, else its custom resource. */
  readonly owner: ObjectRef;
  readonly container: TemplateContainer | undefined;
  /** Variables of its custom resource. */
  readonly env: TemplateContainer['env'];
};

export function* readBackends(listings: ListingsBeforeEvents, running: Running): Steps<Backend[]> {
  const { cockpits, campaigns, instances } = listings;
  const env = new Map(
    [
      ...cockpits.items.map((item) => ({ kind: 'CockpitControlPlane', item })),
      ...campaigns.items.map((item) => ({ kind: 'CampaignControlPlane', item })),
      ...instances.items.map((item) => ({ kind: 'ClientInstance', item })),
    ].map(({ kind, item }) => [keyOf({ kind, ...item.metadata }), item.spec.env] as const),
  );
  const planes = yield* describeControlPlanes(
    { cockpits, campaigns, instances },
    { listings, workloads: running.workloads },
  );
  return planes.map((read) => {
    const { row, deployment } = read;
    const resource = { kind: row.kind, name: row.name, namespace: row.namespace };
    return {
      ...read,
      part: row.backend === 'campaign' ? 'campaign' : row.runner ? 'runner' : 'cockpit',
      resource,
      owner:
        deployment === undefined
          ? resource
          : { kind: 'Deployment', name: deployment.metadata.name, namespace: row.namespace },
      container: deployment === undefined ? undefined : backendContainer(deployment),
      env: env.get(keyOf(resource)) ?? [],
    };
  });
}

/** Backends by `keyOf` their owner; the first of several. */
export function byOwner(backends: readonly Backend[]): ReadonlyMap<string, Backend> {
  return new Map(backends.toReversed().map((backend) => [keyOf(backend.owner), backend]));
}

/**
 * Returns the platform part that a container's log belongs to. A workload that no custom resource names is
 * assigned to a backend by the name of its image: a line of a backend is evidence by itself.
 */
export function partOf(
  backendOf: (owner: ObjectRef) => Backend | undefined,
  owner: ObjectRef | undefined,
  image: string | undefined,
): PlatformPart | undefined {
  const found = owner && backendOf(owner);
  if (found) return found.part;
  const named = /(?:^|[/-])(cockpit|campaign)(?:-[a-z-]+)?(?:[:@]|$)/.exec(image ?? '')?.[1];
  if (named === 'campaign') return 'campaign';
  if (named === 'cockpit') return /runner/.test(`${owner?.name ?? ''} ${image ?? ''}`) ? 'runner' : 'cockpit';
  return undefined;
}
