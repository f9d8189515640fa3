import type { Holding } from '../layouts/index.ts';
import type { ScannedFile } from './scan-files.ts';

/** What the thread that looks through a bundle is started with. */
export type ScanStart = { readonly path: string; readonly literals: readonly string[] };

/** What it tells. */
export type FromScan =
  /** Bytes of the bundle's file so far, of `total`, which a folder does not have. */
  | { readonly kind: 'progress'; readonly read: number; readonly total: number | undefined }
  /** The next files with a hit, so that it need not keep them. */
  | { readonly kind: 'found'; readonly files: readonly ScannedFile[] }
  | {
      readonly kind: 'end';
      /** What each file holds that was told of, in their order; undefined for one that the layout does not know. */
      readonly holdings: readonly (Holding | undefined)[];
      /** Files and bytes that were looked through. */
      readonly files: number;
      readonly bytes: number;
      /** What was not, a sentence each. */
      readonly gaps: readonly string[];
    }
  /** It cannot be read; a sentence. */
  | { readonly kind: 'refused'; readonly reason: string };
