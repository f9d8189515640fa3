import type { Bundle, BundleProgress } from '#shared/api/targets.ts';
import type { PodObject, RawObject } from '../../../cluster-model/kinds/index.ts';
import type { Cluster } from '../types.ts';
import type { SharedScan } from './scan/shared-scan.ts';

export type OpenBundleOptions = {
  /** A folder, an archive (.tar.gz, .tgz, .tar, .zip), or a file that kubectl get -o json or -o yaml wrote. */
  readonly path: string;
  /** Folder for what must be on disk to be read later; nothing is written outside it. */
  readonly spool: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BundleProgress) => void;
  /** One of the first pods that are not well, while the rest is read. */
  readonly onPod?: (pod: PodObject) => void;
  /** Megabytes that the objects of its thread may take; more than any known bundle needs when left out. */
  readonly memory?: number;
  /** Scan of the same path, when its logs are scanned while it is being opened. */
  readonly scan?: SharedScan;
};

/** The objects a bundle holds of one kind. */
export type BundleKind = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly count: number;
};

export type OpenedBundle = {
  readonly cluster: Cluster;
  readonly facts: Pick<
    Bundle,
    'layout' | 'taken_at' | 'taken_by' | 'version' | 'bytes' | 'files' | 'objects' | 'logs' | 'gaps'
  >;
  /** Every kind in it, custom ones too. */
  readonly kinds: readonly BundleKind[];
  /** Objects as they are in the bundle, with apiVersion and kind; all namespaces without `namespace`. */
  objects(kind: Pick<BundleKind, 'group' | 'plural'>, namespace?: string): Promise<readonly RawObject[]>;
  /**
   * Returns the location an object was read from: its file, and its offset there in bytes (JSON) or
   * characters (YAML).
   */
  origin(
    kind: Pick<BundleKind, 'group' | 'plural'>,
    name: string,
    namespace?: string,
  ): Promise<{ readonly file: string; readonly offset: number } | undefined>;
  close(): Promise<void>;
};

/** Opens a bundle. Throws `BundleError` with a sentence for what is no bundle, is hostile, or was cancelled. */
export type OpenBundle = (options: OpenBundleOptions) => Promise<OpenedBundle>;
