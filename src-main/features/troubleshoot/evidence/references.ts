import type { ObjectRef } from '#shared/api/cluster.ts';
import { type Cluster, type ObjectOf, resources } from '../../../sources/cluster/index.ts';
import { keyOf, wasReadWhole } from '../../cluster/index.ts';
import type { ListingsBeforeEvents } from './listings.ts';

/** An object, or a key of one, that a workload names and that does not exist, for certain. */
export type MissingReference = {
  readonly by: ObjectRef;
  readonly container: string | undefined;
  readonly missing: ObjectRef;
  /** Undefined when the whole object is missing. */
  readonly key: string | undefined;
  /** Field of the workload's template. */
  readonly field: string;
  readonly use: 'object' | 'pull_secret';
};

type Reference = Omit<MissingReference, 'missing' | 'by'> & {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
};
type Template = ObjectOf<typeof resources.deployments>['spec']['template'];
type Item = { readonly metadata: { readonly name: string; readonly namespace?: string | undefined } };

/** Objects that a bundle is asked for one by one, because it does not hold all of the kind. */
const mostAsked = 200;

/**
 * What templates of workloads refer to and is not there. Where a kind was not read whole a bundle may still know that an
 * object was absent when it was taken; a live cluster is not asked, since that would read the values of secrets.
 */
export async function missingReferences(
  cluster: Cluster,
  listings: ListingsBeforeEvents,
): Promise<MissingReference[]> {
  const held = {
    Secret: new Map(
      listings.secrets.items.map((item) => [`${item.metadata.namespace}/${item.metadata.name}`, item.data]),
    ),
    ConfigMap: new Map(
      listings.configMaps.items.map((item) => [
        `${item.metadata.namespace}/${item.metadata.name}`,
        item.data,
      ]),
    ),
  };
  const found: MissingReference[] = [];
  const absent = new Map<string, Promise<boolean>>();
  const isAbsent = (kind: Reference['kind'], name: string, namespace: string): boolean | Promise<boolean> => {
    if (wasReadWhole(kind === 'Secret' ? listings.secrets : listings.configMaps)) return true;
    if (cluster.source !== 'bundle') return false;
    const key = keyOf({ kind, namespace, name });
    const known = absent.get(key);
    if (known !== undefined || absent.size >= mostAsked) return known ?? false;
    const resource = kind === 'Secret' ? resources.secrets : resources.configMaps;
    const asked = cluster.get(resource, name, namespace).then(({ state }) => state === 'missing');
    absent.set(key, asked);
    return asked;
  };
  for (const { by, template } of templatesOf(listings)) {
    const namespace = by.namespace ?? '';
    for (const reference of referencesOf(template)) {
      const { kind, name, key, container, field, use } = reference;
      const data = held[kind].get(`${namespace}/${name}`);
      const missing = { kind, name, namespace };
      if (data === undefined) {
        if (await isAbsent(kind, name, namespace))
          found.push({ by, container, missing, key: undefined, field, use });
      } else if (key !== undefined && !(key in data) && Object.keys(data).length > 0)
        found.push({ by, container, missing, key, field, use });
    }
  }
  return found;
}

function templatesOf(
  listings: ListingsBeforeEvents,
): { readonly by: ObjectRef; readonly template: Template }[] {
  const of = (kind: string, item: Item, template: Template | undefined) =>
    template === undefined
      ? []
      : [{ by: { kind, name: item.metadata.name, namespace: item.metadata.namespace ?? '' }, template }];
  return [
    ...listings.deployments.items.flatMap((item) =>
      item.spec.replicas === 0 ? [] : of('Deployment', item, item.spec.template),
    ),
    ...listings.statefulSets.items.flatMap((item) =>
      item.spec.replicas === 0 ? [] : of('StatefulSet', item, item.spec.template),
    ),
    ...listings.daemonSets.items.flatMap((item) => of('DaemonSet', item, item.spec.template)),
    ...listings.cronJobs.items.flatMap((item) =>
      item.spec.suspend === true ? [] : of('CronJob', item, item.spec.jobTemplate.spec?.template),
    ),
  ];
}

/** What a template cannot do without: an optional reference may lead nowhere. */
function referencesOf({ spec }: Template): Reference[] {
  if (spec === undefined) return [];
  const found: Reference[] = [];
  const name = (
    kind: Reference['kind'],
    called: string | undefined,
    rest: Pick<Reference, 'container' | 'key' | 'field'> & { readonly optional?: boolean | undefined },
  ): void => {
    const { optional, ...place } = rest;
    if (called !== undefined && called !== '' && optional !== true)
      found.push({ kind, name: called, use: 'object', ...place });
  };
  for (const { name: container, env, envFrom } of [...spec.initContainers, ...spec.containers]) {
    for (const { name: variable, valueFrom } of env) {
      const field = `env ${variable}`;
      const { secretKeyRef: secret, configMapKeyRef: config } = valueFrom ?? {};
      name('Secret', secret?.name, { container, key: secret?.key, field, optional: secret?.optional });
      name('ConfigMap', config?.name, { container, key: config?.key, field, optional: config?.optional });
    }
    for (const { secretRef, configMapRef } of envFrom) {
      const rest = { container, key: undefined, field: 'envFrom' };
      name('Secret', secretRef?.name, { ...rest, optional: secretRef?.optional });
      name('ConfigMap', configMapRef?.name, { ...rest, optional: configMapRef?.optional });
    }
  }
  for (const volume of spec.volumes) {
    const rest = { container: undefined, key: undefined, field: `volume ${volume.name}` };
    name('Secret', volume.secret?.secretName, { ...rest, optional: volume.secret?.optional });
    name('ConfigMap', volume.configMap?.name, { ...rest, optional: volume.configMap?.optional });
    for (const { secret, configMap } of volume.projected?.sources ?? []) {
      name('Secret', secret?.name, { ...rest, optional: secret?.optional });
      name('ConfigMap', configMap?.name, { ...rest, optional: configMap?.optional });
    }
  }
  for (const { name: called } of spec.imagePullSecrets)
    if (called !== undefined)
      found.push({
        kind: 'Secret',
        name: called,
        container: undefined,
        key: undefined,
        field: 'imagePullSecrets',
        use: 'pull_secret',
      });
  return found;
}
