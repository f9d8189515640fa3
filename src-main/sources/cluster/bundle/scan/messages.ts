import type { LogScan } from '../../types.ts';

/** What the thread that looks through a bundle is started with. */
export type ScanStart = { readonly path: string; readonly literals: readonly string[] };

/** What it tells. */
export type FromScan =
  /** Bytes of the bundle's file so far, of `total`, which a folder does not have. */
  | { readonly kind: 'progress'; readonly read: number; readonly total: number | undefined }
  | { readonly kind: 'end'; readonly scan: LogScan }
  /** It cannot be read; a sentence. */
  | { readonly kind: 'refused'; readonly reason: string };
