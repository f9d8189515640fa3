import { parseAsString, useQueryStates } from 'nuqs';
import { useCallback } from 'react';

/** The console's address: a page and what is open on it (spec/console.md, console deep link). */
export type Place = {
  readonly tab?: string;
  readonly chat?: string;
  readonly app?: string;
  readonly panel?: string;
  readonly section?: string;
};

const parsers = {
  tab: parseAsString,
  chat: parseAsString,
  app: parseAsString,
  panel: parseAsString,
  section: parseAsString,
};

/** Every part of the address; null where it has none. */
export type Address = { readonly [Name in keyof typeof parsers]: string | null };

/** Reads the address, and goes to another: `push` leaves a step to come back to, `replace` only corrects it. */
export function usePlace(): [Address, (place: Place, history?: 'push' | 'replace') => void] {
  const [address, setAddress] = useQueryStates(parsers);
  const go = useCallback(
    (place: Place, history: 'push' | 'replace' = 'push') => {
      const empty = { tab: null, chat: null, app: null, panel: null, section: null };
      setAddress({ ...empty, ...place }, { history });
    },
    [setAddress],
  );
  return [address, go];
}

/** A link's address for a place, in the order of the deep link. */
export function placeAddress(place: Place): string {
  const pairs = Object.entries(place).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
