import type { AddressPart, PageAddress } from '#shared/page-address.ts';
import { addressParts, viewParts } from '#shared/page-address.ts';
import type { Address } from './page-address.ts';

/** The place of an address with parts changed; undefined takes a part off. */
export function addressWith(
  address: Address,
  change: { readonly [Part in AddressPart]?: string | undefined },
): PageAddress {
  const changed = { ...address, ...change };
  return Object.fromEntries(
    [...addressParts, ...viewParts].flatMap((part) => {
      const value = changed[part];
      return value === null || value === undefined ? [] : [[part, value]];
    }),
  );
}
