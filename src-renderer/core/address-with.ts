import type { Place, PlacePart } from '#shared/place.ts';
import { placeParts, viewParts } from '#shared/place.ts';
import type { Address } from './page-address.ts';

/** The place of an address with parts changed; undefined takes a part off. */
export function addressWith(
  address: Address,
  change: { readonly [Part in PlacePart]?: string | undefined },
): Place {
  const changed = { ...address, ...change };
  return Object.fromEntries(
    [...placeParts, ...viewParts].flatMap((part) => {
      const value = changed[part];
      return value === null || value === undefined ? [] : [[part, value]];
    }),
  );
}
