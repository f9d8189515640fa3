import type { ServerResponse } from 'node:http';
import { isTrue } from './addresses.ts';
import type { Faults } from './faults.ts';
import { countOf } from './lists.ts';
import { listAt, objectAt, textAt } from './object-fields.ts';
import { badRequest, failure } from './status.ts';
import type { KubeObject, World } from './world.ts';

type LogOptions = {
  readonly world: World;
  readonly pod: KubeObject;
  readonly query: URLSearchParams;
  readonly faults: Faults;
  /** Epoch ms. */
  readonly now: number;
};

/** Streams a container's log as `kubectl logs` asks for it. Throws the Status that a kubelet's refusal becomes. */
export async function sendLogs(response: ServerResponse, options: LogOptions): Promise<void> {
  const { world, pod, query, now } = options;
  const { name, namespace = '' } = pod.metadata;
  const container = containerOf(pod, query.get('container'));
  const previous = isTrue(query.get('previous'));
  // As a kubelet: the log of what has ended ends, too.
  const follow = isTrue(query.get('follow')) && !previous && !hasEnded(pod, container);
  const sinceSeconds = countOf(query, 'sinceSeconds');
  const sinceTime = query.get('sinceTime') ?? '';
  const after =
    sinceTime === '' ? (sinceSeconds === 0 ? undefined : now - sinceSeconds * 1000) : Date.parse(sinceTime);
  const timestamps = isTrue(query.get('timestamps'));
  const ended = new AbortController();
  const bytes = await world.logs({
    namespace,
    pod: name,
    container,
    previous,
    follow,
    timestamps: timestamps || after !== undefined,
    signal: ended.signal,
  });
  if (bytes === undefined && !textAt(objectAt(pod, 'spec'), 'nodeName')) {
    // As a real server, which has no kubelet to ask for a pod that is on no node.
    response.writeHead(204).end();
    return;
  }
  if (bytes === undefined)
    throw failure({
      code: 404,
      reason: 'NotFound',
      message: `there is no ${previous ? 'previous ' : ''}log of container "${container}" in pod "${name}"`,
      details: { name, kind: 'pods' },
    });
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' });
  response.flushHeaders();
  const closed = options.faults.opened(() => response.socket?.destroy());
  response.once('close', () => {
    closed();
    ended.abort();
  });
  const tail = query.has('tailLines') ? countOf(query, 'tailLines') : undefined;
  const pieces = selected(bytes, { follow, tail, after, timestamps });
  let left = countOf(query, 'limitBytes') || Number.POSITIVE_INFINITY;
  for await (const piece of pieces) {
    const part = piece.subarray(0, left);
    left -= part.length;
    if (!response.write(part))
      await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
    if (left === 0 || response.destroyed) break;
  }
  response.end();
}

type Selection = {
  readonly follow: boolean;
  readonly tail: number | undefined;
  /** Epoch ms; lines without a known time are kept. */
  readonly after: number | undefined;
  readonly timestamps: boolean;
};

async function* selected(
  bytes: AsyncIterable<Uint8Array>,
  { follow, tail, after, timestamps }: Selection,
): AsyncIterable<Uint8Array> {
  const filtered = after === undefined ? bytes : linesAfter(bytes, after, timestamps);
  if (tail === undefined) {
    yield* filtered;
    return;
  }
  const iterator = filtered[Symbol.asyncIterator]();
  // A followed log's first piece is all there is so far; one that is not followed is read to its end.
  const present: Uint8Array[] = [];
  do {
    const { done, value } = await iterator.next();
    if (done) break;
    present.push(value);
  } while (!follow);
  yield lastLines(Buffer.concat(present), tail);
  while (follow) {
    const { done, value } = await iterator.next();
    if (done) return;
    yield value;
  }
}

const timePrefix = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z) /;

/** Pieces cut at line ends; a line's time is dropped again unless it was asked for. */
async function* linesAfter(
  bytes: AsyncIterable<Uint8Array>,
  after: number,
  timestamps: boolean,
): AsyncIterable<Uint8Array> {
  let rest = '';
  const decoder = new TextDecoder();
  const kept = (text: string): Buffer => {
    const lines = text.split(/(?<=\n)/).flatMap((line) => {
      const [prefix = '', time] = timePrefix.exec(line) ?? [];
      if (time !== undefined && Date.parse(time) < after) return [];
      return [timestamps ? line : line.slice(prefix.length)];
    });
    return Buffer.from(lines.join(''));
  };
  for await (const piece of bytes) {
    const text = rest + decoder.decode(piece, { stream: true });
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    yield kept(text.slice(0, end));
  }
  if (rest !== '') yield kept(rest);
}

/** Read as latin1, in which every byte is a character and stays itself. */
function lastLines(bytes: Buffer, count: number): Buffer {
  const lines = bytes.toString('latin1').split(/(?<=\n)/);
  return Buffer.from(count === 0 ? '' : lines.slice(-count).join(''), 'latin1');
}

/** The container to read. Throws the 400 Status as a kubelet does. */
function containerOf(pod: KubeObject, requested: string | null): string {
  const { name } = pod.metadata;
  const containers = listAt(pod, 'spec', 'containers').map((each) => textAt(each, 'name'));
  const inits = listAt(pod, 'spec', 'initContainers').map((each) => textAt(each, 'name'));
  const [only] = containers;
  const preferred = textAt(pod, 'metadata', 'annotations', 'kubectl.kubernetes.io/default-container');
  const chosen = requested || preferred || (containers.length === 1 ? only : undefined);
  if (chosen === undefined || chosen === '') {
    const initText = inits.length === 0 ? '' : ` or one of the init containers: [${inits.join(' ')}]`;
    throw badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${containers.join(' ')}]${initText}`,
    );
  }
  if (![...containers, ...inits].includes(chosen))
    throw badRequest(`container ${chosen} is not valid for pod ${name}`);
  const status = statusOf(pod, chosen);
  const waiting = objectAt(status, 'state').waiting;
  const ranBefore = objectAt(status, 'lastState').terminated !== undefined;
  if (waiting !== undefined && !ranBefore)
    throw badRequest(waitingMessage(chosen, name, textAt(waiting, 'reason')));
  return chosen;
}

function statusOf(pod: KubeObject, container: string): unknown {
  return [
    ...listAt(pod, 'status', 'containerStatuses'),
    ...listAt(pod, 'status', 'initContainerStatuses'),
  ].find((each) => each.name === container);
}

function hasEnded(pod: KubeObject, container: string): boolean {
  return objectAt(statusOf(pod, container), 'state').terminated !== undefined;
}

function waitingMessage(container: string, pod: string, reason: string): string {
  const what = /ImagePull/.test(reason) ? 'trying and failing to pull image' : reason || 'ContainerCreating';
  return `container "${container}" in pod "${pod}" is waiting to start: ${what}`;
}
