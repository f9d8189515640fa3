import { randomUUID } from 'node:crypto';
import { rfc3339 } from './ages.ts';
import { builtInKinds, builtInOf, metricsKinds } from './built-in-kinds.ts';
import { customKinds, withEstablished } from './custom-kinds.ts';
import { createMemoryLogs, type MemoryLogs } from './memory-logs.ts';
import { byNamespaceAndName, groupOf, objectAt, sameValue } from './object-fields.ts';
import type { KubeKind, KubeObject, World, WorldChange } from './world.ts';

/** A world that is kept in memory and can be changed. */
export type MemoryWorld = World & {
  readonly write: NonNullable<World['write']>;
  /** Makes an object, or takes the place of the one of the same name. Throws an Error for a kind that is not served. */
  put(object: KubeObject): Promise<KubeObject>;
  readonly containerLogs: MemoryLogs;
};

export type MemoryWorldOptions = {
  /** Default `v1.36.2`. */
  readonly version?: string;
  /** Kinds beside the built-in ones, those of the CRDs in it and, where there are such objects, metrics. */
  readonly kinds?: readonly KubeKind[];
  /** Logs by `namespace/pod/container`; of the run before the last restart by `namespace/pod/container/previous`. */
  readonly logs?: Readonly<Record<string, string>>;
  /** Returns the server behind a pod's port. */
  readonly portOf?: NonNullable<World['portOf']>;
  /** Epoch ms. */
  readonly now?: () => number;
};

/**
 * A writable world that begins with the given objects. What a server adds to an object (uid, creation time, revision,
 * generation) is added where it is missing. Throws an Error for an object of a kind that it does not serve.
 */
export function memoryWorld(
  objects: readonly KubeObject[] = [],
  options: MemoryWorldOptions = {},
): MemoryWorld {
  const { now = Date.now } = options;
  const stores = new Map<string, Store>();
  const listeners = new Set<(change: WorldChange) => void>();
  const containerLogs = createMemoryLogs(options.logs ?? {}, now);
  let revision = 0;
  let kinds: readonly KubeKind[] | undefined;

  const storeOf = ({ group, plural }: KubeKind): Store => {
    const key = `${group}/${plural}`;
    const known = stores.get(key);
    if (known !== undefined) return known;
    const made: Store = { objects: new Map(), sorted: undefined };
    stores.set(key, made);
    return made;
  };
  const definitions = (): readonly KubeObject[] => [
    ...(stores.get('apiextensions.k8s.io/customresourcedefinitions')?.objects.values() ?? []),
  ];
  const servedKinds = (): readonly KubeKind[] => {
    kinds ??= unique([
      ...builtInKinds,
      ...(options.kinds ?? []),
      ...definitions().flatMap(customKinds),
      ...metricsKinds.filter((kind) => (stores.get(`${kind.group}/${kind.plural}`)?.objects.size ?? 0) > 0),
    ]);
    return kinds;
  };

  const keep = (type: WorldChange['type'], kind: KubeKind, given: KubeObject): KubeObject => {
    const store = storeOf(kind);
    const key = keyOf(given.metadata.name, kind.namespaced ? given.metadata.namespace : undefined);
    const previous = store.objects.get(key);
    revision += 1;
    const object = { ...given, metadata: { ...given.metadata, resourceVersion: String(revision) } };
    if (type === 'DELETED') store.objects.delete(key);
    else store.objects.set(key, object);
    store.sorted = undefined;
    if (kind.plural === 'customresourcedefinitions' || kind.group === 'metrics.k8s.io') kinds = undefined;
    const change: WorldChange = {
      type,
      kind,
      object,
      revision,
      ...(previous === undefined ? {} : { previous }),
    };
    for (const listener of listeners) listener(change);
    return object;
  };

  const completed = (kind: KubeKind, given: KubeObject, previous: KubeObject | undefined): KubeObject => {
    const { metadata } = given;
    const counted = hasGeneration(kind, given);
    const generation = Number(previous?.metadata.generation ?? metadata.generation ?? 1);
    const changed = previous !== undefined && !sameValue(previous.spec, given.spec);
    return withEstablished(
      {
        ...given,
        metadata: {
          ...metadata,
          uid: previous?.metadata.uid ?? metadata.uid ?? randomUUID(),
          ...(counted ? { generation: changed ? generation + 1 : generation } : {}),
          creationTimestamp:
            previous?.metadata.creationTimestamp ?? metadata.creationTimestamp ?? rfc3339(now()),
          ...namespaceLabel(kind, given),
        },
        ...(kind.kind === 'Namespace' && kind.group === ''
          ? {
              spec: { finalizers: ['kubernetes'], ...objectAt(given, 'spec') },
              status: { phase: 'Active', ...objectAt(given, 'status') },
            }
          : {}),
        // A Pod that nothing has looked at yet.
        ...(kind.kind === 'Pod' && kind.group === ''
          ? { status: { phase: 'Pending', ...objectAt(given, 'status') } }
          : {}),
      },
      now(),
    );
  };

  const remove = async (kind: KubeKind, name: string, namespace?: string) => {
    const object = storeOf(kind).objects.get(keyOf(name, kind.namespaced ? namespace : undefined));
    if (object === undefined) return undefined;
    for (const { kind: other, object: part } of partsOf(kind, name))
      await remove(other, part.metadata.name, part.metadata.namespace);
    return keep('DELETED', kind, object);
  };
  /**
   * Returns the dependents deleted with an object: everything in a namespace, all objects of a definition.
   */
  const partsOf = (kind: KubeKind, name: string): { kind: KubeKind; object: KubeObject }[] => {
    const within =
      kind.group === '' && kind.plural === 'namespaces'
        ? servedKinds().filter(({ namespaced }) => namespaced)
        : kind.plural === 'customresourcedefinitions'
          ? servedKinds().filter(({ group, plural }) => `${plural}.${group}` === name)
          : [];
    return within.flatMap((other) =>
      [...storeOf(other).objects.values()]
        .filter(({ metadata }) => kind.plural !== 'namespaces' || metadata.namespace === name)
        .map((object) => ({ kind: other, object })),
    );
  };

  const put = (object: KubeObject): KubeObject => {
    const kind =
      servedKinds().find((each) => each.kind === object.kind && each.group === groupOf(object.apiVersion)) ??
      metricsKinds.find((each) => each.kind === object.kind && each.group === groupOf(object.apiVersion));
    if (kind === undefined)
      throw new Error(`The world does not serve the kind ${object.kind} of ${object.apiVersion}.`);
    const previous = storeOf(kind).objects.get(
      keyOf(object.metadata.name, kind.namespaced ? object.metadata.namespace : undefined),
    );
    return keep(previous === undefined ? 'ADDED' : 'MODIFIED', kind, completed(kind, object, previous));
  };

  // Definitions first, so that the objects of their kinds find them.
  for (const object of [...objects].sort((a, b) => Number(isDefinition(b)) - Number(isDefinition(a))))
    put(object);

  return {
    version: options.version ?? 'v1.36.2',
    kinds: servedKinds,
    async list(kind, namespace) {
      const store = storeOf(kind);
      store.sorted ??= [...store.objects.values()].sort(byNamespaceAndName);
      return namespace === undefined
        ? store.sorted
        : store.sorted.filter(({ metadata }) => metadata.namespace === namespace);
    },
    async get(kind, name, namespace) {
      return storeOf(kind).objects.get(keyOf(name, kind.namespaced ? namespace : undefined));
    },
    revision: () => revision,
    logs: (request) => containerLogs.read(request),
    ...(options.portOf === undefined ? {} : { portOf: options.portOf }),
    put: async (object) => put(object),
    containerLogs,
    write: {
      create: async (kind, object) => keep('ADDED', kind, completed(kind, object, undefined)),
      async replace(kind, object) {
        const { name, namespace } = object.metadata;
        const previous = storeOf(kind).objects.get(keyOf(name, kind.namespaced ? namespace : undefined));
        const next = completed(kind, object, previous);
        // As a real server: what changes nothing makes no revision and no event.
        return previous !== undefined && sameValue(unversioned(previous), unversioned(next))
          ? previous
          : keep('MODIFIED', kind, next);
      },
      remove,
      subscribe(onChange) {
        listeners.add(onChange);
        return () => void listeners.delete(onChange);
      },
    },
  };
}

type Store = {
  readonly objects: Map<string, KubeObject>;
  /** By namespace and name; undefined when it must be sorted again. */
  sorted: readonly KubeObject[] | undefined;
};

function keyOf(name: string, namespace = ''): string {
  return `${namespace}/${name}`;
}

/** One of each; the first wins, so that a built-in kind keeps its short names. */
function unique(kinds: readonly KubeKind[]): readonly KubeKind[] {
  const byName = new Map<string, KubeKind>();
  for (const kind of kinds) {
    const name = `${kind.group}/${kind.plural}/${kind.version}`;
    if (!byName.has(name)) byName.set(name, kind);
  }
  return [...byName.values()];
}

function isDefinition({ kind }: KubeObject): boolean {
  return kind === 'CustomResourceDefinition';
}

/** Counted for what has a wanted state that a controller works towards. */
function hasGeneration(kind: KubeKind, object: KubeObject): boolean {
  if (object.spec === undefined) return false;
  return builtInOf(kind) === undefined || kind.group !== '' || kind.plural === 'pods';
}

/** The label that each namespace has of its own name. */
function namespaceLabel(kind: KubeKind, { metadata }: KubeObject) {
  return kind.group === '' && kind.plural === 'namespaces'
    ? { labels: { 'kubernetes.io/metadata.name': metadata.name, ...metadata.labels } }
    : {};
}

function unversioned(object: KubeObject): object {
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}
