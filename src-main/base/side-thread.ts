import { Worker } from 'node:worker_threads';
import { errorMessage } from './error-message.ts';
import { processEnd } from './process-end.ts';
import { workerFile } from './worker-file.ts';

export type SideThreadOptions = {
  /** Folder of its source, and its name there, for which the build has an entry. */
  readonly folder: string;
  readonly name: string;
  /** Milliseconds that one piece of work may take. */
  readonly longest: number;
  /** Megabytes of its objects. */
  readonly memory: number;
};

/** The outcome of a piece of work: `busy` when too many wait, `late` when it took too long or was ended. */
export type SideWork =
  | { readonly state: 'done'; readonly value: unknown }
  | { readonly state: 'busy' | 'late' | 'memory' }
  | { readonly state: 'failed'; readonly reason: string };

/** Does work that grows with somebody's data beside the main thread, one piece at a time. */
export type SideThread = {
  run(message: unknown, signal: AbortSignal): Promise<SideWork>;
};

/** Pieces of work that wait for their turn. */
const mostWaiting = 8;

/** Creates a thread for each piece of work, which answers one message with one: an idle console keeps none. */
export function createSideThread(options: SideThreadOptions): SideThread {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    async run(message, signal) {
      if (waiting >= mostWaiting) return { state: 'busy' };
      waiting += 1;
      const turn = last.then(() => inThread(options, message, signal));
      last = turn;
      try {
        return await turn;
      } finally {
        waiting -= 1;
      }
    },
  };
}

async function inThread(
  { folder, name, longest, memory }: SideThreadOptions,
  message: unknown,
  signal: AbortSignal,
): Promise<SideWork> {
  if (signal.aborted || processEnd.aborted) return { state: 'late' };
  const { promise, resolve } = Promise.withResolvers<SideWork>();
  const worker = new Worker(workerFile(folder, name), {
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  const giveUp = (): void => resolve({ state: 'late' });
  const timer = setTimeout(giveUp, longest);
  signal.addEventListener('abort', giveUp, { once: true });
  worker.on('message', (value: unknown) => resolve({ state: 'done', value }));
  worker.on('messageerror', (error) => resolve({ state: 'failed', reason: errorMessage(error) }));
  worker.on('error', (error) =>
    resolve(
      error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? { state: 'memory' }
        : { state: 'failed', reason: errorMessage(error) },
    ),
  );
  worker.postMessage(message);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
    await worker.terminate();
  }
}
