/** An object as the API has it. */
export type KubeObject = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
};

export type KubeKind = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
};

/** A change in a world, for watches. */
export type WorldChange = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly kind: KubeKind;
  readonly object: KubeObject;
  /**
   * The object before the change; absent for an added one. A watch by labels needs it to detect objects that
   * left its selection.
   */
  readonly previous?: KubeObject;
  /** Revision of the whole world after the change. */
  readonly revision: number;
};

/**
 * The objects an API serves: a sandbox's, a test's, or a bundle's. Methods that change are absent in a read-only one
 * (a bundle): the API then answers 405 with a Status that says so.
 */
export type World = {
  /** As `/version` tells it, such as `v1.36.0`. */
  readonly version: string;
  kinds(): readonly KubeKind[];
  /**
   * Lists the objects of one kind, in all namespaces without `namespace`, in the order of namespace and name.
   */
  list(kind: KubeKind, namespace?: string): Promise<readonly KubeObject[]>;
  get(kind: KubeKind, name: string, namespace?: string): Promise<KubeObject | undefined>;
  revision(): number;
  /**
   * A container's log; undefined when there is none. Follows when asked, until the signal; the first piece of a followed
   * log is all there is so far, even when that is nothing. With `timestamps` each line begins with its time where it is known.
   */
  logs(request: {
    readonly namespace: string;
    readonly pod: string;
    readonly container: string;
    readonly previous: boolean;
    readonly follow: boolean;
    readonly timestamps?: boolean;
    readonly signal: AbortSignal;
  }): Promise<AsyncIterable<Uint8Array> | undefined>;
  readonly write?: {
    create(kind: KubeKind, object: KubeObject): Promise<KubeObject>;
    replace(kind: KubeKind, object: KubeObject): Promise<KubeObject>;
    remove(kind: KubeKind, name: string, namespace?: string): Promise<KubeObject | undefined>;
    subscribe(onChange: (change: WorldChange) => void): () => void;
  };
  /**
   * Returns the actual address of a pod's port, for port-forward and the service proxy; undefined when
   * nothing listens.
   */
  portOf?(
    namespace: string,
    pod: string,
    port: number,
  ): { readonly host: string; readonly port: number } | undefined;
};
