import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ProbeStep, ProbeStepKind } from '#shared/api/connectors.ts';
import type { ProbeTarget } from './probe.ts';
import { ProbeError, socketFault } from './probe-error.ts';

/** What the hello of a protocol is spoken by. */
export type Conversation = {
  readonly target: ProbeTarget;
  /** The connection, plain until `startTls`. */
  readonly socket: Socket;
  /** `address:port`, for sentences. */
  readonly peer: string;
  /** Aborts at the deadline, or when the caller goes away. */
  readonly signal: AbortSignal;
  /**
   * Takes a step and notes how it ended; `late` is what a sentence says when the deadline ends it. The step's value is
   * returned, its detail noted.
   */
  step<T>(kind: ProbeStepKind, late: string, take: () => Promise<StepResult<T>>): Promise<T>;
  /** Notes a step that was not taken. */
  skip(kind: ProbeStepKind, detail: string): void;
  /** Shakes hands and checks the certificate as the target asks. Throws `ProbeError`. */
  startTls(): Promise<StepResult<TLSSocket>>;
};

export type StepResult<T> = { readonly value: T; readonly detail: string };

/** Steps of one probe, as they were taken. */
export function createSteps(signal: AbortSignal) {
  const steps: ProbeStep[] = [];
  const note = (step: ProbeStepKind, state: ProbeStep['state'], detail: string, began: number): void => {
    steps.push({ step, state, detail, took_ms: Math.round(performance.now() - began) });
  };
  return {
    steps,
    skip: (kind: ProbeStepKind, detail: string) => note(kind, 'not_probed', detail, performance.now()),
    async step<T>(kind: ProbeStepKind, late: string, take: () => Promise<StepResult<T>>): Promise<T> {
      const began = performance.now();
      try {
        const { value, detail } = await raced(take(), signal);
        note(kind, 'ok', detail, began);
        return value;
      } catch (error) {
        const failure = signal.aborted ? new ProbeError(late) : error;
        if (!(failure instanceof ProbeError)) throw failure;
        note(kind, 'failed', failure.message, began);
        throw failure;
      }
    },
  };
}

/** Rejects as soon as the signal aborts, whatever becomes of the work. */
async function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Reads exactly `length` bytes. Rejects with `ProbeError` when the peer ends, resets or fails before. */
export function readBytes(socket: Socket, length: number, peer: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const events = ['readable', 'end', 'close', 'error'] as const;
    // Listens once for the whole read: a listener that is added anew while bytes wait is called at once, again and
    // again, and a peer that sends one byte at a time would hold the event loop.
    const look = (): void => {
      const bytes: unknown = socket.read(length);
      const complete = Buffer.isBuffer(bytes) && bytes.length === length;
      if (!complete && bytes === null && !socket.readableEnded && !socket.destroyed) return;
      for (const event of events) socket.off(event, look);
      if (complete) resolve(bytes);
      else reject(new ProbeError(unansweredFault(socket, peer)));
    };
    for (const event of events) socket.on(event, look);
    look();
  });
}

function unansweredFault({ errored }: Socket, peer: string): string {
  return errored === null
    ? `${peer} closed the connection without an answer.`
    : socketFault(peer, errored, ' instead of answering');
}
