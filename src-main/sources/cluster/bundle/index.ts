export { BundleError } from './bundle-error.ts';
export { type Captured, type CaptureOptions, type CaptureProgress, captureCluster } from './capture/index.ts';
export { openBundle } from './open-bundle.ts';
export { createSharedScan, type SharedScan } from './scan/shared-scan.ts';
export type { BundleKind, OpenBundle, OpenBundleOptions, OpenedBundle } from './types.ts';
