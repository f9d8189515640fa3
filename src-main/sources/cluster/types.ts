import type { TargetState } from '#shared/api/targets.ts';
import type { HttpRead, Listing, Named, RawObject, Resource } from '../../cluster-model/kinds/index.ts';
import type { LineHit } from '../../log-scan/index.ts';
import type { DiscoveredKind, KindsRead, TableRead, TableRequest } from './any-kind.ts';
export type ObjectRead =
  | { readonly state: 'read'; readonly object: RawObject; readonly readAt: number }
  /** There is no such object, for certain. */
  | { readonly state: 'missing'; readonly reason: string }
  | { readonly state: 'unread'; readonly reason: string };

export type LogRequest = {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The run before the last restart. */
  readonly previous?: boolean;
  readonly follow?: boolean;
  /** Newest lines only. */
  readonly tail?: number;
  /** Only lines written since, in epoch milliseconds. Of a bundle, lines without a time go with the line before. */
  readonly since?: number;
  /** Each line behind the time it was written. A bundle has the times it was captured with, and no others. */
  readonly timestamps?: boolean;
  /** Ends the read. */
  readonly signal: AbortSignal;
};

/** Looks for literals in logs (log-scan). */
export type LogScanRequest = {
  readonly literals: readonly string[];
  readonly signal: AbortSignal;
  /** Bytes that were read, of all there are. */
  readonly onProgress?: (read: number, total: number | undefined) => void;
  /**
   * Called with the next logs with a hit while the rest is scanned. Their owners may be known only at the
   * end.
   */
  readonly onFound?: (logs: readonly ScannedLog[]) => void;
};

/** The container or node a log belongs to. */
export type LogOf =
  | {
      readonly namespace: string;
      readonly pod: string;
      readonly container: string;
      /** `rotated`: an older part of one of its logs. */
      readonly run: 'current' | 'previous' | 'rotated';
    }
  | { readonly node: string };

export type ScannedLog = {
  /** In the bundle. */
  readonly file: string;
  /** Undefined for another file than a log of a container or a node. */
  readonly of: LogOf | undefined;
  readonly hits: readonly LineHit[];
  /** Lines that hold a literal, by its index; of those not all are given. */
  readonly counts: readonly number[];
};

export type LogScan = {
  /** Logs with a hit. */
  readonly logs: readonly ScannedLog[];
  /** Number of files and bytes scanned. */
  readonly files: number;
  readonly bytes: number;
  /** Everything that was not scanned, a sentence each. */
  readonly gaps: readonly string[];
};

export type LogRead =
  /** Bytes as they come, line ends as they are. Ends early, with `reason` thrown as an Error, when the cluster breaks off. */
  | { readonly state: 'read'; readonly bytes: AsyncIterable<Uint8Array> }
  /** There is none, such as a previous log of a container that never restarted, or one the bundle does not hold. */
  | { readonly state: 'missing'; readonly reason: string }
  | { readonly state: 'unread'; readonly reason: string };

/** A JSON merge patch (RFC 7386) of one object. */
export type PatchRequest = {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly patch: RawObject;
  /** The revision the caller saw (metadata.resourceVersion): a newer one is a conflict. */
  readonly resourceVersion?: string;
};

export type PatchResult =
  | { readonly state: 'done'; readonly object: RawObject }
  /** `read_only`: this target is not marked writable, or is a bundle; nothing was sent. */
  | {
      readonly state: 'read_only' | 'conflict' | 'missing' | 'forbidden' | 'refused' | 'unavailable';
      readonly reason: string;
    };

/** A kind as the API server has it. */
export type ServedKind = {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Such as `scale` and `status`. */
  readonly subresources: readonly string[];
};

/** A write of one object. The body of a patch or an update carries the resourceVersion that it was judged on. */
export type ObjectWrite = {
  readonly kind: ServedKind;
  readonly namespace: string | undefined;
  /** Absent for a create. */
  readonly name?: string;
  readonly subresource?: 'scale' | 'eviction';
  readonly verb: 'create' | 'merge_patch' | 'json_patch' | 'update' | 'delete';
  readonly body: unknown;
};

export type WriteResult =
  /** `warnings`: of the API server (RFC 7234 `Warning` headers), as it words them. */
  | { readonly state: 'done'; readonly object: RawObject; readonly warnings: readonly string[] }
  /**
   * It was certainly not carried out. `read_only`: nothing was sent; `blocked`: 429, as of a disruption budget; `refused`: by
   * a rule, a quota or a webhook.
   */
  | {
      readonly state: 'read_only' | 'conflict' | 'missing' | 'forbidden' | 'refused' | 'blocked';
      readonly reason: string;
    }
  /** It may have been carried out: the answer did not come, or was an error of the server itself. */
  | { readonly state: 'lost'; readonly reason: string };

/** Objects of any kind, read from the API server at each call and written with preconditions. */
export type ObjectAccess = {
  /** Looks a kind up in the discovery of its group version. */
  kindOf(
    kind: Pick<ServedKind, 'group' | 'version' | 'kind'>,
  ): Promise<
    | { readonly state: 'read'; readonly kind: ServedKind }
    | { readonly state: 'missing' | 'unread'; readonly reason: string }
  >;
  read(kind: ServedKind, name: string, namespace: string | undefined): Promise<ObjectRead>;
  /** Lists the objects of a kind, all of them or those of a namespace or selector. */
  list(
    kind: ServedKind,
    where?: {
      readonly namespace?: string | undefined;
      readonly labels?: string;
      readonly fields?: string;
    },
  ): Promise<
    | { readonly state: 'read'; readonly items: readonly RawObject[] }
    | { readonly state: 'unread'; readonly reason: string }
  >;
  /** Asks the server what a write would do; changes nothing. Not sent to a target that is read-only. */
  dryRun(write: ObjectWrite, signal: AbortSignal): Promise<WriteResult>;
  /** Sends a write once, never again. Not to a target that is read-only. */
  write(write: ObjectWrite): Promise<WriteResult>;
  /** As `may` of the cluster, asked anew. */
  mayNow(access: AccessRequest): Promise<boolean | undefined>;
};

/** One act on objects of a cluster. */
export type AccessRequest = {
  /** As Kubernetes names it, such as `patch`. */
  readonly verb: string;
  /** Empty for the core group. */
  readonly group: string;
  /** Plural, such as `cronjobs`. */
  readonly resource: string;
  /** Such as `scale` or `eviction`. */
  readonly subresource?: string | undefined;
  readonly namespace?: string | undefined;
  /** One object; without it all of the namespace. */
  readonly name?: string | undefined;
};

/** A cluster's status, as far as it was contacted. */
export type ClusterStatus = {
  readonly state: TargetState;
  readonly detail?: string;
  readonly version?: string;
  /** Epoch milliseconds of its last answer. */
  readonly readAt?: number;
};

/** A change: the resource, and the cluster's status after it. */
export type ClusterChange = { readonly resource?: Resource<Named>; readonly status: ClusterStatus };

/**
 * One cluster, live or as a bundle has it: every page and the troubleshooter read through this. No method throws because
 * the cluster misbehaves: a result says how far it got. Nothing is contacted before the first call.
 */
export type Cluster = {
  /** `kubernetes`, `bundle` or `text`: the `source` of answers from it. */
  readonly source: 'kubernetes' | 'bundle' | 'text';
  /** Everything of a kind, in one namespace or in all; from a cache that follows the cluster where it is live. */
  list<T extends Named>(
    resource: Resource<T>,
    options?: { readonly namespace?: string },
  ): Promise<Listing<T>>;
  /** Returns whether a kind was listed in all namespaces and is kept up to date; absent where listing costs nothing. */
  isFollowed?(resource: Resource<Named>): boolean;
  /** One object in full. */
  get(resource: Resource<Named>, name: string, namespace?: string): Promise<ObjectRead>;
  /** Every kind there is, custom ones too; absent where there is nothing but what the console reads. */
  kinds?(signal: AbortSignal): Promise<KindsRead>;
  /** A page of a kind's objects as kubectl prints them. */
  table?(request: TableRequest): Promise<TableRead>;
  /** Returns how many objects of a kind there are; undefined where that is not known. */
  count?(kind: DiscoveredKind, signal: AbortSignal): Promise<number | undefined>;
  /** Calls back after every change of what was listed; a bundle never changes. Returns how to stop. */
  watch(onChange: (change: ClusterChange) => void): () => void;
  logs(request: LogRequest): Promise<LogRead>;
  /** Looks through all logs at once; a bundle can, a live cluster's are read one by one. Throws a sentence. */
  scanLogs?(request: LogScanRequest): Promise<LogScan>;
  patch(resource: Resource<Named>, request: PatchRequest): Promise<PatchResult>;
  /**
   * Returns whether the cluster allows the console's identity an act, as it said within the last minute; undefined where it
   * did not say. False for a bundle.
   */
  may?(access: AccessRequest): Promise<boolean | undefined>;
  /** Objects of any kind, for acts; absent where nothing can be changed, as in a bundle. */
  readonly objectAccess?: ObjectAccess;
  /** GET of a path of the API server's own, such as a service's health through its proxy; `unread` for a bundle. */
  httpGet(path: string, signal: AbortSignal): Promise<HttpRead>;
  status(): ClusterStatus;
  /** Time it was taken, in epoch milliseconds; undefined for a live one. Ages are counted from here. */
  readonly takenAt: number | undefined;
  close(): void;
};
