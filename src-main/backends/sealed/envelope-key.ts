import { StartupRefused } from '../serving/index.ts';

/** Length of the key-encryption key, in bytes (BCK-092). */
export const envelopeKeyBytes = 32;

const remedy =
  'Restore the original from escrow if data exists; never generate a new one over existing data.';

/**
 * Reads `PLATFORM_ENVELOPE_KEK`: standard base64 of exactly 32 bytes. Throws `StartupRefused` in the words of BCK-066 and
 * BCK-067; the value is never part of it.
 */
export function readEnvelopeKey(value: string): Buffer {
  const text = value.trim();
  const bytes = Buffer.from(text, 'base64');
  // Node skips what is no base64: only what encodes back to the same text was base64 throughout.
  if (bytes.toString('base64').replace(/=+$/, '') !== text.replace(/={0,2}$/, '') || text === '') {
    throw new StartupRefused(
      `envelope key not valid base64: PLATFORM_ENVELOPE_KEK must be the base64 of 32 bytes. ${remedy}`,
    );
  }
  if (bytes.length !== envelopeKeyBytes) {
    throw new StartupRefused(
      `envelope key must be 32 bytes: PLATFORM_ENVELOPE_KEK holds ${bytes.length}. ${remedy}`,
    );
  }
  return bytes;
}
