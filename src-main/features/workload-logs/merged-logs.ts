import { errorMessage } from '../../base/error-message.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type { Cluster } from '../../sources/cluster/index.ts';
import { type Container, followPods, markOf, mostContainers, type Position } from './follow.ts';
import { type LineSource, type MarkedLine, mergedByTime } from './history.ts';
import { type LogLine, linesOf } from './log-line.ts';
import type { Pod, PodsNow } from './select-pods.ts';

export type MergedLogsRequest = {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly podsNow: PodsNow;
  /** One container of each pod. */
  readonly container: string | undefined;
  /** Pods and marks (`pod/container`) that are left out. */
  readonly without: ReadonlySet<string>;
  readonly previous: boolean;
  readonly follow: boolean;
  readonly tail: number | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** Bytes of text at which merged logs are cut. */
const limit = 200_000_000;

/** Logs that are opened at once. */
const opensAtOnce = 16;

type Opened = { readonly mark: string; readonly bytes: AsyncIterable<Uint8Array> };
type Unopened = { readonly mark: string; readonly reason: string | undefined };

/** The logs of all pods as one text in the order of time, each line behind its time and its mark. */
export async function* mergedLogs(request: MergedLogsRequest): AsyncGenerator<string> {
  // The first piece is empty: it sends the head, so that a reader of quiet logs knows that it is connected.
  yield '';
  let sent = 0;
  for await (const text of texts(request)) {
    sent += Buffer.byteLength(text);
    if (sent > limit) {
      yield `[Cut here: ${limit / 1_000_000} MB of the logs were sent. Ask for their newest lines, or leave pods out.]\n`;
      return;
    }
    yield text;
  }
}

async function* texts(request: MergedLogsRequest): AsyncGenerator<string> {
  const { podsNow, follow } = request;
  const { pods, listing } = await podsNow();
  for (const gap of listing.gaps) yield `[Not read: ${gap}]\n`;
  const wanted = pods.flatMap((pod) =>
    containersOf(request, pod).map((container): Container => ({ pod: pod.metadata.name, container })),
  );
  if (wanted.length === 0 && !follow) {
    yield pods.length === 0 ? '[No pods match.]\n' : '[All pods are left out.]\n';
    return;
  }
  if (wanted.length > mostContainers)
    yield `[Only the logs of ${mostContainers} of ${wanted.length} containers are read: pick one container, or leave pods out.]\n`;
  const opened = await inParallel(wanted.slice(0, mostContainers), opensAtOnce, (container) =>
    open(request, container),
  );
  for (const { mark, reason } of opened.filter((log): log is Unopened => !('bytes' in log)))
    if (reason !== undefined) yield `[The log of ${mark} was not read: ${reason}]\n`;
  const positions = new Map<string, Position>();
  const sources = opened
    .filter((log): log is Opened => 'bytes' in log)
    .map(({ mark, bytes }): LineSource => ({ mark, lines: counted(guarded(mark, bytes), mark, positions) }));
  for await (const lines of mergedByTime(sources)) yield textOf(lines);
  if (!follow) return;
  for await (const lines of followPods({
    ...request,
    containersOf: (pod) => containersOf(request, pod),
    read: positions,
    known: new Set(pods.map(({ metadata }) => metadata.name)),
  }))
    yield textOf(lines);
}

function containersOf({ container, without }: MergedLogsRequest, { metadata, spec }: Pod): readonly string[] {
  if (without.has(metadata.name)) return [];
  return [...spec.initContainers, ...spec.containers]
    .map(({ name }) => name)
    .filter(
      (name) =>
        (container === undefined || name === container) &&
        !without.has(markOf({ pod: metadata.name, container: name })),
    );
}

/** Opens what a container has written so far. A container without a log, such as one that waits, says nothing. */
async function open(
  { cluster, namespace, previous, tail, since, signal }: MergedLogsRequest,
  { pod, container }: Container,
): Promise<Opened | Unopened> {
  const mark = markOf({ pod, container });
  const read = await cluster.logs({
    namespace,
    pod,
    container,
    previous,
    timestamps: true,
    ...(tail === undefined ? {} : { tail }),
    ...(since === undefined ? {} : { since }),
    signal,
  });
  if (read.state === 'read') return { mark, bytes: read.bytes };
  return { mark, reason: read.state === 'missing' ? undefined : read.reason };
}

/** Lines of a log; what breaks it off is its last. */
async function* guarded(mark: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly LogLine[]> {
  let last = '';
  try {
    for await (const lines of linesOf(bytes)) {
      last = lines.at(-1)?.key ?? last;
      yield lines;
    }
  } catch (error) {
    yield [{ key: last, time: '', text: `[The log of ${mark} broke off: ${errorMessage(error)}]` }];
  }
}

/** Passes lines on and remembers how far they went: what follows goes on from there. */
async function* counted(
  batches: AsyncGenerator<readonly LogLine[]>,
  mark: string,
  positions: Map<string, Position>,
): AsyncGenerator<readonly LogLine[]> {
  for await (const lines of batches) {
    for (const { key, time } of lines) {
      if (time === '') continue;
      const position = positions.get(mark);
      positions.set(mark, position?.key === key ? { key, count: position.count + 1 } : { key, count: 1 });
    }
    yield lines;
  }
}

function textOf(lines: readonly MarkedLine[]): string {
  return lines
    .map(({ mark, line: { time, text } }) =>
      [time, mark, text]
        .filter((part, index) => part !== '' || index === 2)
        .join(' ')
        .concat('\n'),
    )
    .join('');
}
