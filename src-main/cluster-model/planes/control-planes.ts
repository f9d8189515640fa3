import type { ControlPlane } from '#shared/api/cluster.ts';
import { labels } from '#shared/platform/labels.ts';
import { appPorts, effectiveProbes } from '#shared/platform/probes.ts';
import type { Steps } from '#shared/steps.ts';
import { describeConditions } from '../conditions.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { TemplateContainer } from '../kinds/pods.ts';
import type { Listing } from '../kinds/types.ts';
import { objectIn, wasReadWhole } from '../listings.ts';
import { keyOf } from '../owners.ts';
import type { RunningListings } from '../workloads/running.ts';
import type { ReadWorkload } from '../workloads/workloads.ts';
import { judgeControlPlane } from './control-plane-state.ts';
import { backendContainer, driftOf } from './drift.ts';
import { liveProbesOf } from './live-probes.ts';

type CustomResource =
  | ObjectOf<typeof resources.cockpitControlPlanes>
  | ObjectOf<typeof resources.campaignControlPlanes>
  | ObjectOf<typeof resources.clientInstances>;
type Deployment = ObjectOf<typeof resources.deployments>;

export type ControlPlaneListings = {
  readonly cockpits: Listing<ObjectOf<typeof resources.cockpitControlPlanes>>;
  readonly campaigns: Listing<ObjectOf<typeof resources.campaignControlPlanes>>;
  readonly instances: Listing<ObjectOf<typeof resources.clientInstances>>;
};
/** A control plane as far as listings show it, with the Deployment it was compared to. */
export type ReadControlPlane = {
  readonly row: ControlPlane;
  readonly deployment: Deployment | undefined;
  readonly port: string | undefined;
  /** Variables that it dictates. */
  readonly env: TemplateContainer['env'];
  /** Its Deployment does not exist, for certain. */
  readonly missing: boolean;
};

/** A row for each custom resource, without its health endpoints; by kind, namespace and name. */
export function* describeControlPlanes(
  listings: ControlPlaneListings,
  running: { readonly listings: RunningListings; readonly workloads: readonly ReadWorkload[] },
): Steps<ReadControlPlane[]> {
  const { deployments } = running.listings;
  const controlled = groupByOwner(deployments.items);
  yield;
  const workloads = new Map(running.workloads.map(({ row }) => [keyOf(row), row]));
  yield;
  const read =
    (backend: ControlPlane['backend'], kind: string) =>
    (resource: CustomResource): ReadControlPlane => {
      const { metadata, spec, status } = resource;
      const deployment = deploymentOf(resource, kind, deployments.items, controlled);
      const runner = isRunner(spec.runner);
      const port = backend === 'campaign' ? undefined : runner ? appPorts.runner : appPorts.controlPlane;
      const { probes, specified, refused, disabled, refusals } = effectiveProbes(spec.probes, port);
      const container = deployment === undefined ? undefined : backendContainer(deployment);
      const facts = {
        backend,
        kind,
        name: metadata.name,
        namespace: metadata.namespace ?? '',
        tenant: ('tenant' in spec ? spec.tenant : undefined) ?? metadata.labels[labels.tenant],
        image: spec.image,
        runner,
        phase: status?.phase,
        endpoint: status?.endpoint,
        conditions: describeConditions(status?.conditions ?? []),
        observed:
          status?.observedGeneration === undefined || metadata.generation === undefined
            ? undefined
            : status.observedGeneration >= metadata.generation,
        effective_probes: probes,
        ...(specified === undefined ? {} : { specified_probes: specified }),
        ...(refused === undefined ? {} : { refused_settings: [...refused] }),
        probes_disabled: disabled,
        probe_refusals: [...refusals],
        live_probes: container === undefined ? undefined : liveProbesOf(container),
        workload:
          deployment === undefined
            ? undefined
            : workloads.get(keyOf({ kind: 'Deployment', ...deployment.metadata })),
        drift:
          deployment === undefined
            ? []
            : driftOf(
                {
                  image: spec.image,
                  replicas: spec.replicas,
                  env: spec.env,
                  probes: refusals.length > 0 ? undefined : probes,
                },
                deployment,
              ),
      };
      // An instance without an image of its own is served by its control plane.
      const hasOwn = backend !== 'instance' || spec.image !== undefined;
      const missing = deployment === undefined && hasOwn && wasReadWhole(deployments);
      return {
        row: { ...facts, ...judgeControlPlane(facts, missing) },
        deployment,
        port,
        env: spec.env,
        missing,
      };
    };
  const planes: ReadControlPlane[] = [];
  function* readAll(
    items: readonly CustomResource[],
    one: (item: CustomResource) => ReadControlPlane,
  ): Steps<void> {
    for (const [at, item] of items.entries()) {
      if (at % 50 === 0) yield;
      planes.push(one(item));
    }
  }
  yield* readAll(listings.cockpits.items, read('cockpit', 'CockpitControlPlane'));
  yield* readAll(listings.campaigns.items, read('campaign', 'CampaignControlPlane'));
  yield* readAll(listings.instances.items, read('instance', 'ClientInstance'));
  return planes;
}

/** The Deployment it controls, else the one of its name. */
function deploymentOf(
  { metadata }: CustomResource,
  kind: string,
  deployments: readonly Deployment[],
  controlled: ReadonlyMap<string, readonly Deployment[]>,
): Deployment | undefined {
  const owned = controlled.get(keyOf({ kind, ...metadata })) ?? [];
  return (
    owned.find((each) => each.metadata.name === metadata.name) ?? owned[0] ?? objectIn(deployments, metadata)
  );
}

/** Deployments by `keyOf` each of their owners. */
function groupByOwner(deployments: readonly Deployment[]): ReadonlyMap<string, readonly Deployment[]> {
  const groups = new Map<string, Deployment[]>();
  for (const deployment of deployments) {
    const { namespace, ownerReferences } = deployment.metadata;
    for (const { kind, name } of ownerReferences) {
      const key = keyOf({ kind, name, namespace });
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [deployment]);
      else group.push(deployment);
    }
  }
  return groups;
}

/** `spec.runner` is settings of a runner, or a plain yes or no; one that says `enabled: false` is none. */
function isRunner(runner: unknown): boolean {
  if (typeof runner === 'object' && runner !== null)
    return !('enabled' in runner) || runner.enabled !== false;
  return runner === true;
}
