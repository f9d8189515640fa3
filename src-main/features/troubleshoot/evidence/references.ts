import type { ObjectRef } from '#shared/api/cluster.ts';
import type { ObjectOf } from '../../../cluster-model/index.ts';
import { keyOf, resources, wasReadWhole } from '../../../cluster-model/index.ts';
import type { Cluster } from '../../../sources/cluster/index.ts';
import type { ListingsBeforeEvents } from './listings.ts';

/** An object, or a key of one, that a workload or an Ingress names and that is not what it needs, for certain. */
export type MissingReference = {
  readonly by: ObjectRef;
  readonly container: string | undefined;
  readonly missing: ObjectRef;
  readonly key: string | undefined;
  /** Field of the workload's template, or of the Ingress. */
  readonly field: string;
  /** Use of the reference: a value or a volume, the credentials of a registry, the certificate of a host. */
  readonly use: 'object' | 'pull_secret' | 'tls';
  /** `wrong_type`: of a type that is not taken for this use. */
  readonly fault: 'absent' | 'key_absent' | 'key_empty' | 'wrong_type';
  /** Type of a Secret that is of a wrong one. */
  readonly type?: string | undefined;
};

type Reference = Omit<MissingReference, 'missing' | 'by' | 'fault' | 'type'> & {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
};
type Held = {
  readonly type?: string | undefined;
  readonly data: Readonly<Record<string, string>>;
  /** Keys of a Secret that are empty. */
  readonly emptyKeys?: readonly string[];
};
type Template = ObjectOf<typeof resources.deployments>['spec']['template'];
type Item = { readonly metadata: { readonly name: string; readonly namespace?: string | undefined } };

/** Most objects looked up one by one in a bundle that does not contain all of a kind. */
const mostAsked = 200;

/** Types whose credentials the kubelet takes (kubernetes, pkg/credentialprovider/secrets). */
const pullTypes = ['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg'];

/**
 * Returns what templates of workloads and Ingresses refer to and is missing or unusable. If a kind was not
 * read completely, a bundle may still show that an object was absent when it was taken; a live cluster is not
 * queried, since that would read the values of secrets.
 */
export async function missingReferences(
  cluster: Cluster,
  listings: ListingsBeforeEvents,
): Promise<MissingReference[]> {
  const held = {
    Secret: byName(listings.secrets.items),
    ConfigMap: byName(listings.configMaps.items),
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
    const requested = cluster.get(resource, name, namespace).then(({ state }) => state === 'missing');
    absent.set(key, requested);
    return requested;
  };
  for (const { by, references } of [...templatesOf(listings), ...ingressesOf(listings)]) {
    const namespace = by.namespace ?? '';
    for (const { kind, name, ...origin } of references) {
      const object = held[kind].get(`${namespace}/${name}`);
      const missing = { kind, name, namespace };
      const tell = (fault: MissingReference['fault'], type?: string): void =>
        void found.push({ by, missing, ...origin, fault, ...(type === undefined ? {} : { type }) });
      if (object === undefined) {
        if (await isAbsent(kind, name, namespace)) tell('absent');
        continue;
      }
      const { data, type } = object;
      if (origin.use !== 'object') {
        if (!isTaken(object, origin.use)) tell('wrong_type', type);
      } else if (origin.key === undefined || Object.keys(data).length === 0) continue;
      else if (!(origin.key in data)) tell('key_absent');
      else if (isEmpty(object, origin.key, cluster.source)) tell('key_empty');
    }
  }
  return found;
}

function byName(items: readonly (Item & Held)[]): ReadonlyMap<string, Held> {
  return new Map(items.map((item) => [`${item.metadata.namespace}/${item.metadata.name}`, item]));
}

/** Returns whether a Secret serves for credentials or for a certificate; one of no known type does. */
function isTaken({ type, data }: Held, use: 'pull_secret' | 'tls'): boolean {
  if (type === undefined) return true;
  if (use === 'pull_secret') return pullTypes.includes(type);
  // Controllers take a certificate out of any type; one of the right type that lacks a key is told of as a certificate.
  if (type === 'kubernetes.io/tls') return true;
  if (pullTypes.includes(type)) return false;
  const keys = Object.keys(data);
  // A bundle may have left out keys and all.
  return keys.length === 0 || ['tls.crt', 'tls.key'].every((key) => keys.includes(key));
}

/** Returns whether a key holds nothing. A bundle may have left out all values of an object: those may be anything. */
function isEmpty({ data, emptyKeys }: Held, key: string, source: Cluster['source']): boolean {
  const keys = Object.keys(data);
  const empty = emptyKeys ?? keys.filter((each) => data[each]?.trim() === '');
  return empty.includes(key) && (source !== 'bundle' || empty.length < keys.length);
}

type Refers = { readonly by: ObjectRef; readonly references: readonly Reference[] };

function ingressesOf({ ingresses }: Pick<ListingsBeforeEvents, 'ingresses'>): Refers[] {
  return ingresses.items.map(({ metadata, spec }) => ({
    by: { kind: 'Ingress', name: metadata.name, namespace: metadata.namespace ?? '' },
    references: spec.tls.flatMap(({ secretName }, index) =>
      secretName === undefined || secretName === ''
        ? []
        : [
            {
              kind: 'Secret' as const,
              name: secretName,
              container: undefined,
              key: undefined,
              field: `spec.tls[${index}]`,
              use: 'tls' as const,
            },
          ],
    ),
  }));
}

function templatesOf(listings: ListingsBeforeEvents): Refers[] {
  return workloadTemplates(listings).map(({ by, template }) => ({ by, references: referencesOf(template) }));
}

/** The pod templates of what makes pods now: neither scaled to 0 nor suspended. */
export function workloadTemplates(
  listings: Pick<ListingsBeforeEvents, 'deployments' | 'statefulSets' | 'daemonSets' | 'cronJobs'>,
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

/** Returns the references a template requires: the target of an optional one may be missing. */
function referencesOf({ spec }: Template): Reference[] {
  if (spec === undefined) return [];
  const found: Reference[] = [];
  const name = (
    kind: Reference['kind'],
    called: string | undefined,
    rest: Pick<Reference, 'container' | 'key' | 'field'> & { readonly optional?: boolean | undefined },
  ): void => {
    const { optional, ...origin } = rest;
    if (called !== undefined && called !== '' && optional !== true)
      found.push({ kind, name: called, use: 'object', ...origin });
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
