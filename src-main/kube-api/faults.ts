/** A fault injected into the next requests, for tests. */
export type Fault = {
  /** Part of the method, path and query it is met by, such as `GET /api/v1/pods`; absent: every request. */
  readonly path?: string;
  /** Number of requests it applies to; absent: all until `clear`. */
  readonly times?: number;
} & (
  | { readonly kind: 'slow'; readonly ms: number }
  /** Is taken and never answered. */
  | { readonly kind: 'hang' }
  /** A Status of that code, as a server in trouble answers. */
  | { readonly kind: 'error'; readonly status: number }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }
  /** 410: of a list's continue token, of a watch's revision. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'forbidden' }
  /** As for a token that has expired. */
  | { readonly kind: 'unauthorized' }
  /** The connection breaks before the answer. */
  | { readonly kind: 'reset' }
  /** The request is carried out, and the connection breaks before the answer. */
  | { readonly kind: 'lost' }
  /** A Status of that code with this message, as of a webhook or a quota. */
  | { readonly kind: 'denied'; readonly status: number; readonly reason: string; readonly message: string }
);

export type Faults = {
  add(fault: Fault): void;
  clear(): void;
  /** The fault a request meets; counts it. */
  meet(request: string): Fault | undefined;
  /** From now on connections are taken and nothing is answered, on open watches neither. */
  pause(): void;
  resume(): void;
  /** Resolves at once unless paused. */
  running(): Promise<void>;
  readonly paused: boolean;
  /** Breaks the connections of all watches, followed logs and forwarded ports. */
  cutStreams(): void;
  /** Tells of a stream that is open. Returns how to tell that it ended. */
  opened(cut: () => void): () => void;
};

export function createFaults(): Faults {
  const faults: { fault: Fault; left: number }[] = [];
  const streams = new Set<() => void>();
  let paused: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  return {
    add: (fault) => void faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }),
    clear: () => void faults.splice(0),
    meet(request) {
      const met = faults.find(({ fault, left }) => left > 0 && request.includes(fault.path ?? ''));
      if (met === undefined) return undefined;
      met.left -= 1;
      return met.fault;
    },
    pause() {
      if (paused !== undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      paused = { over: promise, end: resolve };
    },
    resume() {
      paused?.end();
      paused = undefined;
    },
    running: async () => paused?.over,
    get paused() {
      return paused !== undefined;
    },
    cutStreams() {
      for (const cut of [...streams]) cut();
    },
    opened(cut) {
      streams.add(cut);
      return () => void streams.delete(cut);
    },
  };
}
