import { builtInOf } from './built-in-kinds.ts';
import { customVersion } from './custom-kinds.ts';
import { groupVersion, isJsonObject } from './object-fields.ts';
import { reviewKinds } from './reviews.ts';
import { verbsOf } from './verbs.ts';
import type { KubeKind, World } from './world.ts';

/** A kind with what can be done with it. */
type Served = {
  readonly kind: KubeKind;
  readonly verbs: readonly string[];
  readonly subresources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly verbs: readonly string[];
    /** Of the kind, where it is not of the resource's own group. */
    readonly group?: string;
    readonly version?: string;
  }[];
};

/** Kinds as discovery tells them: what the world keeps, and the reviews. */
async function served(world: World): Promise<readonly Served[]> {
  const writable = world.write !== undefined;
  const kinds = await Promise.all(
    world.kinds().map(async (kind) => ({
      kind,
      verbs: verbsOf(kind, writable),
      subresources: [
        ...((await hasStatus(world, kind))
          ? [{ name: 'status', kind: kind.kind, verbs: writable ? ['get', 'patch', 'update'] : ['get'] }]
          : []),
        ...((await hasScale(world, kind))
          ? [{ name: 'scale', kind: 'Scale', verbs: writable ? ['get', 'patch', 'update'] : ['get'] }]
          : []),
        ...(kind.group === '' && kind.plural === 'pods'
          ? [
              ...(writable
                ? [{ name: 'eviction', kind: 'Eviction', verbs: ['create'], group: 'policy', version: 'v1' }]
                : []),
              { name: 'log', kind: 'Pod', verbs: ['get'] },
              ...(world.portOf === undefined
                ? []
                : [
                    { name: 'portforward', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
                    { name: 'proxy', kind: 'PodProxyOptions', verbs: ['get'] },
                  ]),
            ]
          : []),
        ...(kind.group === '' && kind.plural === 'services' && world.portOf !== undefined
          ? [{ name: 'proxy', kind: 'ServiceProxyOptions', verbs: ['get'] }]
          : []),
      ],
    })),
  );
  return [...kinds, ...reviewKinds.map((kind) => ({ kind, verbs: ['create'], subresources: [] }))];
}

/**
 * Returns whether a kind's status is written on its own: built-in kinds by their table, custom ones as their definition
 * says.
 */
export async function hasStatus(world: World, kind: KubeKind): Promise<boolean> {
  const builtIn = builtInOf(kind);
  if (builtIn !== undefined) return builtIn.hasStatus;
  const version = await customVersionOf(world, kind);
  return isJsonObject(version?.subresources) && version.subresources.status !== undefined;
}

const scaled = ['deployments', 'replicasets', 'statefulsets'];

/** Returns whether a kind is scaled through its own subresource: built-in ones, and custom ones as their definition says. */
export async function hasScale(world: World, kind: KubeKind): Promise<boolean> {
  if (kind.group === 'apps') return scaled.includes(kind.plural);
  const version = await customVersionOf(world, kind);
  return isJsonObject(version?.subresources) && version.subresources.scale !== undefined;
}

/** Returns the entry for a custom kind's version in its definition; undefined without one. */
export async function customVersionOf(world: World, { group, version, plural }: KubeKind) {
  const definitions = world.kinds().find((kind) => kind.plural === 'customresourcedefinitions');
  if (definitions === undefined || group === '') return undefined;
  const definition = await world.get(definitions, `${plural}.${group}`);
  return definition === undefined ? undefined : customVersion(definition, version);
}

/** `/version`. */
export function versionInfo(version: string): object {
  const [, major = '', minor = ''] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return {
    major,
    minor,
    gitVersion: version,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '',
    goVersion: '',
    compiler: '',
    platform: '',
  };
}

/** `/api`. */
export function apiVersions(address: string): object {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** `/apis`. */
export function groupList(world: World): object {
  const groups = groupsOf(world).filter((group) => group !== '');
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: groups.map((group) => groupEntry(world, group)),
  };
}

/** `/apis/GROUP`; undefined for one that is not served. */
export function oneGroup(world: World, group: string): object | undefined {
  return groupsOf(world).includes(group) && group !== ''
    ? { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(world, group) }
    : undefined;
}

function groupEntry(world: World, group: string): object {
  const versions = versionsOf(world, group).map((version) => ({
    groupVersion: `${group}/${version}`,
    version,
  }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function groupsOf(world: World): string[] {
  return [...new Set([...world.kinds(), ...reviewKinds].map(({ group }) => group))];
}

function versionsOf(world: World, group: string): string[] {
  const kinds = [...world.kinds(), ...reviewKinds].filter((kind) => kind.group === group);
  return [...new Set(kinds.map(({ version }) => version))].sort(byPriority);
}

/** GA before beta before alpha, each by number, newest first (Kubernetes, version priority). */
function byPriority(a: string, b: string): number {
  const rank = (version: string): readonly number[] => {
    const [, major = '0', stage = 'z', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    return [stage === 'z' ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)];
  };
  const [left, right] = [rank(a), rank(b)];
  for (const index of [0, 1, 2]) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `/api/v1` and `/apis/GROUP/VERSION`; undefined for a group version that is not served. */
export async function resourceList(
  world: World,
  group: string,
  version: string,
): Promise<object | undefined> {
  const kinds = (await served(world)).filter(({ kind }) => kind.group === group && kind.version === version);
  if (kinds.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: groupVersion({ group, version }),
    resources: kinds.flatMap(({ kind, verbs, subresources }) => [
      {
        name: kind.plural,
        singularName: kind.kind.toLowerCase(),
        namespaced: kind.namespaced,
        kind: kind.kind,
        verbs,
        ...namesOf(kind),
      },
      ...subresources.map((part) => ({
        name: `${kind.plural}/${part.name}`,
        singularName: '',
        namespaced: kind.namespaced,
        ...(part.group === undefined ? {} : { group: part.group, version: part.version }),
        kind: part.kind,
        verbs: part.verbs,
      })),
    ]),
  };
}

function namesOf(kind: KubeKind) {
  return {
    ...(kind.shortNames === undefined ? {} : { shortNames: kind.shortNames }),
    ...(builtInOf(kind)?.inAll === true ? { categories: ['all'] } : {}),
  };
}

/** Everything of `/api` (the core group) or `/apis` (the others) in one answer (apidiscovery.k8s.io/v2). */
export async function aggregatedDiscovery(world: World, core: boolean): Promise<object> {
  const kinds = await served(world);
  const groups = groupsOf(world).filter((group) => (group === '') === core);
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: versionsOf(world, group).map((version) => ({
        version,
        resources: kinds
          .filter(({ kind }) => kind.group === group && kind.version === version)
          .map((each) => discoveryEntry(each)),
        freshness: 'Current',
      })),
    })),
  };
}

function discoveryEntry({ kind, verbs, subresources }: Served): object {
  return {
    resource: kind.plural,
    responseKind: { group: '', version: '', kind: kind.kind },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.kind.toLowerCase(),
    verbs,
    ...namesOf(kind),
    ...(subresources.length === 0
      ? {}
      : {
          subresources: subresources.map((part) => ({
            subresource: part.name,
            responseKind: { group: part.group ?? '', version: part.version ?? '', kind: part.kind },
            verbs: part.verbs,
          })),
        }),
  };
}
