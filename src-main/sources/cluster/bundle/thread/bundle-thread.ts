import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { errorMessage } from '../../../../base/error-message.ts';
import { processEnd } from '../../../../base/process-end.ts';
import { workerFile } from '../../../../base/worker-file.ts';
import { BundleError, cancelledReason } from '../bundle-error.ts';
import { spoolFile } from '../logs/log-spool.ts';
import type { OpenBundleOptions } from '../types.ts';
import type { FromThread, Reply, ThreadStart, ToThread } from './messages.ts';
import type { BundleFacts, Question, Questions } from './questions.ts';

/** Megabytes of the thread's objects: a file of 64 MB that is one text, and as much again of what is made of it. */
const mostMemory = 512;

/** Milliseconds that the thread has to close its files before it is ended in the middle of what it does. */
const longestClosing = 150;

/** The thread that holds an open bundle. */
export type BundleThread = {
  readonly facts: BundleFacts;
  /** The parts of an answer as they are wanted; ends early when the signal aborts. Throws `BundleError`. */
  query<Q extends Question>(
    question: Q,
    request: Questions[Q]['request'],
    signal?: AbortSignal,
  ): AsyncGenerator<Questions[Q]['part']>;
  /** The reason it stopped answering; undefined while it answers. */
  fault(): string | undefined;
  /** Ends it, whatever it does. */
  end(): Promise<void>;
};

/** Starts a thread that opens a bundle. Throws `BundleError`; nothing is left of it then. */
export async function startBundleThread(options: OpenBundleOptions): Promise<BundleThread> {
  const { path, spool, signal, onProgress, onPod, memory = mostMemory } = options;
  if (signal.aborted) throw new BundleError(cancelledReason);
  const name = basename(path);
  const start: ThreadStart = { path, spool };
  // What is short-lived here is many small texts: little room for it costs no time, and 15 MB less.
  const limits: ResourceLimits = { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 4 };
  processEnd.throwIfAborted();
  const worker = new Worker(workerFile(import.meta.dirname, 'bundle-worker'), {
    workerData: start,
    resourceLimits: limits,
  });
  const ended = Promise.withResolvers<void>();
  const end = async (): Promise<void> => {
    const close: ToThread = { kind: 'close' };
    worker.postMessage(close);
    // It closes its files itself, unless it is too busy to hear of it.
    await Promise.race([ended.promise, delay(longestClosing, undefined, { ref: false })]);
    await worker.terminate();
    // A system that keeps the name of an open file has it still.
    await rm(spoolFile(spool), { force: true }).catch(() => undefined);
  };
  const waiting = new Map<number, (reply: Reply | undefined) => void>();
  const opening = Promise.withResolvers<BundleFacts>();
  let fault: string | undefined;

  const fail = (reason: string): void => {
    fault ??= reason;
    opening.reject(new BundleError(reason));
    for (const answered of waiting.values()) answered(undefined);
    waiting.clear();
  };
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'progress') onProgress(message.progress);
    else if (message.kind === 'pod') onPod?.(message.pod);
    else if (message.kind === 'opened') opening.resolve(message.facts);
    else if (message.kind === 'refused') fail(message.reason);
    else waiting.get(message.id)?.(message);
  });
  worker.on('messageerror', () => {
    // Which answer it was is lost with it.
    const reason = `${name} answers in a form that cannot be taken over.`;
    for (const [id, answered] of waiting) answered({ kind: 'broken', id, reason });
  });
  worker.on('error', (error) => fail(whyItDied(name, memory, error)));
  worker.on('exit', () => {
    ended.resolve();
    fail(`${name} was closed.`);
  });

  const cancel = (): void => opening.reject(new BundleError(cancelledReason));
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const facts = await opening.promise;
    return { facts, query: asking(worker, waiting, () => fault), fault: () => fault, end };
  } catch (error) {
    await end();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

type Asking = Exclude<ToThread, { kind: 'close' }>;

function asking(
  worker: Worker,
  waiting: Map<number, (reply: Reply | undefined) => void>,
  faultNow: () => string | undefined,
): BundleThread['query'] {
  let last = 0;
  const send = (message: Asking, signal: AbortSignal | undefined): Promise<Reply | undefined> => {
    const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
    if (faultNow() !== undefined || signal?.aborted === true) return Promise.resolve(undefined);
    const stop = (): void => resolve(undefined);
    signal?.addEventListener('abort', stop, { once: true });
    waiting.set(message.id, resolve);
    worker.postMessage(message);
    return promise.finally(() => {
      waiting.delete(message.id);
      signal?.removeEventListener('abort', stop);
    });
  };
  return async function* ask(question, requested, signal) {
    const id = ++last;
    let message: Asking = { kind: 'ask', id, question, request: requested };
    let isOver = false;
    try {
      for (;;) {
        const reply = await send(message, signal);
        const fault = faultNow();
        if (fault !== undefined) throw new BundleError(fault);
        if (reply === undefined) return;
        isOver = reply.kind !== 'part';
        if (reply.kind === 'end') return;
        if (reply.kind === 'broken') throw new BundleError(reply.reason);
        // The thread answers each question by the types of `Questions`.
        yield reply.part as Questions[typeof question]['part'];
        message = { kind: 'next', id };
      }
    } finally {
      if (!isOver && faultNow() === undefined) {
        const stopped: ToThread = { kind: 'stop', id };
        worker.postMessage(stopped);
      }
    }
  };
}

function whyItDied(name: string, memory: number, error: unknown): string {
  const isMemory = error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
  return isMemory
    ? `${name} needs more than the ${memory} MB of memory that one bundle may take: unpack it, remove what is not needed, and open the folder.`
    : `${name} cannot be read: the part of the program that reads it ended (${errorMessage(error)}).`;
}
