import { setTimeout as after } from 'node:timers/promises';
import { z } from 'zod';
import type { Named, Resource } from '../../../cluster-model/kinds/index.ts';
import type { Connection } from './connection.ts';
import { actOf, type Discovery, notServed } from './discovery.ts';
import { ClusterFailure, networkFailure, statusMessage } from './failures.ts';
import { heardBytes, readPages } from './list-pages.ts';
import type { ReadingOrder } from './reading-order.ts';
import type { SharedStrings } from './shared-strings.ts';
import type { Timing } from './timing.ts';
import { watchEvents } from './watch-events.ts';

/** A reflector's current state. */
export type Snapshot<T> = {
  readonly items: readonly T[];
  /** Whether it was ever read. */
  readonly read: boolean;
  /** The reason it is not read, or no longer watched; undefined without a failure. */
  readonly failure: ClusterFailure | undefined;
  /** Objects that the schema does not understand, by `namespace/name`. */
  readonly notUnderstood: readonly string[];
  /** Epoch milliseconds of the newest answer about it. */
  readonly readAt: number;
  readonly revision: number;
};

/** All objects of one kind in one scope, kept like those of the server while somebody looks. */
export type Reflector<T> = {
  snapshot(): Snapshot<T>;
  /** Starts or goes on, and resolves once the first answer since then is there, good or bad. */
  follow(): Promise<void>;
  /** Retries at once whatever is waiting. */
  kick(): void;
  /** Stops following; what was read stays. */
  pause(): void;
  readonly running: boolean;
};

export type ReflectorOptions<T extends Named> = {
  readonly connection: Connection;
  readonly discovery: Discovery;
  readonly resource: Resource<T>;
  readonly namespace: string | undefined;
  readonly share: SharedStrings;
  readonly order: ReadingOrder;
  readonly timing: Timing;
  readonly now: () => number;
  readonly onChange: () => void;
};

const bookmark = z.object({ metadata: z.object({ resourceVersion: z.string() }) });
const identity = z.object({ metadata: z.object({ name: z.string(), namespace: z.string().optional() }) });
const errorStatus = z.object({ code: z.number().optional() });

/** Seconds after which the server ends a watch; client-go takes five to ten minutes. */
const watchSeconds = () => 300 + Math.floor(Math.random() * 300);

/**
 * List, then watch from there (https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes).
 * A watch that ends resumes from the last revision; 410 Gone and every failure list again, with a growing,
 * jittered delay.
 */
export function createReflector<T extends Named>(options: ReflectorOptions<T>): Reflector<T> {
  const { connection, discovery, resource, namespace, share, order, timing, now } = options;
  const act = actOf('list', resource, namespace);
  let items = new Map<string, T>();
  let odd = new Set<string>();
  let shown: readonly T[] | undefined;
  let read = false;
  let failure: ClusterFailure | undefined;
  let readAt = 0;
  let followed = false;
  let revision = 0;
  let running: AbortController | undefined;
  let first = Promise.withResolvers<void>();
  let waiting = new AbortController();

  const changed = (): void => {
    revision += 1;
    shown = undefined;
    options.onChange();
  };
  const keep = (into: Map<string, T>, strange: Set<string>, object: unknown): boolean => {
    const parsed = resource.schema.safeParse(object);
    const named = parsed.success ? parsed.data : identity.safeParse(object).data;
    const key = named === undefined ? '(no name)' : keyOf(named);
    if (parsed.success) {
      strange.delete(key);
      into.set(key, share(parsed.data));
    } else {
      into.delete(key);
      strange.add(key);
    }
    return parsed.success;
  };

  /** Answers with the revision to watch from. */
  const readAll = async (path: string, signal: AbortSignal): Promise<string> => {
    const fresh = new Map<string, T>();
    const strange = new Set<string>();
    const resourceVersion = await readPages({ connection, path, act, signal }, (object) => {
      keep(fresh, strange, object);
    });
    items = fresh;
    odd = strange;
    read = true;
    failure = undefined;
    readAt = now();
    first.resolve();
    changed();
    return resourceVersion;
  };

  /** In its turn, while there is nothing to show yet. */
  const listFirst = async (signal: AbortSignal): Promise<string> => {
    if (resource.explains) {
      const path = await discovery.pathOf(resource, namespace);
      return read ? readAll(path, signal) : order.last(() => readAll(path, signal));
    }
    const end = read ? () => undefined : order.begin();
    try {
      return await readAll(await discovery.pathOf(resource, namespace), signal);
    } finally {
      end();
    }
  };

  /** Ends when the server ends the watch; answers with the revision to go on from. */
  const watchFrom = async (path: string, from: string, signal: AbortSignal): Promise<string> => {
    const seconds = watchSeconds();
    const query = new URLSearchParams({
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion: from,
      timeoutSeconds: `${seconds}`,
    });
    const deadline = AbortSignal.any([signal, AbortSignal.timeout((seconds + 30) * 1000)]);
    const answer = await connection.send({ path: `${path}?${query}`, act, signal: deadline, silence: 0 });
    if (answer.status !== 200) {
      const message = await answer.body.text();
      throw refusedWatch(answer.status, statusMessage(message), act, connection.host());
    }
    followed = true;
    let at = from;
    try {
      for await (const { type, object } of watchEvents(heardBytes(answer.body, connection))) {
        if (type === 'ERROR')
          throw refusedWatch(errorStatus.safeParse(object).data?.code, undefined, act, connection.host());
        at = bookmark.safeParse(object).data?.metadata.resourceVersion ?? at;
        if (type === 'BOOKMARK') continue;
        if (type === 'DELETED') forget(object);
        else keep(items, odd, object);
        changed();
      }
    } catch (error) {
      if (signal.aborted || error instanceof ClusterFailure) throw error;
      // Cut in the middle: goes on from the last revision, unless the server is gone, which the next request finds out.
    } finally {
      followed = false;
      readAt = connection.heardAt() ?? readAt;
    }
    return at;
  };
  const forget = (object: unknown): void => {
    const named = identity.safeParse(object).data;
    if (named === undefined) return;
    items.delete(keyOf(named));
    odd.delete(keyOf(named));
  };

  const fail = (error: ClusterFailure): void => {
    const before = failure?.message;
    failure = error;
    if (error.kind === 'not_served' || error.kind === 'forbidden') {
      items = new Map();
      odd = new Set();
      read = false;
    }
    // A server that asks to wait has not answered yet.
    if (error.kind !== 'throttled') first.resolve();
    if (before !== error.message) changed();
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    let tries = 0;
    let expired = 0;
    while (!signal.aborted) {
      try {
        let at = await listFirst(signal).catch((error: unknown) => {
          throw error instanceof ClusterFailure && error.kind === 'missing' ? notServed(resource) : error;
        });
        tries = 0;
        if (!resource.watchable) return;
        for (;;) {
          const since = now();
          at = await watchFrom(await discovery.pathOf(resource, namespace), at, signal);
          expired = 0;
          // A server that ends every watch at once is not to be asked without a pause.
          if (now() - since < 1_000) await after(200 + Math.random() * 300, undefined, { signal });
        }
      } catch (error) {
        if (signal.aborted) return;
        const met = networkFailure(error, connection.host());
        if (met.kind === 'expired' && expired < 3) {
          expired += 1;
          continue;
        }
        if (met.kind === 'missing' || met.kind === 'not_served') discovery.forget();
        fail(met);
        tries += 1;
        await sleep(waitOf(met, tries), signal);
      }
    }
  };
  const waitOf = ({ kind, retryAfter }: ClusterFailure, tries: number): number => {
    if (retryAfter !== undefined) return retryAfter;
    if (kind === 'not_served' || kind === 'forbidden') return timing.again;
    const longest = Math.min(timing.retry.first * 2 ** (tries - 1), timing.retry.last);
    return longest * (0.5 + Math.random() / 2);
  };
  const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    waiting = new AbortController();
    await after(ms, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(() => undefined);
  };

  return {
    snapshot() {
      shown ??= [...items.values()];
      return {
        items: shown,
        read,
        failure,
        notUnderstood: [...odd],
        readAt: followed && failure === undefined ? (connection.heardAt() ?? readAt) : readAt,
        revision,
      };
    },
    follow() {
      if (running === undefined) {
        const mine = new AbortController();
        running = mine;
        first = Promise.withResolvers();
        run(mine.signal)
          .catch((error: unknown) => fail(networkFailure(error, connection.host())))
          .finally(() => {
            first.resolve();
            if (running === mine) running = undefined;
          });
      }
      return first.promise;
    },
    kick: () => waiting.abort(),
    pause() {
      running?.abort();
      running = undefined;
    },
    get running() {
      return running !== undefined;
    },
  };
}

function keyOf({ metadata }: Named): string {
  return metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
}

function refusedWatch(
  status: number | undefined,
  message: string | undefined,
  act: string,
  host: string,
): ClusterFailure {
  // 504 with `Too large resource version`: a server that was set back to an older state.
  if (status === 410 || status === 504)
    return new ClusterFailure('expired', `${host} has forgotten the revision.`);
  if (status === 403) return new ClusterFailure('refused', `Forbidden: ${act.replace('list', 'watch')}.`);
  return new ClusterFailure(
    'refused',
    `${host} ended a watch${message === undefined ? '' : `: ${message}`}.`,
  );
}
