import type { Holding } from '../layouts/index.ts';
import type { ScannedFile } from './scan-files.ts';

/** Start data of the thread that scans a bundle. */
export type ScanStart = { readonly path: string; readonly literals: readonly string[] };

/** A message from that thread. */
export type FromScan =
  /** Bytes of the bundle's file so far, of `total`, which a folder does not have. */
  | { readonly kind: 'progress'; readonly read: number; readonly total: number | undefined }
  /** The next files with a hit, so that it need not keep them. */
  | { readonly kind: 'found'; readonly files: readonly ScannedFile[] }
  | {
      readonly kind: 'end';
      /**
       * Content of each file reported, in the same order; undefined for one that the layout does not know.
       */
      readonly holdings: readonly (Holding | undefined)[];
      /** Number of files and bytes scanned. */
      readonly files: number;
      readonly bytes: number;
      /** Everything that was not scanned, a sentence each. */
      readonly gaps: readonly string[];
    }
  /** It cannot be read; a sentence. */
  | { readonly kind: 'refused'; readonly reason: string };
