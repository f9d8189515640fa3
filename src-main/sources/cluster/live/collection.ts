import { counted } from '#shared/text.ts';
import type { Listing, Named, Resource } from '../../../cluster-model/kinds/index.ts';
import type { Connection } from './connection.ts';
import { actOf } from './discovery.ts';
import { type ClusterFailure, networkFailure, shownMinute } from './failures.ts';
import type { NamespaceFinder } from './namespace-finder.ts';
import type { Reflector, Snapshot } from './reflector.ts';
import type { Timing } from './timing.ts';

/** One kind in all namespaces, or where that is not allowed in those that may be read; or in one namespace. */
export type Collection<T extends Named> = {
  readonly resource: Resource<T>;
  list(): Promise<Listing<T>>;
  kick(): void;
  /** Stops following. */
  pause(): void;
  /** Epoch milliseconds of the last `list`. */
  listedAt(): number;
  /** Returns whether anything of it may not be read, as a sentence. */
  refusal(): string | undefined;
  readonly running: boolean;
};

export type CollectionOptions<T extends Named> = {
  readonly resource: Resource<T>;
  readonly namespace: string | undefined;
  readonly connection: Connection;
  readonly finder: NamespaceFinder;
  readonly timing: Timing;
  readonly now: () => number;
  readonly reflect: (namespace: string | undefined) => Reflector<T>;
};

/** Namespaces that are followed one by one; each costs a connection for each kind. */
const mostNamespaces = 40;

export function createCollection<T extends Named>(options: CollectionOptions<T>): Collection<T> {
  const { resource, namespace, connection, finder, timing, now, reflect } = options;
  const whole = reflect(namespace);
  const parts = new Map<string, Reflector<T>>();
  let listedAt = 0;
  let refused: string | undefined;

  const patience = resource.explains
    ? Math.min(timing.firstExplained, timing.firstAnswer)
    : timing.firstAnswer;
  /** Returns whether the work was done in time; it goes on in any case. */
  const within = async (work: Promise<void>): Promise<boolean> => {
    const { promise, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), patience);
    try {
      return await Promise.race([work.then(() => true), promise]);
    } finally {
      clearTimeout(timer);
    }
  };

  const listWhole = async (): Promise<Listing<T> | 'forbidden'> => {
    const before = whole.snapshot();
    // A resource without watch is listed again, unless that was a moment ago.
    const isOld = resource.watchable ? !whole.running : now() - before.readAt >= timing.silence;
    const answered = isOld || !before.read ? await within(whole.follow()) : true;
    const after = whole.snapshot();
    if (after.failure?.kind === 'forbidden') return 'forbidden';
    return listingOf([after], [], answered);
  };

  const listParts = async (): Promise<Listing<T>> => {
    const found = await finder.find();
    const names = found.names.slice(0, mostNamespaces);
    const { open, closed } = await finder.split(resource, names);
    for (const [name, reflector] of parts) {
      if (open.includes(name)) continue;
      reflector.pause();
      parts.delete(name);
    }
    for (const name of open) if (!parts.has(name)) parts.set(name, reflect(name));
    const answered = await within(
      Promise.all([...parts.values()].map((part) => part.follow())).then(() => undefined),
    );
    const gaps = closed.length === 0 ? [] : [`Forbidden: list ${resource.plural} in ${named(closed)}.`];
    if (!found.all)
      gaps.unshift(
        names.length === 0
          ? `Forbidden: list ${resource.plural} in all namespaces, and no namespace is known: name some in CONSOLE_NAMESPACES.`
          : `Forbidden: list ${resource.plural} in all namespaces; read one by one: ${counted(names.length, 'namespace')}.`,
      );
    if (found.names.length > names.length)
      gaps.push(
        `Only ${mostNamespaces} of ${found.names.length} namespaces are read for ${resource.plural}: they may not be listed in all at once.`,
      );
    const listing = listingOf(
      [...parts.values()].map((part) => part.snapshot()),
      gaps,
      answered,
    );
    if (parts.size === 0) return { ...listing, state: 'forbidden', readAt: now() };
    const readIn = [...parts].flatMap(([name, part]) => {
      const snapshot = part.snapshot();
      return snapshot.read && gapsOf(snapshot, resource, connection).length === 0 ? [name] : [];
    });
    return { ...listing, readIn };
  };

  const listingOf = (
    snapshots: readonly Snapshot<T>[],
    more: readonly string[],
    answered: boolean,
  ): Listing<T> => {
    const gaps = [...more, ...snapshots.flatMap((snapshot) => gapsOf(snapshot, resource, connection))];
    const signIn = answered ? undefined : connection.signingIn();
    if (signIn !== undefined)
      gaps.push(
        `${signIn} has not ended within ${patience / 1000} s: ${actOf('list', resource, namespace)}.`,
      );
    else if (!answered && !snapshots.every(({ read }) => read))
      gaps.push(
        resource.explains
          ? `The ${resource.plural} of ${connection.host()} are still being read; what they explain is missing until then.`
          : `${connection.host()} has not answered within ${patience / 1000} s: ${actOf('list', resource, namespace)}.`,
      );
    const [only] = snapshots;
    const failures = snapshots.map(({ failure }) => failure);
    const read = snapshots.some((snapshot) => snapshot.read);
    const state = read
      ? gaps.length === 0
        ? 'read'
        : 'partly'
      : failures.length > 0 && failures.every((failure) => failure?.kind === 'not_served')
        ? 'not_served'
        : failures.length > 0 && failures.every((failure) => failure?.kind === 'forbidden')
          ? 'forbidden'
          : 'unavailable';
    return {
      state,
      items:
        snapshots.length === 1 && only !== undefined ? only.items : snapshots.flatMap(({ items }) => items),
      gaps: state === 'not_served' ? [] : [...new Set(gaps)],
      readAt: Math.max(...snapshots.map(({ readAt }) => readAt)) || now(),
      revision: `${snapshots.map(({ revision }) => revision).join('.')}${answered ? '' : '?'}${gaps.length}`,
    };
  };

  return {
    resource,
    async list() {
      listedAt = now();
      try {
        const listing = await listWhole();
        if (listing !== 'forbidden') {
          refused = undefined;
          for (const part of parts.values()) part.pause();
          parts.clear();
          return listing;
        }
        refused = `Forbidden: ${actOf('list', resource, namespace)}${namespace === undefined && resource.namespaced ? ' in all namespaces' : ''}.`;
        if (namespace === undefined && resource.namespaced) return await listParts();
        return { state: 'forbidden', items: [], gaps: [refused], readAt: now(), revision: refused };
      } catch (error) {
        const { message } = networkFailure(error, connection.host());
        return { state: 'unavailable', items: [], gaps: [message], readAt: now(), revision: message };
      }
    },
    kick() {
      whole.kick();
      for (const part of parts.values()) part.kick();
    },
    listedAt: () => listedAt,
    pause() {
      whole.pause();
      for (const part of parts.values()) part.pause();
    },
    // Retried automatically while it is watched, though nobody may still list it.
    refusal: () => (whole.running && whole.snapshot().failure?.kind !== 'forbidden' ? undefined : refused),
    get running() {
      return whole.running || [...parts.values()].some((part) => part.running);
    },
  };
}

/** Names in a sentence before the rest is only counted. */
const mostNamed = 5;

/** `a, b and 3 more namespaces`. */
function named(names: readonly string[]): string {
  const more = names.length - mostNamed;
  if (more <= 0) return names.join(', ');
  return `${names.slice(0, mostNamed).join(', ')} and ${more} more ${more === 1 ? 'namespace' : 'namespaces'}`;
}

/** Returns the gaps a reader must know about in a reflector's data. */
function gapsOf<T>(
  { read, failure: met, notUnderstood }: Snapshot<T>,
  { plural }: Pick<Resource<Named>, 'plural'>,
  connection: Connection,
): string[] {
  const gaps: string[] = [];
  const failure = met ?? connection.trouble();
  if (failure !== undefined && failure.kind !== 'not_served') gaps.push(staleness(failure, read, connection));
  if (notUnderstood.length > 0) {
    const shown = notUnderstood.slice(0, 3).join(', ');
    const more = notUnderstood.length > 3 ? ' and more' : '';
    gaps.push(`${notUnderstood.length} of the ${plural} could not be understood: ${shown}${more}.`);
  }
  return gaps;
}

function staleness(failure: ClusterFailure, read: boolean, connection: Connection): string {
  const since = connection.heardAt();
  if (!read || since === undefined) return failure.message;
  const time = shownMinute(since);
  return failure.kind === 'unreachable' && connection.trouble() !== undefined
    ? `${connection.host()} has not answered since ${time}; what is shown is from then.`
    : `${failure.message} What is shown is from ${time}.`;
}
