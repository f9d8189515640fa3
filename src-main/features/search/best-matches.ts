import { matchClasses } from '#shared/search/match-name.ts';
import { createPace } from '../../base/pace.ts';

/** Matches by class, the best first; each class in the order in which it was found. */
export type Matches<T> = { readonly byClass: readonly T[][]; add(rank: number, match: T): void };

export function createMatches<T>(): Matches<T> {
  const byClass = matchClasses.map((): T[] => []);
  return { byClass, add: (rank, match) => void byClass[rank]?.push(match) };
}

/** The best matches, and how many there are beyond them. */
export type Best<T> = { readonly items: readonly T[]; readonly more: number; readonly rank: number };

/** Items looked at between two looks at the clock. */
const perLook = 256;

/**
 * Returns the best matches: of the best classes first, within one by `orderOf`, numbers compared one after the other.
 * Only a class that not all may come from is ordered as a whole, once through.
 */
export async function bestMatches<T>(
  { byClass }: Matches<T>,
  limit: number,
  orderOf: (match: T) => readonly [number, number, string],
): Promise<Best<T>> {
  const pace = createPace();
  const items: T[] = [];
  let rank = byClass.length;
  let count = 0;
  for (const [at, matches] of byClass.entries()) {
    count += matches.length;
    const room = limit - items.length;
    if (room <= 0 || matches.length === 0) continue;
    rank = Math.min(rank, at);
    const best: { readonly match: T; readonly order: readonly [number, number, string] }[] = [];
    for (const [index, match] of matches.entries()) {
      if (index % perLook === 0) await pace.breathe();
      const order = orderOf(match);
      const last = best.at(-1);
      if (best.length >= room && last !== undefined && isBefore(last.order, order)) continue;
      const place = best.findIndex((other) => isBefore(order, other.order));
      best.splice(place < 0 ? best.length : place, 0, { match, order });
      if (best.length > room) best.pop();
    }
    items.push(...best.map(({ match }) => match));
  }
  return { items, more: count - items.length, rank };
}

function isBefore(a: readonly [number, number, string], b: readonly [number, number, string]): boolean {
  if (a[0] !== b[0]) return a[0] < b[0];
  if (a[1] !== b[1]) return a[1] < b[1];
  return a[2].length === b[2].length ? a[2] <= b[2] : a[2].length < b[2].length;
}
