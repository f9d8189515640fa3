import { parseAsString, useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import type { Place } from '#shared/place.ts';

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
