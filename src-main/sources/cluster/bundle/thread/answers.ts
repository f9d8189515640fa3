import type { z } from 'zod';
import { errorMessage } from '../../../../base/error-message.ts';
import { isRecord } from '../../../../cluster-model/index.ts';
import type { HttpRead, Named, RawObject, Resource } from '../../../../cluster-model/kinds/index.ts';
import * as resources from '../../../../cluster-model/kinds/index.ts';
import { logBytes } from '../logs/log-tail.ts';
import { kindKey } from '../objects/kind-key.ts';
import { bundleTable } from '../objects/table.ts';
import { createPace } from '../pace.ts';
import type { BundleContent } from '../read-bundle.ts';
import type { Answers } from './questions.ts';

/** Sentences of objects that were not understood before the rest is only counted. */
const mostSentences = 10;
/** Lines of a kubelet's log that are answered: a text, not a stream. */
const nodeLogLines = 5000;
/** Items, and bytes of their text, that are handed over at a time: what takes them over is held for some milliseconds. */
const atATime = { items: 100, bytes: 512 * 1024 };

/** Answers of what was read of a bundle; `name` is its file's, `takenAt` in epoch milliseconds. */
export function createAnswers(content: BundleContent, name: string, takenAt: number): Answers {
  const { store, coverage, logs, absent } = content;
  return {
    async *items({ resource: index }, signal) {
      const resource = resources.everyKind[index];
      if (resource === undefined) return;
      const { items, gaps } = await trimmed(content, resource, signal);
      yield { items: [], gaps };
      for (const part of parts(items, ({ length }) => length))
        yield { items: part.map(({ item }) => item), gaps: [] };
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
        json: found === undefined ? undefined : JSON.stringify(found.object),
        isAbsent: absent.has(`${key} ${namespace ?? ''}/${objectName}`),
      };
    },

    async *objects({ group, plural, namespace }, signal) {
      let waiting: RawObject[] = [];
      let bytes = 0;
      for await (const stored of store.all(kindKey(group, plural), createPace(signal), namespace)) {
        if (stored.object === undefined) continue;
        waiting.push(stored.object);
        bytes += stored.length;
        if (waiting.length < atATime.items && bytes < atATime.bytes) continue;
        yield waiting;
        waiting = [];
        bytes = 0;
      }
      yield waiting;
    },

    async *table(request, signal) {
      yield await bundleTable(content, request, takenAt, signal);
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

type Trimmed = { readonly key: string; readonly item: Named; readonly length: number };

/** All of a kind with the fields that are read: each object is trimmed before the next one is unpacked. */
async function trimmed(
  { store }: BundleContent,
  resource: Resource,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Trimmed[]; readonly gaps: readonly string[] }> {
  const kept: Trimmed[] = [];
  const gaps: string[] = [];
  let more = 0;
  const tell = (sentence: string): void => {
    if (gaps.length === mostSentences) more += 1;
    else gaps.push(sentence);
  };
  const key = kindKey(resource.group, resource.plural);
  for await (const stored of store.all(key, createPace(signal))) {
    if (stored.object === undefined) {
      tell(stored.problem);
      continue;
    }
    const parsed = resource.schema.safeParse(stored.object);
    if (parsed.success) kept.push({ key: stored.key, item: parsed.data, length: stored.length });
    else tell(notUnderstood(resource, stored.object, parsed.error));
  }
  if (more > 0) gaps.push(`${more} more ${resource.plural} were not understood.`);
  kept.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { items: kept, gaps };
}

/** Splits into parts of about as much as is handed over at a time. */
function* parts<T>(items: readonly T[], lengthOf: (item: T) => number): Generator<T[]> {
  let part: T[] = [];
  let bytes = 0;
  for (const item of items) {
    part.push(item);
    bytes += lengthOf(item);
    if (part.length < atATime.items && bytes < atATime.bytes) continue;
    yield part;
    part = [];
    bytes = 0;
  }
  if (part.length > 0) yield part;
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
    return { state: 'unread', reason: errorMessage(error) };
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
