import type { Listing } from './kinds/types.ts';

/** Returns whether there is something to go by: a kind the server does not have is read, and there is none. */
export function wasRead({ state }: Pick<Listing<unknown>, 'state'>): boolean {
  return state === 'read' || state === 'partly' || state === 'not_served';
}

/** Returns whether what is not in the listing does not exist. */
export function wasReadWhole({ state }: Pick<Listing<unknown>, 'state'>): boolean {
  return state === 'read' || state === 'not_served';
}

/** Returns whether what is not in the listing does not exist in a namespace. */
export function wasReadIn(
  { state, readIn }: Pick<Listing<unknown>, 'state' | 'readIn'>,
  namespace: string,
): boolean {
  return wasReadWhole({ state }) || (state === 'partly' && readIn?.includes(namespace) === true);
}

/** Items by a name, in their order. */
export function groupBy<T>(items: readonly T[], nameOf: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item) ?? '';
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}

/** Items by namespace. */
export function byNamespace<T extends { readonly metadata: { readonly namespace?: string | undefined } }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  return groupBy(items, ({ metadata }) => metadata.namespace);
}

type Placed = {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined };
};

const indexes = new WeakMap<readonly Placed[], ReadonlyMap<string, Placed>>();

/** Finds an object among those of one kind, by an index that is made once for the same items. */
export function objectIn<T extends Placed>(
  items: readonly T[],
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
): T | undefined {
  let index = indexes.get(items);
  if (index === undefined) {
    // The first of several of a name counts.
    index = new Map(items.toReversed().map((item) => [placeOf(item.metadata), item]));
    indexes.set(items, index);
  }
  // The index of these items has nothing but these items.
  return index.get(placeOf({ name, namespace })) as T | undefined;
}

const placeOf = ({ name, namespace }: Placed['metadata']): string => `${namespace ?? ''}/${name}`;
