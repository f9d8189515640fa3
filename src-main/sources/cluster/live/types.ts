import type { Duplex } from 'node:stream';
import type { Cluster } from '../types.ts';
import type { Timing } from './timing.ts';

/** One way into a cluster, as a kubeconfig or a pod's service account has it. Reading it contacts nothing. */
export type ClusterContext = {
  /** Name of the context, or `in-cluster`. */
  readonly name: string;
  readonly kind: 'context' | 'in_cluster';
  /** Address of the API server; absent in a context that cannot be used. */
  readonly server: URL | undefined;
  /** The reason it cannot be used, a sentence, such as a user or a cluster that the file does not define. */
  readonly fault: string | undefined;
  /** The attached file that has it; undefined for one of `files`, and in a pod. */
  readonly file?: string | undefined;
};

export type Contexts = {
  /** Every context; empty without a kubeconfig. */
  list(): Promise<readonly ClusterContext[]>;
  /** Name of kubectl's current context. */
  current(): Promise<string | undefined>;
  /** A cluster of one of them: makes no call before it is read. Throws NotFound for a name that is not there. */
  open(name: string, options: LiveOptions): Promise<LiveCluster>;
};

export type ContextsOptions = {
  /** Files as KUBECONFIG lists them now, merged as kubectl does; a missing file is skipped. */
  readonly files: () => readonly string[];
  /**
   * Further files, each read by itself: merged, a context of one could name the credentials of another for a server of
   * its choice. A name that is taken already gets the host of its server with it.
   */
  readonly attached?: () => readonly string[];
  /** Whether exec plugins are looked for on the login shell's PATH, too (asked once, for 3 s at most). */
  readonly loginShellPath: boolean;
  /** Also the environment of exec plugins and of the login shell: it holds no secret of ours. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of a pod's service account; default: where Kubernetes mounts it. */
  readonly serviceAccount?: string;
};

export type LiveOptions = {
  /** Returns whether patches are sent at all; asked at every patch. */
  readonly writable: () => boolean;
  /** Namespaces to read where they may not be listed, beside those that SelfSubjectRulesReview shows. */
  readonly namespaces: () => readonly string[];
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Other waits than `defaultTiming`. */
  readonly timing?: Partial<Timing>;
};

/** A connection to a port of a pod behind a service. */
export type ForwardRequest = {
  readonly namespace: string;
  readonly service: string;
  readonly port: number | string;
};

export type LiveCluster = Cluster & {
  /** Opens a connection through the API server to a ready pod of a service; each call is one connection. */
  forward(request: ForwardRequest, signal: AbortSignal): Promise<Duplex>;
  /** Opens a connection to a port of one pod; each call is one connection. */
  forwardPod(
    request: { readonly namespace: string; readonly pod: string; readonly port: number },
    signal: AbortSignal,
  ): Promise<Duplex>;
  /** Retries at once whatever is waiting, with the credentials read again. */
  retry(): Promise<void>;
};
