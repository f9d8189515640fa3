import type { BundleProgress } from '#shared/api/targets.ts';

/** Tells how far the opening is, at most ten times a second: a bundle has thousands of files. */
export type Progress = {
  tell(change: Partial<Pick<BundleProgress, 'step' | 'bytes_read' | 'files' | 'objects'>>): void;
};

const everyMs = 100;

export function createProgress(
  onProgress: (progress: BundleProgress) => void,
  bytes: number | undefined,
): Progress {
  let progress: BundleProgress = {
    state: 'opening',
    step: 'Opening',
    bytes_read: 0,
    ...(bytes === undefined ? {} : { bytes }),
    files: 0,
    objects: 0,
  };
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    tell(change) {
      progress = { ...progress, ...change };
      const now = performance.now();
      if (now - reportedAt < everyMs) return;
      reportedAt = now;
      onProgress(progress);
    },
  };
}
