import { z } from 'zod';
import type { HttpRead, Listing, Named, Resource } from '../../../cluster-model/kinds/index.ts';
import type { ClusterStatus, ObjectRead } from '../types.ts';
import { createAccessReviews } from './access-reviews.ts';
import { createAnyKind } from './any-kind.ts';
import { createChangeNotices } from './change-notices.ts';
import { type Collection, createCollection } from './collection.ts';
import { type ConnectionOptions, createConnection, readText } from './connection.ts';
import { actOf, createDiscovery, objectPath } from './discovery.ts';
import { type ClusterFailure, networkFailure } from './failures.ts';
import { createNamespaceFinder } from './namespace-finder.ts';
import { createObjectAccess } from './object-access.ts';
import { patchObject } from './patch-object.ts';
import { readPodLog } from './pod-logs.ts';
import { forwardPodPort, forwardPort } from './port-forward.ts';
import { rawObject } from './raw-object.ts';
import { createReadingOrder } from './reading-order.ts';
import { createReflector } from './reflector.ts';
import { releaseMemory } from './release-memory.ts';
import { createSharedStrings } from './shared-strings.ts';
import { defaultTiming } from './timing.ts';
import type { LiveCluster, LiveOptions } from './types.ts';
import { watchForSleep } from './watch-for-sleep.ts';

const version = z.object({ gitVersion: z.string() });

/** Bytes of an answer that `httpGet` reads: `/openapi/v3` of a cluster with many definitions has some megabytes. */
const largestPage = 16 * 1024 * 1024;

/** A cluster behind an API server. Contacts nothing before the first read, and idles when nobody reads for some minutes. */
export function openLiveCluster(
  transport: Pick<ConnectionOptions, 'resolve' | 'env' | 'pluginPath'>,
  options: LiveOptions,
): LiveCluster {
  const { now } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const collections = new Map<Resource<Named>, Map<string, Collection<Named>>>();
  const everything = (): Collection<Named>[] =>
    [...collections.values()].flatMap((scopes) => [...scopes.values()]);
  let gitVersion: string | undefined;
  let contacted = false;
  let memory: ReturnType<typeof releaseMemory> | undefined;
  let closed = false;

  const kickAll = (): void => {
    for (const collection of everything()) collection.kick();
  };
  const notices = createChangeNotices(() => status());
  const connection = createConnection({
    ...transport,
    now,
    timing,
    onTrouble(trouble) {
      notices.changed();
      for (const { resource } of everything()) notices.changed(resource);
      // It answers again: whoever waits for its turn need not.
      if (trouble === undefined) kickAll();
    },
  });
  const discovery = createDiscovery(connection, now, timing.again);
  const reviews = createAccessReviews(connection, now, timing.probe);
  const objectAccess = createObjectAccess({
    connection,
    reviews,
    writable: options.writable,
    contact: () => contact(),
    now,
  });
  const anyKind = createAnyKind(connection, now, timing.again);
  let contextNamespace: string | undefined;
  const finder = createNamespaceFinder({
    connection,
    configured: () => [
      ...options.namespaces(),
      ...(contextNamespace === undefined ? [] : [contextNamespace]),
    ],
    now,
    fresh: 2 * timing.again,
  });
  const share = createSharedStrings();
  const order = createReadingOrder(timing.firstAnswer);

  const status = (): ClusterStatus => {
    const readAt = connection.heardAt();
    const facts = {
      ...(gitVersion === undefined ? {} : { version: gitVersion }),
      ...(readAt === undefined ? {} : { readAt }),
    };
    if (!contacted) return { state: 'unread', ...facts };
    const trouble = connection.trouble();
    if (trouble !== undefined) return { state: stateOf(trouble), detail: trouble.message, ...facts };
    if (readAt === undefined) {
      const signIn = connection.signingIn();
      return {
        state: 'unread',
        ...(signIn === undefined ? {} : { detail: `${signIn} has not ended yet.` }),
        ...facts,
      };
    }
    const refusals = everything().flatMap((collection) => collection.refusal() ?? []);
    const [first] = refusals;
    if (first === undefined) return { state: 'ready', ...facts };
    const more = refusals.length - 1;
    return {
      state: 'partly',
      detail: more === 0 ? first : `${first} So ${more === 1 ? 'is 1 more kind' : `are ${more} more kinds`}.`,
      ...facts,
    };
  };

  /** Learns the version once, and what the context says; beside the reads, which need not wait for it. */
  const contact = (): void => {
    if (contacted || closed) return;
    contacted = true;
    memory ??= releaseMemory();
    void learn();
  };
  const learn = async (): Promise<void> => {
    try {
      contextNamespace = (await transport.resolve()).namespace;
      const answer = version.safeParse(await connection.json({ path: '/version', act: 'read its version' }));
      gitVersion = answer.data?.gitVersion ?? gitVersion;
      notices.changed();
    } catch {
      // The trouble is told by the status; the version is a detail.
    }
  };

  /** Whoever watches looks at everything that was listed. */
  const pauseUnseen = (): void => {
    if (notices.watched) return;
    for (const collection of everything())
      if (now() - collection.listedAt() >= timing.paused) collection.pause();
  };

  const stopWatching = watchForSleep({
    tick: timing.tick,
    asleep: timing.asleep,
    now,
    /** The machine slept: what is open may be dead without knowing it. */
    onWake() {
      connection.drop();
      kickAll();
    },
    async onTick() {
      pauseUnseen();
      const running = everything().some(({ running }) => running);
      const heardAt = connection.heardAt();
      if (!running || heardAt === undefined || now() - heardAt < timing.silence) return;
      if (connection.trouble() !== undefined) return;
      // Whatever it answers, it is there.
      await connection
        .send({ path: '/readyz', act: 'answer', signal: AbortSignal.timeout(timing.probe) })
        .then(({ body }) => readText(body, largestPage))
        .catch((error: unknown) => connection.lose(error));
    },
  });

  const collectionOf = <T extends Named>(
    resource: Resource<T>,
    namespace: string | undefined,
  ): Collection<T> => {
    const scopes = collections.get(resource) ?? new Map<string, Collection<Named>>();
    collections.set(resource, scopes);
    const known = scopes.get(namespace ?? '');
    // What is kept under a resource was made for it, below.
    if (known !== undefined) return known as Collection<T>;
    const made = createCollection({
      resource,
      namespace,
      connection,
      finder,
      timing,
      now,
      reflect: (within) =>
        createReflector({
          connection,
          discovery,
          resource,
          namespace: within,
          share,
          order,
          timing,
          now,
          onChange: () => notices.changed(resource),
        }),
    });
    scopes.set(namespace ?? '', made);
    return made;
  };

  return {
    source: 'kubernetes',
    takenAt: undefined,
    async list<T extends Named>(
      resource: Resource<T>,
      { namespace }: { readonly namespace?: string } = {},
    ): Promise<Listing<T>> {
      contact();
      const scope = resource.namespaced ? namespace : undefined;
      const followed = collections.get(resource)?.get('')?.running === true;
      // What is followed everywhere need not be followed once more.
      if (scope === undefined || !followed) return collectionOf(resource, scope).list();
      const everywhere = await collectionOf(resource, undefined).list();
      return {
        ...everywhere,
        items: everywhere.items.filter(({ metadata }) => metadata.namespace === scope),
      };
    },
    isFollowed: (resource) => collections.get(resource)?.get('')?.running === true,
    async get(resource, name, namespace): Promise<ObjectRead> {
      contact();
      const act = actOf('get', resource, namespace, name);
      try {
        const path = objectPath(await discovery.pathOf(resource, namespace), name);
        const object = rawObject(await connection.json({ path, act }));
        if (object === undefined) return { state: 'unread', reason: `The answer is no object: ${act}.` };
        return { state: 'read', object, readAt: now() };
      } catch (error) {
        const { kind, message } = networkFailure(error, connection.host());
        const missing = kind === 'missing' || kind === 'not_served';
        return missing
          ? {
              state: 'missing',
              reason:
                kind === 'missing'
                  ? `There is no ${resource.kind} ${name}${namespace === undefined ? '' : ` in ${namespace}`}.`
                  : message,
            }
          : { state: 'unread', reason: message };
      }
    },
    kinds() {
      contact();
      return anyKind.kinds();
    },
    table(request) {
      contact();
      return anyKind.table(request);
    },
    count(kind, signal) {
      contact();
      return anyKind.count(kind, signal);
    },
    watch: notices.watch,
    logs(request) {
      contact();
      return readPodLog(connection, request);
    },
    patch(resource, patch) {
      return patchObject(connection, discovery, options.writable(), resource, patch);
    },
    may(access) {
      contact();
      return reviews.may(access);
    },
    objectAccess,
    async httpGet(path, signal): Promise<HttpRead> {
      contact();
      try {
        const answer = await connection.send({ path, act: `read ${path}`, signal });
        return { state: 'read', status: answer.status, body: await readText(answer.body, largestPage) };
      } catch (error) {
        if (signal.aborted) return { state: 'unread', reason: `${path} was not answered in time.` };
        return { state: 'unread', reason: networkFailure(error, connection.host()).message };
      }
    },
    forward(forward, signal) {
      contact();
      return forwardPort(connection, discovery, forward, { signal, limit: timing.answer });
    },
    forwardPod(forward, signal) {
      contact();
      return forwardPodPort(connection, forward, { signal, limit: timing.answer });
    },
    async retry() {
      contacted = true;
      memory ??= releaseMemory();
      connection.renew();
      discovery.forget();
      finder.forget();
      reviews.forget();
      anyKind.forget();
      await learn();
      kickAll();
      notices.changed();
    },
    status,
    close() {
      closed = true;
      stopWatching();
      memory?.leave();
      for (const collection of everything()) collection.pause();
      connection.close();
      notices.close();
    },
  };
}

function stateOf({ kind }: ClusterFailure): ClusterStatus['state'] {
  return kind === 'broken' || kind === 'sign_in' ? kind : 'unreachable';
}
