import { z } from 'zod';

/** A kept secret and the address it was given for. */
export type BoundSecret = { readonly value: string; readonly address: string };

const written = z.object({ value: z.string(), address: z.string() });

/** Returns the text under which a secret is kept with its address: one seal, or one entry of the keychain, holds both. */
export function writeBoundSecret(value: string, address: string | undefined): string {
  return JSON.stringify({ value, address: sameForm(address) });
}

/** Reads what `writeBoundSecret` wrote; undefined for a text that names no address. */
export function readBoundSecret(text: string): BoundSecret | undefined {
  try {
    return written.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Returns whether two addresses are one, however they are written: case of the host, a slash at the end. */
export function isSameAddress(one: string | undefined, other: string | undefined): boolean {
  return sameForm(one) === sameForm(other);
}

function sameForm(address = ''): string {
  const text = address.trim();
  return (URL.canParse(text) && /^https?:/i.test(text) ? new URL(text).href : text.toLowerCase()).replace(
    /\/+$/,
    '',
  );
}
