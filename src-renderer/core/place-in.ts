import { addressParts, type PageAddress, viewParts } from '#shared/page-address.ts';

/** Reads the place that an address inside the console names, such as one that the console answered. */
export function placeIn(address: string): PageAddress {
  const query = new URLSearchParams(address.slice(address.indexOf('?') + 1));
  return Object.fromEntries(
    [...addressParts, ...viewParts].flatMap((part) => {
      const value = query.get(part);
      return value === null ? [] : [[part, value]];
    }),
  );
}
