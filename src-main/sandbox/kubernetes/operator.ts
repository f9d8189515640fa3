import { z } from 'zod';
import { effectiveProbes } from '#shared/platform/probes.ts';
import type { KubeObject, MemoryWorld } from '../../kube-api/index.ts';
import { type JsonObject, listAt, numberAt, objectAt } from '../../kube-api/object-fields.ts';
import { backendEnvironment } from './backend-environment.ts';
import { kubeProbes } from './probes.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { kindNamed } from './world-kinds.ts';

/**
 * The fields the operator reads from a custom resource of the platform; its definition is in resources/crds.
 */
const resourceSpec = z.looseObject({
  image: z.string().optional(),
  replicas: z.number().int().optional(),
  env: z.array(z.looseObject({ name: z.string() })).default([]),
  probes: z.looseObject({}).default({}),
  tenant: z.string().optional(),
  users: z.array(z.string()).default([]),
  runner: z.looseObject({ enabled: z.boolean().default(false) }).default({ enabled: false }),
});

/** Kind and name of the custom resource that a workload was made of. */
export function resourceOf({
  owner,
}: WorkloadSeed): { readonly kind: string; readonly name: string } | undefined {
  const [kind, name] = owner?.split('/') ?? [];
  return kind === undefined || name === undefined ? undefined : { kind, name };
}

/**
 * Writes a custom resource into the Deployment that was made of it, over whatever somebody changed there by hand, as the platform's
 * operator does. Of settings that it refuses, probes stay as they are.
 */
export async function applyResource(
  world: MemoryWorld,
  workload: WorkloadSeed,
  resource: KubeObject,
): Promise<void> {
  const deployments = kindNamed(world, 'Deployment');
  const deployment = await world.get(deployments, workload.name, workload.namespace);
  const spec = resourceSpec.safeParse(resource.spec);
  if (deployment === undefined || !spec.success) return;
  const { image, replicas, env, tenant, runner } = spec.data;
  const users = await usersOf(world, resource, spec.data.users);
  const template = objectAt(deployment, 'spec', 'template');
  const containers = listAt(template, 'spec', 'containers').map((container, index) =>
    index > 0
      ? container
      : {
          ...withProbes(container, spec.data.probes, workload),
          ...(image === undefined ? {} : { image }),
          env: backendEnvironment({
            base: workload.env,
            env,
            users,
            tenant,
            runner: runner.enabled ? resource.metadata.name : undefined,
          }),
        },
  );
  const { managedFields: _byHand, ...metadata } = deployment.metadata;
  await world.write.replace(deployments, {
    ...deployment,
    metadata,
    spec: {
      ...objectAt(deployment, 'spec'),
      ...(replicas === undefined ? {} : { replicas }),
      template: { ...template, spec: { ...objectAt(template, 'spec'), containers } },
    },
  });
}

/** Returns the users of an instance; of a control plane those of the instances that refer to it. */
async function usersOf(
  world: MemoryWorld,
  { kind, metadata: { name, namespace } }: KubeObject,
  own: readonly string[],
): Promise<readonly string[]> {
  if (kind !== 'CockpitControlPlane') return own;
  const instances = await world.list(kindNamed(world, 'ClientInstance'));
  return instances.flatMap((instance) => {
    const reference = objectAt(instance, 'spec', 'controlPlaneRef');
    const refers =
      reference.name === name && (reference.namespace ?? instance.metadata.namespace) === namespace;
    const spec = resourceSpec.safeParse(instance.spec);
    return refers && spec.success ? spec.data.users : [];
  });
}

function withProbes(container: JsonObject, probes: unknown, { port }: WorkloadSeed): JsonObject {
  const requested = effectiveProbes(probes, String(port));
  if (requested.refusals.length > 0 || port === undefined) return container;
  const { startupProbe: _startup, readinessProbe: _readiness, livenessProbe: _liveness, ...rest } = container;
  return { ...rest, ...kubeProbes(requested.probes, port) };
}

/** Writes into a custom resource how what was made of it stands. `at` is RFC 3339. */
export async function tellResource(
  world: MemoryWorld,
  workload: WorkloadSeed,
  { ready, wanted, at }: { readonly ready: number; readonly wanted: number; readonly at: string },
): Promise<void> {
  const named = resourceOf(workload);
  if (named === undefined) return;
  const kind = kindNamed(world, named.kind);
  const resource = await world.get(kind, named.name, workload.namespace);
  if (resource === undefined) return;
  const { refusals } = effectiveProbes(objectAt(resource, 'spec').probes, String(workload.port));
  const [phase, reason, message] =
    refusals.length > 0
      ? ['Degraded', 'ProbesRefused', `spec.probes was refused: ${refusals.join(' ')}`]
      : ready >= wanted
        ? ['Ready', 'BackendReady', 'The backend is ready.']
        : ['Progressing', 'WaitingForReplicas', `${ready} of ${wanted} replicas are ready.`];
  const status = phase === 'Ready' ? 'True' : 'False';
  const before = listAt(resource, 'status', 'conditions').find(({ type }) => type === 'Ready');
  await world.write.replace(kind, {
    ...resource,
    status: {
      ...objectAt(resource, 'status'),
      phase,
      observedGeneration: numberAt(resource, 'metadata', 'generation'),
      conditions: [
        {
          type: 'Ready',
          status,
          reason,
          message,
          lastTransitionTime: before?.status === status ? before.lastTransitionTime : at,
        },
      ],
    },
  });
}
