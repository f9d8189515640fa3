import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LogScan, LogScanAsk } from '../../types.ts';
import { BundleError, cancelledReason, inWords } from '../bundle-error.ts';
import { workerFile } from '../worker-file.ts';
import type { FromScan, ScanStart } from './messages.ts';

/** Megabytes of the thread's objects: the hits, of which there are so many at most, and the names of all files. */
const mostMemory = 256;

/**
 * Looks through all logs of a bundle for literals, straight from its file: it need not be open. Throws `BundleError` for
 * what is no bundle, is hostile, or was cancelled.
 */
export async function scanBundle(
  path: string,
  { literals, signal, onProgress }: LogScanAsk,
): Promise<LogScan> {
  if (signal.aborted) throw new BundleError(cancelledReason);
  const start: ScanStart = { path, literals };
  const worker = new Worker(workerFile(import.meta.dirname, 'scan-worker'), {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: mostMemory, maxYoungGenerationSizeMb: 8 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<LogScan>();
  const stop = (): void => reject(new BundleError(cancelledReason));
  signal.addEventListener('abort', stop, { once: true });
  worker.on('message', (message: FromScan) => {
    if (message.kind === 'progress') onProgress?.(message.read, message.total);
    else if (message.kind === 'end') resolve(message.scan);
    else reject(new BundleError(message.reason));
  });
  worker.on('error', (error) =>
    reject(
      new BundleError(`The logs of ${basename(path)} cannot be looked through: ${inWords(error)}.`, {
        cause: error,
      }),
    ),
  );
  worker.on('exit', stop);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
