import type { z } from 'zod';
import type { HttpRead, Named, RawObject, Resource } from '../../../../cluster-model/kinds/index.ts';
import * as resources from '../../../../cluster-model/kinds/index.ts';
import { messageOf } from '../bundle-error.ts';
import { logBytes } from '../logs/log-tail.ts';
import { kindKey } from '../objects/kind-key.ts';
import { isRecord } from '../objects/read-objects.ts';
import { createPace } from '../pace.ts';
import type { BundleContent } from '../read-bundle.ts';
import type { Answers } from './questions.ts';

/** Sentences of objects that were not understood before the rest is only counted. */
const mostSentences = 10;
/** Lines of a kubelet's log that are answered: a text, not a stream. */
const nodeLogLines = 5000;
/** Items that are handed over at a time: what takes them over is held for some milliseconds by so many. */
const itemsAtATime = 100;
/** Whole objects can be large: a ConfigMap may have 1 MB. */
const objectsAtATime = 25;

/** Answers of what was read of a bundle; `name` is its file's. */
export function createAnswers(content: BundleContent, name: string): Answers {
  const { store, coverage, logs, absent } = content;
  return {
    async *items({ resource: index }, signal) {
      const resource = resources.everyKind[index];
      if (resource === undefined) return;
      const { items, gaps } = await trimmed(content, resource, signal);
      yield { items: [], gaps };
      for (let from = 0; from < items.length; from += itemsAtATime)
        yield { items: items.slice(from, from + itemsAtATime), gaps: [] };
    },

    async *covered({ kind, namespace }) {
      const covered = namespace === undefined ? coverage.of(kind) : coverage.ofNamespace(kind, namespace);
      yield { ...covered, isCaptured: coverage.isCaptured(kindKey(kind.group, kind.plural)) };
    },

    async *object({ group, plural, name: objectName, namespace }) {
      const key = kindKey(group, plural);
      const found = await store.get(key, objectName, namespace);
      if (found?.problem !== undefined) throw new Error(found.problem);
      yield {
        object: found?.object,
        isAbsent: absent.has(`${key} ${namespace ?? ''}/${objectName}`),
      };
    },

    async *objects({ group, plural, namespace }, signal) {
      let waiting: RawObject[] = [];
      for await (const { object } of store.all(kindKey(group, plural), createPace(signal), namespace)) {
        if (object === undefined) continue;
        waiting.push(object);
        if (waiting.length < objectsAtATime) continue;
        yield waiting;
        waiting = [];
      }
      yield waiting;
    },

    async *origin({ group, plural, name: objectName, namespace }) {
      yield store.origin(kindKey(group, plural), objectName, namespace);
    },

    async *log(request, signal) {
      const pod = await store.get('pods', request.pod, request.namespace);
      const read = await logs.read({ ...request, signal }, restartsOf(pod?.object, request.container));
      if (read.state !== 'read') {
        yield read;
        return;
      }
      yield { state: 'read' };
      for await (const bytes of read.bytes) yield { state: 'bytes', bytes };
    },

    async *http({ path }, signal) {
      yield await httpRead(content, name, path, signal);
    },
  };
}

/** All of a kind with the fields that are read: each object is trimmed before the next one is unpacked. */
async function trimmed(
  { store }: BundleContent,
  resource: Resource,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Named[]; readonly gaps: readonly string[] }> {
  const kept: { readonly key: string; readonly item: Named }[] = [];
  const gaps: string[] = [];
  let more = 0;
  const key = kindKey(resource.group, resource.plural);
  for await (const stored of store.all(key, createPace(signal))) {
    const parsed = stored.object === undefined ? undefined : resource.schema.safeParse(stored.object);
    if (parsed?.success) kept.push({ key: stored.key, item: parsed.data });
    else if (gaps.length === mostSentences) more += 1;
    else gaps.push(parsed ? notUnderstood(resource, stored.object, parsed.error) : (stored.problem ?? ''));
  }
  if (more > 0) gaps.push(`${more} more ${resource.plural} were not understood.`);
  kept.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { items: kept.map(({ item }) => item), gaps };
}

async function httpRead(
  { answers, nodeLogs }: BundleContent,
  name: string,
  path: string,
  signal: AbortSignal,
): Promise<HttpRead> {
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
    return { state: 'unread', reason: messageOf(error) };
  }
  return { state: 'read', status: 200, body: Buffer.concat(parts).toString('utf8') };
}

function notUnderstood(resource: Resource, object: unknown, error: z.ZodError): string {
  const metadata = isRecord(object) && isRecord(object.metadata) ? object.metadata : {};
  const [issue] = error.issues;
  const name = [metadata.namespace, metadata.name].filter((part) => typeof part === 'string').join('/');
  return `Not understood: ${resource.kind} ${name}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}.`;
}

const unanswered = (name: string): string =>
  `${name} is a bundle, and holds no answer of this address: only a live cluster can be asked.`;

/** Returns a container's restart count from its pod's status. */
function restartsOf(pod: unknown, container: string): number | undefined {
  const status = isRecord(pod) && isRecord(pod.status) ? pod.status : {};
  for (const list of [status.containerStatuses, status.initContainerStatuses]) {
    if (!Array.isArray(list)) continue;
    const found = list.filter(isRecord).find(({ name }) => name === container);
    if (typeof found?.restartCount === 'number') return found.restartCount;
  }
  return undefined;
}
