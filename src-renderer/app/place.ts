import { parseAsString, useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import type { Place, PlacePart } from '#shared/place.ts';

const parsers = {
  tab: parseAsString,
  chat: parseAsString,
  app: parseAsString,
  panel: parseAsString,
  section: parseAsString,
  q: parseAsString,
  actor: parseAsString,
  action: parseAsString,
  outcome: parseAsString,
  since: parseAsString,
  until: parseAsString,
  record: parseAsString,
} satisfies Record<PlacePart, typeof parseAsString>;

const nowhere = {
  tab: null,
  chat: null,
  app: null,
  panel: null,
  section: null,
  q: null,
  actor: null,
  action: null,
  outcome: null,
  since: null,
  until: null,
  record: null,
} satisfies Record<PlacePart, null>;

/** Every part of the address; null where it has none. */
export type Address = { readonly [Name in PlacePart]: string | null };

/** Goes to another place: `push` leaves a step to come back to, `replace` only corrects the address. */
export type Go = (place: Place, history?: 'push' | 'replace') => void;

/** Reads the address, and goes to another. */
export function usePlace(): [Address, Go] {
  const [address, setAddress] = useQueryStates(parsers);
  const go = useCallback<Go>(
    (place, history = 'push') => {
      setAddress({ ...nowhere, ...place }, { history });
    },
    [setAddress],
  );
  return [address, go];
}
