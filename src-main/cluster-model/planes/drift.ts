import type { ControlPlane, Probes } from '#shared/api/cluster.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { TemplateContainer } from '../kinds/pods.ts';
import type { RawObject } from '../kinds/types.ts';
import { hidden, redactValue } from '../redact.ts';
import { liveProbesOf, probeDrift } from './live-probes.ts';
import { creatorOf, type ManagedEntry, managerOf } from './managed-fields.ts';

type Deployment = ObjectOf<typeof resources.deployments>;
export type Drift = ControlPlane['drift'][number];
type EnvVariable = TemplateContainer['env'][number];

/** The fields of its Deployment that a custom resource dictates. */
export type Dictated = {
  readonly image: string | undefined;
  readonly replicas: number | undefined;
  readonly env: readonly EnvVariable[];
  /** Undefined where the operator makes none of them: refused settings. */
  readonly probes: Probes | undefined;
};

/** Appended by the operator after `env`: they always win (BCK-084). */
const operatorsOwn = new Set(['COCKPIT_TENANT', 'RUNNER_ID']);

/** Made by the operator of the users of its instances (BCK-046). */
const projected = 'AUTH_ALLOWED_EMAILS';

/** The backend's container: the one named like it, else the first. */
export function backendContainer({ spec, metadata }: Deployment): TemplateContainer | undefined {
  const { containers = [] } = spec.template.spec ?? {};
  return containers.find(({ name }) => name === metadata.name) ?? containers[0];
}

/** Fields of a live Deployment that differ from what its custom resource dictates. */
export function driftOf(dictated: Dictated, deployment: Deployment): Drift[] {
  const container = backendContainer(deployment);
  if (container === undefined) return [];
  const drift: Drift[] = [];
  if (dictated.image !== undefined && container.image !== dictated.image)
    drift.push({ field: 'image', live: container.image ?? 'not set', wanted: dictated.image });
  const replicas = deployment.spec.replicas ?? 1;
  if (dictated.replicas !== undefined && replicas !== dictated.replicas)
    drift.push({ field: 'replicas', live: String(replicas), wanted: String(dictated.replicas) });
  // Of a name given twice the last one counts, in both.
  const live = new Map(container.env.map((variable) => [variable.name, settingOf(variable)]));
  const wanted = new Map(dictated.env.map((variable) => [variable.name, settingOf(variable)]));
  for (const [name, value] of wanted) {
    const is = live.get(name);
    if (operatorsOwn.has(name) || is === value || is === hidden || value === hidden) continue;
    drift.push({ field: `env.${name}`, live: is ?? 'not set', wanted: value });
  }
  if (dictated.probes !== undefined)
    drift.push(...probeDrift(dictated.probes, liveProbesOf(container), container));
  return drift;
}

function settingOf({ value, valueFrom }: EnvVariable): string {
  const { secretKeyRef: secret, configMapKeyRef: config, fieldRef } = valueFrom ?? {};
  if (secret !== undefined) return `key ${secret.key} of Secret ${secret.name ?? ''}`;
  if (config !== undefined) return `key ${config.key} of ConfigMap ${config.name ?? ''}`;
  return fieldRef === undefined ? (value ?? '') : `field ${fieldRef.fieldPath}`;
}

/**
 * Adds the manager that set each field, and the variables that somebody added by hand beside those of `env`, as far as
 * `object`, the Deployment read in full, shows it and it was not the operator.
 */
export function withManagers(
  deployment: Deployment,
  drift: readonly Drift[],
  env: readonly { readonly name: string }[],
  object: RawObject | undefined,
): Drift[] {
  const entries = object === undefined ? [] : managedFieldsOf(object);
  const container = backendContainer(deployment);
  const known = drift.map((difference) => {
    const manager = managerOf(entries, container?.name ?? '', difference.field);
    return manager === undefined || /operator/i.test(manager) ? difference : { ...difference, manager };
  });
  const dictated = new Set([...env.map(({ name }) => name), ...operatorsOwn, projected]);
  const added = (container?.env ?? []).filter(({ name }) => !dictated.has(name));
  const creator = creatorOf(entries, container?.name ?? '');
  return [
    ...known,
    ...added.flatMap((variable): Drift[] => {
      const field = `env.${variable.name}`;
      const manager = managerOf(entries, container?.name ?? '', field);
      // What the operator adds by itself is its own, whatever it calls itself.
      if (manager === undefined || manager === creator || /operator/i.test(manager)) return [];
      return [{ field, live: redactValue(variable.name, settingOf(variable)), wanted: 'not set', manager }];
    }),
  ];
}

function managedFieldsOf({ metadata }: RawObject): readonly ManagedEntry[] {
  if (typeof metadata !== 'object' || metadata === null || !('managedFields' in metadata)) return [];
  const entries: unknown = metadata.managedFields;
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}
