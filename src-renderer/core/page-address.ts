import { parseAsString, useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { type AddressPart, eachPart, type PageAddress } from '#shared/page-address.ts';

const parsers = eachPart(parseAsString);
const nowhere = eachPart(null);

/** Every part of the address; null where it has none. */
export type Address = { readonly [Name in AddressPart]: string | null };

/** Goes to another place: `push` leaves a step to come back to, `replace` only corrects the address. */
export type Go = (to: PageAddress, history?: 'push' | 'replace') => void;

/** Reads the address, and goes to another. */
export function usePageAddress(): [Address, Go] {
  const [address, setAddress] = useQueryStates(parsers);
  const go = useCallback<Go>(
    (to, history = 'push') => {
      setAddress({ ...nowhere, ...to }, { history });
    },
    [setAddress],
  );
  return [address, go];
}
