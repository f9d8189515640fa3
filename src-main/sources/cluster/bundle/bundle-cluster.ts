import { basename } from 'node:path';
import { errorMessage } from '../../../base/error-message.ts';
import type { HttpRead, Listing, Named, Resource } from '../../../cluster-model/kinds/index.ts';
import * as resources from '../../../cluster-model/kinds/index.ts';
import type { Cluster, LogRead, ObjectRead } from '../types.ts';
import type { SharedScan } from './scan/shared-scan.ts';
import type { BundleThread } from './thread/bundle-thread.ts';

type Items = { readonly items: readonly Named[]; readonly gaps: readonly string[] };

/** A bundle as the cluster it was taken from. Of a kind that was listed once the trimmed objects are kept. */
export function bundleCluster(thread: BundleThread, path: string, scan: SharedScan): Cluster {
  const name = basename(path);
  const { takenAt, version } = thread.facts;
  const kept = new Map<Resource, Promise<Items>>();

  const itemsOf = (resource: Resource): Promise<Items> => {
    const known = kept.get(resource);
    if (known !== undefined) return known;
    const requested = readItems(thread, resource);
    kept.set(resource, requested);
    return requested;
  };

  return {
    source: 'bundle',
    takenAt,

    async list<T extends Named>(
      resource: Resource<T>,
      { namespace }: { readonly namespace?: string } = {},
    ): Promise<Listing<T>> {
      const revision = 'bundle';
      try {
        const covered = await readOne(thread.query('covered', { kind: kindOf(resource), namespace }));
        const trimmed = await itemsOf(resource);
        // What a resource's schema made is what it makes: the map is by resource.
        const all = trimmed.items as readonly T[];
        const items =
          namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
        const gaps = covered.isCaptured ? covered.gaps : [...covered.gaps, ...trimmed.gaps];
        const state = covered.state === 'read' && gaps.length > 0 ? 'partly' : covered.state;
        const { readIn } = covered;
        return {
          state,
          items,
          gaps,
          readAt: takenAt,
          revision,
          ...(readIn === undefined || (trimmed.gaps.length > 0 && !covered.isCaptured) ? {} : { readIn }),
        };
      } catch (error) {
        return { state: 'unavailable', items: [], gaps: [errorMessage(error)], readAt: takenAt, revision };
      }
    },

    async get(resource, objectName, namespace): Promise<ObjectRead> {
      const { group, plural, kind, namespaced } = resource;
      const shown = `${kind} ${namespace === undefined ? '' : `${namespace}/`}${objectName}`;
      const missing = {
        state: 'missing',
        reason: `There was no ${shown} when the bundle was taken.`,
      } as const;
      try {
        const found = await readOne(
          thread.query('object', {
            group,
            plural,
            name: objectName,
            namespace: namespaced ? namespace : undefined,
          }),
        );
        if (found.json !== undefined)
          return { state: 'read', object: JSON.parse(found.json), readAt: takenAt };
        if (found.isAbsent) return missing;
        const { state, gaps } = await readOne(thread.query('covered', { kind: kindOf(resource), namespace }));
        if (state === 'read' || state === 'not_served') return missing;
        return {
          state: 'unread',
          reason: `The bundle does not hold ${shown}. ${gaps[0] ?? ''}`.trim(),
        };
      } catch (error) {
        return { state: 'unread', reason: errorMessage(error) };
      }
    },

    async kinds() {
      return {
        state: 'read',
        kinds: thread.facts.kinds.map((kind) => ({ ...kind, shortNames: [] })),
        gaps: [],
        readAt: takenAt,
      };
    },

    async table({ signal, ...request }) {
      const { kind, namespace } = request;
      try {
        const covered = await readOne(thread.query('covered', { kind, namespace }, signal));
        if (covered.state === 'not_served' || covered.state === 'not_collected')
          return { state: covered.state, reason: covered.gaps[0] ?? `The bundle holds no ${kind.plural}.` };
        const { gaps, ...page } = await readOne(thread.query('table', request, signal));
        const all = [...new Set([...covered.gaps, ...gaps])];
        return { state: all.length === 0 ? 'read' : 'partly', ...page, gaps: all, readAt: takenAt };
      } catch (error) {
        return { state: 'unavailable', reason: errorMessage(error) };
      }
    },

    count: async ({ group, plural }) =>
      thread.facts.kinds.find((each) => each.group === group && each.plural === plural)?.count,

    watch: () => () => undefined,

    async logs({ signal, ...request }): Promise<LogRead> {
      const parts = thread.query('log', request, signal);
      try {
        const { value: first } = await parts.next();
        if (first === undefined) return { state: 'unread', reason: 'The reading of the log was ended.' };
        if (first.state === 'missing' || first.state === 'unread') return first;
        return { state: 'read', bytes: bytesOf(parts) };
      } catch (error) {
        return { state: 'unread', reason: errorMessage(error) };
      }
    },

    scanLogs: (request) => scan.scanLogs(request),

    patch: async () => ({
      state: 'read_only',
      reason: `${name} is a bundle: nothing in it can be changed.`,
    }),

    may: async () => false,

    async httpGet(address, signal): Promise<HttpRead> {
      try {
        return await readOne(thread.query('http', { path: address }, signal));
      } catch (error) {
        return { state: 'unread', reason: errorMessage(error) };
      }
    },

    status: () => {
      const fault = thread.fault();
      if (fault !== undefined) return { state: 'unreachable', detail: fault };
      return { state: 'ready', readAt: takenAt, ...(version === undefined ? {} : { version }) };
    },
    close: () => kept.clear(),
  };
}

const kindOf = ({ group, plural, namespaced }: Resource) => ({ group, plural, namespaced });

async function readItems(thread: BundleThread, resource: Resource): Promise<Items> {
  const index = resources.everyKind.indexOf(resource);
  if (index < 0) throw new Error(`${resource.kind} is none of the kinds that the console reads.`);
  const items: Named[] = [];
  const gaps: string[] = [];
  for await (const part of thread.query('items', { resource: index })) {
    items.push(...part.items);
    gaps.push(...part.gaps);
  }
  return { items, gaps };
}

/** The one part of an answer that has one. Throws when it was ended before. */
async function readOne<T>(parts: AsyncGenerator<T>): Promise<T> {
  for await (const part of parts) return part;
  throw new Error('The reading was ended before it was done.');
}

async function* bytesOf(
  parts: AsyncIterable<{ readonly state: string; readonly bytes?: Uint8Array }>,
): AsyncGenerator<Uint8Array> {
  for await (const { bytes } of parts) if (bytes !== undefined) yield bytes;
}
