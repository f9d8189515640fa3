import { labels } from '#shared/platform/labels.ts';
import { compareText } from '#shared/text.ts';
import type { ObjectOf, resources } from '../../cluster-model/index.ts';

/** An instance of a tenant. */
export type EstateInstance = {
  readonly name: string;
  readonly namespace: string;
  readonly phase: string;
  readonly controlPlane: string;
  readonly users: number;
};

/** A tenant with what is theirs. */
export type Tenant = {
  readonly name: string;
  readonly instances: EstateInstance[];
  readonly namespaces: string[];
  readonly connections: string[];
};

/** Joins instances, namespaces and connections by tenant; what names none stands last, under an empty name. */
export function tenantsOf(
  instances: readonly ObjectOf<typeof resources.clientInstances>[],
  namespaces: readonly ObjectOf<typeof resources.namespaces>[],
  connections: readonly { readonly name: string; readonly tenant: string }[],
): Tenant[] {
  const tenants = new Map<string, Tenant>();
  const tenant = (name: string): Tenant => {
    const known = tenants.get(name) ?? { name, instances: [], namespaces: [], connections: [] };
    tenants.set(name, known);
    return known;
  };
  for (const { metadata, spec, status } of instances)
    tenant(spec.tenant ?? '').instances.push({
      name: metadata.name,
      namespace: metadata.namespace ?? '',
      phase: status?.phase ?? '',
      controlPlane: spec.controlPlaneRef?.name ?? '',
      users: spec.users.length,
    });
  for (const { metadata } of namespaces) {
    const name = metadata.labels?.[labels.tenant];
    if (name !== undefined) tenant(name).namespaces.push(metadata.name);
  }
  for (const { name, tenant: owner } of connections) tenant(owner).connections.push(name);
  for (const each of tenants.values()) {
    each.instances.sort((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));
    each.namespaces.sort(compareText);
    each.connections.sort(compareText);
  }
  return [...tenants.values()].sort(
    (a, b) => Number(a.name === '') - Number(b.name === '') || compareText(a.name, b.name),
  );
}
