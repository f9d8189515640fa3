import type { z } from 'zod';
import type { Cluster, HttpRead, Listing, Named, Resource } from '../types.ts';
import { kindKey } from './kinds.ts';
import { logBytes } from './log-tail.ts';
import { createPace } from './pace.ts';
import type { BundleContent } from './read-bundle.ts';
import { isRecord } from './read-objects.ts';

export type BundleClusterParts = {
  readonly content: BundleContent;
  /** Epoch milliseconds. */
  readonly takenAt: number;
  /** File name of the bundle. */
  readonly name: string;
};

/** Sentences of objects that were not understood before the rest is only counted. */
const mostSentences = 10;
/** Lines of a kubelet's log that are answered: a text, not a stream. */
const nodeLogLines = 5000;

/** A bundle as the cluster it was taken from. Objects are parsed and trimmed when their kind is first listed. */
export function bundleCluster({ content, takenAt, name }: BundleClusterParts): Cluster {
  const { store, coverage, logs, answers, absent, nodeLogs } = content;
  // Whatever kind of object they are of: each is asked for by the resource it was made by.
  const items = new Map<Resource, Promise<Trimmed>>();

  const trimmedOf = (resource: Resource): Promise<Trimmed> => {
    const known = items.get(resource) ?? trim(resource);
    items.set(resource, known);
    return known;
  };

  const trim = async (resource: Resource): Promise<Trimmed> => {
    const pace = createPace();
    const kept: Named[] = [];
    const gaps: string[] = [];
    let more = 0;
    for (const object of await store.all(kindKey(resource.group, resource.plural), pace)) {
      const parsed = resource.schema.safeParse(object);
      if (parsed.success) kept.push(parsed.data);
      else if (gaps.length < mostSentences) gaps.push(notUnderstood(resource, object, parsed.error));
      else more += 1;
      await pace.breathe();
    }
    if (more > 0) gaps.push(`${more} more ${resource.plural} were not understood.`);
    return { items: kept, gaps };
  };

  const httpGet = async (path: string, signal: AbortSignal): Promise<HttpRead> => {
    const answer = answers.get(path);
    if (answer !== undefined) return { state: 'read', ...answer };
    // As the kubelet itself is asked for its log (NodeLogQuery).
    const node = /^\/api\/v1\/nodes\/([^/]+)\/proxy\/logs\/\?query=kubelet$/.exec(path)?.[1];
    const log = node === undefined ? undefined : nodeLogs.get(decodeURIComponent(node));
    if (log === undefined) return { state: 'unread', reason: unanswered(name) };
    const parts: Uint8Array[] = [];
    const whole = { ...log, from: 0, to: log.file.length };
    try {
      for await (const part of logBytes([whole], nodeLogLines, signal)) parts.push(part);
    } catch (error) {
      return { state: 'unread', reason: error instanceof Error ? error.message : String(error) };
    }
    return { state: 'read', status: 200, body: Buffer.concat(parts).toString('utf8') };
  };

  return {
    source: 'bundle',
    takenAt,

    async list<T extends Named>(
      resource: Resource<T>,
      { namespace }: { readonly namespace?: string } = {},
    ): Promise<Listing<T>> {
      const covered =
        namespace === undefined ? coverage.of(resource) : coverage.ofNamespace(resource, namespace);
      const trimmed = await trimmedOf(resource);
      // What a resource's schema made is what it makes: the map is by resource.
      const all = trimmed.items as readonly T[];
      const found =
        namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
      const isOwn = coverage.isCaptured(kindKey(resource.group, resource.plural));
      const gaps = isOwn ? covered.gaps : [...covered.gaps, ...trimmed.gaps];
      return {
        state: covered.state === 'read' && gaps.length > 0 ? 'partly' : covered.state,
        items: found,
        gaps,
        readAt: takenAt,
        revision: 'bundle',
      };
    },

    async get(resource, objectName, namespace) {
      const key = kindKey(resource.group, resource.plural);
      const object = await store.get(key, objectName, resource.namespaced ? namespace : undefined);
      if (object !== undefined) return { state: 'read', object, readAt: takenAt };
      const shown = `${resource.kind} ${namespace === undefined ? '' : `${namespace}/`}${objectName}`;
      if (absent.has(`${key} ${namespace ?? ''}/${objectName}`))
        return { state: 'missing', reason: `There was no ${shown} when the bundle was taken.` };
      const covered =
        namespace === undefined ? coverage.of(resource) : coverage.ofNamespace(resource, namespace);
      return covered.state === 'read' || covered.state === 'not_served'
        ? { state: 'missing', reason: `There was no ${shown} when the bundle was taken.` }
        : {
            state: 'unread',
            reason: `The bundle does not hold ${shown}. ${covered.gaps[0] ?? ''}`.trim(),
          };
    },

    watch: () => () => undefined,

    async logs(ask) {
      const pod = await store.get('pods', ask.pod, ask.namespace);
      return logs.read(ask, restartsOf(pod, ask.container));
    },

    patch: async () => ({
      state: 'read_only',
      reason: `${name} is a bundle: nothing in it can be changed.`,
    }),

    httpGet,
    status: () => {
      const version = content.version();
      return { state: 'ready', readAt: takenAt, ...(version === undefined ? {} : { version }) };
    },
    close: () => items.clear(),
  };
}

type Trimmed = { readonly items: readonly Named[]; readonly gaps: readonly string[] };

function notUnderstood(resource: Resource, object: unknown, error: z.ZodError): string {
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : {};
  const [issue] = error.issues;
  const place = [metadata.namespace, metadata.name].filter((part) => typeof part === 'string').join('/');
  return `Not understood: ${resource.kind} ${place}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`;
}

const unanswered = (name: string): string =>
  `${name} is a bundle, and holds no answer of this address: only a live cluster can be asked.`;

/** How often a container had restarted, as its pod says. */
function restartsOf(pod: unknown, container: string): number | undefined {
  const status = isRecord(pod) && isRecord(pod.status) ? pod.status : {};
  for (const list of [status.containerStatuses, status.initContainerStatuses]) {
    if (!Array.isArray(list)) continue;
    const found = list.filter(isRecord).find(({ name }) => name === container);
    if (typeof found?.restartCount === 'number') return found.restartCount;
  }
  return undefined;
}
