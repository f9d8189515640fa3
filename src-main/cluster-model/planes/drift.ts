import type { ControlPlane, Probes } from '#shared/api/cluster.ts';
import type * as resources from '../kinds/index.ts';
import type { ObjectOf } from '../kinds/index.ts';
import type { TemplateContainer } from '../kinds/pods.ts';
import type { RawObject } from '../kinds/types.ts';
import { hidden } from '../redact.ts';
import { liveProbesOf, probeDrift } from './live-probes.ts';
import { type ManagedEntry, managerOf } from './managed-fields.ts';

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
 * Adds the manager that set each field, as far as `object`, the Deployment read in full, shows it and it was
 * not the operator.
 */
export function withManagers(
  deployment: Deployment,
  drift: readonly Drift[],
  object: RawObject | undefined,
): Drift[] {
  const entries = object === undefined ? [] : managedFieldsOf(object);
  const container = backendContainer(deployment)?.name ?? '';
  return drift.map((difference) => {
    const manager = managerOf(entries, container, difference.field);
    return manager === undefined || /operator/i.test(manager) ? difference : { ...difference, manager };
  });
}

function managedFieldsOf({ metadata }: RawObject): readonly ManagedEntry[] {
  if (typeof metadata !== 'object' || metadata === null || !('managedFields' in metadata)) return [];
  const entries: unknown = metadata.managedFields;
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}
