import { basename } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorMessage } from '../../../../base/error-message.ts';
import { processEnd } from '../../../../base/process-end.ts';
import { workerFile } from '../../../../base/worker-file.ts';
import type { LogScan, LogScanRequest } from '../../types.ts';
import { BundleError, cancelledReason } from '../bundle-error.ts';
import { findLayout, type Holding, locate } from '../layouts/index.ts';
import { placed } from './log-locations.ts';
import type { FromScan, ScanStart } from './messages.ts';
import type { ScannedFile } from './scan-files.ts';

/**
 * Heap limits of the thread, in MB. New objects are collected in small steps, since pieces of the bundle hang
 * on them. With a smaller old generation V8 traverses all of it twenty times in a bundle of 20 MB instead of
 * three times; a tenth of it is needed.
 */
export const scanLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 3 };

/**
 * Looks through all logs of a bundle for literals, straight from its file: it need not be open. Throws `BundleError` for
 * what is no bundle, is hostile, or was cancelled.
 */
export async function scanBundle(
  path: string,
  { literals, signal, onProgress, onFound }: LogScanRequest,
): Promise<LogScan> {
  if (signal.aborted) throw new BundleError(cancelledReason);
  const start: ScanStart = { path, literals };
  processEnd.throwIfAborted();
  const worker = new Worker(workerFile(import.meta.dirname, 'scan-worker'), {
    workerData: start,
    resourceLimits: scanLimits,
  });
  const files: ScannedFile[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<LogScan>();
  const stop = (): void => reject(new BundleError(cancelledReason));
  signal.addEventListener('abort', stop, { once: true });
  worker.on('message', (message: FromScan) => {
    if (message.kind === 'progress') onProgress?.(message.read, message.total);
    else if (message.kind === 'found') {
      files.push(...message.files);
      onFound?.(message.files.flatMap((file) => placed(file, literals.length, likelyHolding(file.path))));
    } else if (message.kind === 'end') {
      const { holdings, files: looked, bytes, gaps } = message;
      const logs = files.flatMap((file, i) => placed(file, literals.length, holdings[i]));
      resolve({ logs, files: looked, bytes, gaps });
    } else reject(new BundleError(message.reason));
  });
  worker.on('error', (error) =>
    reject(
      new BundleError(`The logs of ${basename(path)} cannot be looked through: ${errorMessage(error)}.`, {
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

/** Returns what a file probably holds, judging by its own path before the others are known. */
function likelyHolding(path: string): Holding | undefined {
  const layout = findLayout([path]);
  return layout && locate(layout, [path])?.holding;
}
