import { errorMessage } from '../../base/error-message.ts';
import { resources } from '../../cluster-model/index.ts';
import type { Cluster, LogRead } from '../../sources/cluster/index.ts';
import { mergedLines, prefixedText, stampedText } from './log-lines.ts';

export type PodLogRequest = {
  readonly namespace: string;
  readonly pod: string;
  readonly containers: readonly string[];
  readonly previous: boolean;
  readonly follow: boolean;
  readonly tail: number | undefined;
  /** Epoch milliseconds. */
  readonly since: number | undefined;
  readonly timestamps: boolean;
  readonly signal: AbortSignal;
};

/** A pod's log; `missing` and `unread` only when no container has one. */
export type PodLog =
  | { readonly state: 'read'; readonly pieces: AsyncIterable<string> }
  | { readonly state: 'missing' | 'unread'; readonly reason: string };

/** Bytes of text at which a log is cut. */
const logLimit = 50_000_000;

type Opened = { readonly container: string; readonly bytes: AsyncIterable<Uint8Array> };
type Unopened = { readonly container: string; readonly state: 'missing' | 'unread'; readonly reason: string };

const isOpened = (log: Opened | Unopened): log is Opened => 'bytes' in log;

/**
 * Opens the logs of a pod's containers as one text. Followed, lines of several containers come in the order they
 * arrive; else one container's log after the other's, the next opened when the one before has ended.
 */
export async function openPodLog(cluster: Cluster, request: PodLogRequest): Promise<PodLog> {
  const { containers, follow, timestamps } = request;
  const several = containers.length > 1;
  const open = async (container: string): Promise<Opened | Unopened> => {
    const { namespace, pod, previous, tail, since, signal } = request;
    const read: LogRead = await cluster.logs({
      namespace,
      pod,
      container,
      previous,
      follow,
      ...(tail === undefined ? {} : { tail }),
      ...(since === undefined ? {} : { since }),
      ...(timestamps ? { timestamps } : {}),
      signal,
    });
    return read.state === 'read' ? { container, bytes: read.bytes } : { container, ...read };
  };
  const missing: Unopened[] = [];
  if (follow) {
    const all = await Promise.all(containers.map(open));
    const opened = all.filter(isOpened);
    missing.push(...all.filter((log): log is Unopened => !isOpened(log)));
    if (opened.length === 0) return whyNone(missing);
    return {
      state: 'read',
      pieces: bounded(
        // The first piece is empty: it sends the head, so that a reader of a quiet log knows that it is connected.
        joined([
          once(''),
          ...notesOf(missing, several),
          several
            ? mergedLines(
                opened.map(({ container, bytes }) => textOf(bytes, container, { several, timestamps })),
              )
            : textOf(opened[0]?.bytes ?? none(), opened[0]?.container ?? '', { several, timestamps }),
          whyEnded(cluster, request),
        ]),
      ),
    };
  }
  // The first that has one decides how the answer begins.
  for (const [index, container] of containers.entries()) {
    const first = await open(container);
    if (!isOpened(first)) {
      missing.push(first);
      continue;
    }
    const rest = containers.slice(index + 1);
    const later = async function* (): AsyncGenerator<string> {
      for (const next of rest) {
        const log = await open(next);
        if (isOpened(log)) yield* textOf(log.bytes, next, { several, timestamps });
        else yield noteOf(log, several);
      }
    };
    return {
      state: 'read',
      pieces: bounded(
        joined([
          ...notesOf(missing, several),
          textOf(first.bytes, container, { several, timestamps }),
          later(),
        ]),
      ),
    };
  }
  return whyNone(missing);
}

/** Says why a log that was followed came to its end, in its last line; nothing when its reader left. */
async function* whyEnded(
  cluster: Cluster,
  { namespace, pod, signal }: PodLogRequest,
): AsyncGenerator<string> {
  if (signal.aborted) return;
  const read = await cluster.get(resources.pods, pod, namespace);
  if (read.state === 'missing') yield `[The log ended: pod ${pod} in ${namespace} is gone.]\n`;
  else if (read.state === 'unread') yield `[The log ended. Whether the pod is still there: ${read.reason}]\n`;
  else yield '[The log ended: its container has stopped. Open the log again after its restart.]\n';
}

function whyNone(logs: readonly Unopened[]): PodLog {
  const [worst] = [...logs.filter(({ state }) => state === 'unread'), ...logs];
  return worst === undefined
    ? { state: 'missing', reason: 'The pod has no containers.' }
    : { state: worst.state, reason: worst.reason };
}

function notesOf(logs: readonly Unopened[], several: boolean): AsyncIterable<string>[] {
  // A container without a log, such as a previous one, says nothing; one that was not read might.
  return logs.filter(({ state }) => state === 'unread').map((log) => once(noteOf(log, several)));
}

function noteOf({ container, state, reason }: Unopened, several: boolean): string {
  if (state === 'missing') return '';
  return `${several ? `${container} ` : ''}[The log of ${container} was not read: ${reason}]\n`;
}

type TextOptions = { readonly several: boolean; readonly timestamps: boolean };

/** The text of one container's log; what broke it off is its last line. */
async function* textOf(
  bytes: AsyncIterable<Uint8Array>,
  container: string,
  { several, timestamps }: TextOptions,
): AsyncGenerator<string> {
  const prefix = several ? `${container} ` : '';
  let open = false;
  try {
    for await (const text of several && timestamps
      ? stampedText(bytes, prefix)
      : prefixedText(bytes, prefix)) {
      open = !text.endsWith('\n');
      yield text;
    }
  } catch (error) {
    const reason = errorMessage(error);
    yield `${open ? '\n' : ''}${prefix}[The log of ${container} broke off: ${reason}]\n`;
    return;
  }
  if (open && several) yield '\n';
}

/** Cuts a log at its limit, with a last line that says so. */
async function* bounded(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let sent = 0;
  for await (const piece of pieces) {
    sent += Buffer.byteLength(piece);
    if (sent > logLimit) {
      yield `\n[Cut here: ${logLimit / 1_000_000} MB of the log were sent. Ask for its newest lines only.]\n`;
      return;
    }
    yield piece;
  }
}

async function* joined(parts: readonly AsyncIterable<string>[]): AsyncGenerator<string> {
  for (const part of parts) yield* part;
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function* none(): AsyncGenerator<Uint8Array> {}
