export { BundleError } from './bundle-error.ts';
export { type CaptureProgress, captureCluster } from './capture/index.ts';
export { openBundle } from './open-bundle.ts';
export { createSharedScan, type SharedScan } from './scan/shared-scan.ts';
export type { OpenBundle, OpenedBundle } from './types.ts';
