import { createHash } from 'node:crypto';
import type { Listing, Named, RawObject, Resource } from '../../src-main/cluster-model/index.ts';
import type { Cluster } from '../../src-main/sources/cluster/index.ts';
import { objectAccess } from './object-access.ts';

type KindOptions = {
  /** Kinds (plural, with `.group` where there is one) that end another way than `read`. */
  readonly states?: Readonly<Record<string, Pick<Listing<unknown>, 'state' | 'gaps'>>>;
  readonly source?: Cluster['source'];
  /** Epoch ms; a bundle's time. */
  readonly takenAt?: number;
  readonly logs?: Readonly<Record<string, string>>;
  /** Answers of `httpGet`, by path. */
  readonly http?: Readonly<Record<string, { status: number; body: string }>>;
  readonly writable?: boolean;
  /** Version of the API server. */
  readonly version?: string;
};

export type ObjectCluster = Cluster & {
  /** Every patch that was sent, oldest first. */
  readonly patches: { readonly name: string; readonly patch: RawObject }[];
  /** Objects of the cluster; may be changed between reads. */
  readonly objects: RawObject[];
  readonly writable: boolean;
};

/**
 * A cluster made of plain objects, read through the same schemas as a real one, for the rules of the pages. How a real
 * cluster or bundle is read is tested on those.
 */
export function objectCluster(objects: RawObject[], options: KindOptions = {}): ObjectCluster {
  const readAt = options.takenAt ?? Date.now();
  const metadataOf = (object: RawObject): Named['metadata'] => object.metadata as Named['metadata'];
  const named = (resource: Resource<Named>, name: string, namespace?: string) =>
    objects.find(
      (object) =>
        isOf(resource, object) &&
        metadataOf(object).name === name &&
        (namespace === undefined || metadataOf(object).namespace === namespace),
    );
  const patches: ObjectCluster['patches'] = [];
  return {
    patches,
    objects,
    writable: options.writable === true,
    objectAccess: objectAccess({ objects, writable: options.writable === true, merge }),
    source: options.source ?? 'kubernetes',
    takenAt: options.takenAt,
    async list(resource, { namespace } = {}) {
      const key = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
      const end = options.states?.[key] ?? { state: 'read' as const, gaps: [] };
      const items =
        end.state === 'read' || end.state === 'partly'
          ? objects
              .filter((object) => isOf(resource, object))
              .map((object) => resource.schema.parse(object))
              .filter((item) => namespace === undefined || item.metadata.namespace === namespace)
          : [];
      return {
        ...end,
        items,
        readAt,
        revision: createHash('sha1').update(JSON.stringify(items)).digest('hex'),
      };
    },
    async get(resource, name, namespace) {
      const object = named(resource, name, namespace);
      return object === undefined
        ? { state: 'missing', reason: `There is no ${resource.kind} ${name}.` }
        : { state: 'read', object, readAt };
    },
    watch: () => () => undefined,
    async logs({ namespace, pod, container }) {
      const text = options.logs?.[`${namespace}/${pod}/${container}`];
      if (text === undefined) return { state: 'missing', reason: 'There is no log.' };
      return {
        state: 'read',
        bytes: (async function* () {
          yield Buffer.from(text);
        })(),
      };
    },
    async patch(resource, ask) {
      if (options.writable !== true)
        return { state: 'read_only', reason: 'The target is not marked writable.' };
      const object = named(resource, ask.name, ask.namespace);
      if (object === undefined)
        return { state: 'missing', reason: `There is no ${resource.kind} ${ask.name}.` };
      patches.push({ name: ask.name, patch: ask.patch });
      const merged = merge(object, ask.patch);
      objects.splice(objects.indexOf(object), 1, merged);
      return { state: 'done', object: merged };
    },
    async httpGet(path) {
      const answer = options.http?.[path];
      return answer === undefined
        ? { state: 'unread', reason: 'connection refused' }
        : { state: 'read', ...answer };
    },
    status: () => ({
      state: 'ready',
      readAt,
      ...(options.version === undefined ? {} : { version: options.version }),
    }),
    close: () => undefined,
  };
}

function isOf(resource: Resource<Named>, object: RawObject): boolean {
  const group = String(object.apiVersion).includes('/') ? String(object.apiVersion).split('/')[0] : '';
  return object.kind === resource.kind && group === resource.group;
}

/** RFC 7386. */
function merge(into: RawObject, patch: RawObject): RawObject {
  const merged: Record<string, unknown> = { ...into };
  for (const [key, value] of Object.entries(patch)) {
    const old = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isObject(value) ? merge(isObject(old) ? old : {}, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
