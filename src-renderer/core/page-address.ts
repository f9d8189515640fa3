import { createContext, useContext } from 'react';
import type { AddressPart, PageAddress } from '#shared/page-address.ts';

/** Every part of the address; null where it has none. */
export type Address = { readonly [Name in AddressPart]: string | null };

/**
 * Goes to another place: `push` leaves a step to come back to, `replace` only corrects the address. A place that names
 * no target keeps the one this tab reads.
 */
export type Go = (to: PageAddress, history?: 'push' | 'replace') => void;

/** The address of a place, for a link: with the target this tab reads, unless the place names another. */
export type Href = (to: PageAddress) => string;

/** Both given by `AddressProvider`. */
export const AddressContext = createContext<readonly [Address, Go] | undefined>(undefined);
export const HrefContext = createContext<Href | undefined>(undefined);

/** Reads the address, and goes to another. */
export function usePageAddress(): readonly [Address, Go] {
  return within(useContext(AddressContext));
}

/** Returns the one function that writes an address of this tab. It changes with the target alone. */
export function useHref(): Href {
  return within(useContext(HrefContext));
}

function within<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The address is used outside of AddressProvider.');
  return value;
}
