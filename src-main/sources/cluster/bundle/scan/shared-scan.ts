import type { LogScan, LogScanRequest, ScannedLog } from '../../types.ts';
import { BundleError, cancelledReason } from '../bundle-error.ts';
import { scanBundle } from './scan-bundle.ts';

/** Looks through the logs of a bundle once, for all who ask for the same literals. */
export type SharedScan = {
  /** Throws as `scanBundle` does. */
  scanLogs(request: LogScanRequest): Promise<LogScan>;
  /** Ends it, and settles once its thread has ended. */
  close(): Promise<void>;
};

type Running = {
  readonly key: string;
  readonly scan: Promise<LogScan>;
  readonly askers: Set<LogScanRequest>;
  /** Logs found so far; empty once the scan has ended, whose result has them all. */
  found: readonly ScannedLog[];
  readonly stop: AbortController;
  hasEnded: boolean;
};

/**
 * A bundle does not change, so it is scanned once: later callers, also while the scan is running,
 * get the hits found before. Hits are kept with the bundle. The scan ends when nobody waits for it.
 */
export function createSharedScan(path: string): SharedScan {
  let running: Running | undefined;
  let isClosed = false;

  /** Scans whose thread may still be running, including those nobody waits for. */
  const ending = new Set<Promise<unknown>>();

  const begin = (literals: readonly string[]): Running => {
    const askers = new Set<LogScanRequest>();
    const stop = new AbortController();
    const scan = scanBundle(path, {
      literals,
      signal: stop.signal,
      onProgress(read, total) {
        for (const { onProgress } of askers) onProgress?.(read, total);
      },
      onFound(logs) {
        begun.found = [...begun.found, ...logs];
        for (const { onFound } of askers) onFound?.(logs);
      },
    });
    const begun: Running = { key: keyOf(literals), scan, askers, found: [], stop, hasEnded: false };
    ending.add(scan);
    scan
      .then(
        () => {
          begun.found = [];
          begun.hasEnded = true;
        },
        () => {
          if (running === begun) running = undefined;
        },
      )
      .finally(() => ending.delete(scan));
    return begun;
  };

  return {
    async scanLogs(request) {
      const { signal, literals } = request;
      if (signal.aborted || isClosed) throw new BundleError(cancelledReason);
      if (running?.key !== keyOf(literals) || running.stop.signal.aborted) running = begin(literals);
      const current = running;
      const { askers, scan } = current;
      if (current.found.length > 0) request.onFound?.(current.found);
      askers.add(request);
      const left = Promise.withResolvers<never>();
      const leave = (): void => left.reject(new BundleError(cancelledReason));
      signal.addEventListener('abort', leave, { once: true });
      try {
        return await Promise.race([scan, left.promise]);
      } finally {
        signal.removeEventListener('abort', leave);
        askers.delete(request);
        if (askers.size === 0 && !current.hasEnded) current.stop.abort();
      }
    },
    async close() {
      isClosed = true;
      running?.stop.abort();
      await Promise.allSettled([...ending]);
    },
  };
}

const keyOf = (literals: readonly string[]): string => literals.join('\n');
