import { isRecord } from '../../../cluster-model/index.ts';
import type { Listing, Named, RawObject, Resource } from '../../../cluster-model/kinds/index.ts';
import type { Cluster } from '../types.ts';
import type { TextFacts } from './read-text.ts';

const reason = 'A text holds no more than it shows.';

/** A cluster of the objects that a text shows. Of a kind it shows nothing of, nothing is known. */
export function textCluster({ objects, listed, newest }: TextFacts, now: () => number): Cluster {
  const readAt = newest ?? now();
  const byKind = new Map<string, RawObject[]>();
  for (const object of objects) {
    const kind = String(object.kind);
    const own = byKind.get(kind);
    if (own === undefined) byKind.set(kind, [object]);
    else own.push(object);
  }
  const kept = new Map<Resource<Named>, Listing<Named>>();

  const listingOf = (resource: Resource<Named>): Listing<Named> => {
    const own = (byKind.get(resource.kind) ?? []).filter((object) => isOf(resource, object));
    const base = { readAt, revision: 'text' };
    if (own.length === 0)
      return { ...base, state: 'not_collected', items: [], gaps: [`The text shows no ${resource.kind}.`] };
    const items: Named[] = [];
    let unread = 0;
    for (const object of own) {
      const read = resource.schema.safeParse(withParts(object));
      if (read.success) items.push(read.data);
      else unread += 1;
    }
    const namespaces = [...new Set(items.map(({ metadata }) => metadata.namespace ?? ''))];
    return {
      ...base,
      state: 'partly',
      items,
      gaps: [
        // Only a whole list says that what is not in it was not there.
        listed.has(resource.kind)
          ? `The text holds only some namespaces of ${resource.plural}.`
          : `The text shows some ${resource.plural}, not all${namespaces.join('') === '' ? '' : ` of ${namespaces.join(', ')}`}.`,
        ...(unread > 0
          ? [`Not read: ${unread} ${resource.plural} of the text, whose fields are not whole.`]
          : []),
      ],
    };
  };

  return {
    source: 'text',
    takenAt: readAt,
    async list<T extends Named>(
      resource: Resource<T>,
      { namespace }: { readonly namespace?: string } = {},
    ): Promise<Listing<T>> {
      const known = kept.get(resource) ?? listingOf(resource);
      kept.set(resource, known);
      // What a resource's schema made is what it makes: the map is by resource.
      const all = known.items as readonly T[];
      return {
        ...known,
        items: namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace),
      };
    },
    get: async (resource, name, namespace) => {
      const found = (byKind.get(resource.kind) ?? []).find(
        ({ metadata }) =>
          isRecord(metadata) && metadata.name === name && (metadata.namespace ?? undefined) === namespace,
      );
      return found === undefined ? { state: 'unread', reason } : { state: 'read', object: found, readAt };
    },
    watch: () => () => undefined,
    logs: async () => ({ state: 'unread', reason }),
    patch: async () => ({ state: 'read_only', reason: 'A text cannot be changed.' }),
    may: async () => false,
    httpGet: async () => ({ state: 'unread', reason }),
    status: () => ({ state: 'ready', readAt }),
    close: () => kept.clear(),
  };
}

function isOf({ group }: Resource<Named>, { apiVersion }: RawObject): boolean {
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  const own = version.includes('/') ? version.slice(0, version.indexOf('/')) : '';
  // Old versions of workloads and Ingresses were of another group; a text may have lost its head.
  return own === group || version === '' || own === 'extensions';
}

/** A text that breaks off may lack the parts of an object that every one has. */
function withParts(object: RawObject): RawObject {
  const { kind, spec, status } = object;
  const needsStatus = kind === 'Pod';
  return {
    ...object,
    ...(isRecord(spec) || kind === 'Event' || kind === 'Secret' || kind === 'ConfigMap' ? {} : { spec: {} }),
    ...(isRecord(status) || !needsStatus ? {} : { status: {} }),
  };
}
