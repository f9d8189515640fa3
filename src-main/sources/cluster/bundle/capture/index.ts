import type { Cluster } from '../../types.ts';
import { BundleError } from '../bundle-error.ts';
import { createTarWriter } from './tar-writer.ts';
import { type CaptureProgress, writeCapture } from './write-capture.ts';

export type { CaptureProgress } from './write-capture.ts';

export type CaptureOptions = {
  readonly cluster: Cluster;
  /** Version of operator-console, to be recorded. */
  readonly version?: string;
  /** Output file, replaced if it exists, readable by its owner only; written once the capture is complete. */
  readonly file: string;
  /** Only these; all that can be read without it. What has no namespace is captured in any case. */
  readonly namespaces?: readonly string[];
  /** At most ten times a second. */
  readonly onProgress: (progress: CaptureProgress) => void;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** The result of a capture. */
export type Captured = {
  readonly objects: number;
  readonly logs: number;
  /** Everything that was not captured, a sentence each. */
  readonly gaps: readonly string[];
};

/**
 * Takes a bundle of a cluster, in the layout of a support bundle: every kind the console reads, custom resources,
 * events, logs and health answers, with credentials redacted. Throws `BundleError` when the cluster does not answer at
 * all, the file cannot be written, or it is cancelled; what is refused is written down instead.
 */
export async function captureCluster(options: CaptureOptions): Promise<Captured> {
  const tar = createTarWriter(options.file, options.now());
  try {
    const captured = await writeCapture(tar, options);
    await tar.finish();
    return captured;
  } catch (error) {
    await tar.discard();
    if (options.signal.aborted) throw new BundleError('The capture was cancelled.', { cause: error });
    throw error;
  }
}
