/** Least length of the studio identity key in bytes (CON-190). */
export const identityKeyBytes = 32;

// Strict on purpose: decoders skip what they do not know, so a mistyped key would become another key.
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;

/** Reason a value cannot be the key; `bytes` is the length of one that is too short. */
export type IdentityKeyFault =
  | { readonly kind: 'unset' }
  | { readonly kind: 'not-base64' }
  | { readonly kind: 'short'; readonly bytes: number };

/**
 * Returns the fault of a value of `CONSOLE_STUDIO_IDENTITY_KEY`, or undefined: it must be standard base64,
 * padding optional, of at least 32 bytes (CON-056). The console and the studio must agree on this, or one
 * would refuse what the other accepted.
 */
export function identityKeyFault(value: string | undefined): IdentityKeyFault | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return { kind: 'unset' };
  if (!base64.test(text)) return { kind: 'not-base64' };
  const bytes = Math.floor((text.replace(/=+$/, '').length * 3) / 4);
  return bytes < identityKeyBytes ? { kind: 'short', bytes } : undefined;
}
