import type { Kept } from './kept.ts';

type Last<T> = { readonly items: readonly T[]; readonly groups: ReadonlyMap<string, readonly T[]> };

/** Items of these that are not the same object as before, by their place; undefined when most of them are others. */
export function changedPlaces(before: readonly object[], items: readonly object[]): number[] | undefined {
  if (before.length !== items.length) return undefined;
  const most = 8 + items.length / 20;
  const places: number[] = [];
  for (let at = 0; at < items.length; at += 1) {
    if (items[at] === before[at]) continue;
    if (places.push(at) > most) return undefined;
  }
  return places;
}

/**
 * Groups items by a name, in their order, those without one under the empty name. A group whose items are the same is the
 * same list again, so that what is made of it can be kept by it; among ten thousand items a change costs its own group.
 * `place` says which grouping it is: an object of its own for each use.
 */
export function keepGroups<T extends object>(
  kept: Kept,
  place: object,
  items: readonly T[],
  nameOf: (item: T) => string | undefined,
): ReadonlyMap<string, readonly T[]> {
  const last = kept.recall<Last<T>>(place, 'groups', []);
  const groups = (last && regrouped(last, items, nameOf)) ?? grouped(last, items, nameOf);
  kept.remember<Last<T>>(place, 'groups', [], { items, groups });
  return groups;
}

/** Returns the groups with those alone replaced that have an item that changed; undefined when one changed its group. */
function regrouped<T extends object>(
  { items: before, groups }: Last<T>,
  items: readonly T[],
  nameOf: (item: T) => string | undefined,
): ReadonlyMap<string, readonly T[]> | undefined {
  const places = changedPlaces(before, items);
  if (places === undefined) return undefined;
  if (places.length === 0) return groups;
  const next = new Map(groups);
  const replaced = new Map<string, T[]>();
  for (const place of places) {
    const [old, item] = [before[place], items[place]];
    if (old === undefined || item === undefined) return undefined;
    const name = nameOf(item) ?? '';
    if (name !== (nameOf(old) ?? '')) return undefined;
    const group = groups.get(name) ?? [];
    const own = replaced.get(name) ?? [...group];
    own[group.indexOf(old)] = item;
    replaced.set(name, own);
  }
  for (const [name, own] of replaced) next.set(name, own);
  return next;
}

function grouped<T extends object>(
  last: Last<T> | undefined,
  items: readonly T[],
  nameOf: (item: T) => string | undefined,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, readonly T[]>();
  const open = new Map<string, T[]>();
  for (const item of items) {
    const name = nameOf(item) ?? '';
    const group = open.get(name);
    if (group !== undefined) group.push(item);
    else open.set(name, [item]);
  }
  for (const [name, group] of open) {
    const before = last?.groups.get(name);
    groups.set(name, before !== undefined && areSame(before, group) ? before : group);
  }
  return groups;
}

function areSame(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, at) => item === right[at]);
}
