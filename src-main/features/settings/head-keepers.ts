import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../../base/private-file.ts';
import type { Keychain } from '../../sources/keychain/index.ts';
import type { ChainHead, HeadKeeper } from '../audit/index.ts';

const headSchema = z.object({ seq: z.number().int().nonnegative(), hash: z.string() });

/** Keeps the head of the audit chain in the keychain, under a name of its store. */
export function keychainHeadKeeper(keychain: Keychain, store: string): HeadKeeper {
  const name = `audit-head${store}`;
  return {
    kind: 'keychain',
    async read() {
      const held = await keychain.get(name);
      if (held === undefined) return undefined;
      try {
        return headSchema.parse(JSON.parse(held));
      } catch (error) {
        throw new Error(
          "The keychain's entry for the head of the audit trail is not valid: something else wrote it.",
          {
            cause: error,
          },
        );
      }
    },
    write: ({ seq, hash }) => keychain.set(name, JSON.stringify({ seq, hash })),
  };
}

const sealedSchema = headSchema.extend({ seal: z.string() });

/**
 * Keeps the head of the audit chain in a file for its owner only, sealed with an HMAC under the store key: a
 * person who can change the file but does not have the key cannot make it match a truncated chain. `read`
 * throws an Error that names a file whose seal is not valid.
 */
export function fileHeadKeeper(folder: string, store: string, key: Buffer): HeadKeeper {
  const file = join(folder, `audit-head${store}.json`);
  const sealOf = ({ seq, hash }: ChainHead): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([store, seq, hash]))
      .digest();
  return {
    kind: 'file',
    async read() {
      let text: string;
      try {
        text = readFileSync(file, 'utf8');
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
      try {
        const { seq, hash, seal } = sealedSchema.parse(JSON.parse(text));
        const given = Buffer.from(seal, 'base64url');
        const expected = sealOf({ seq, hash });
        if (given.length === expected.length && timingSafeEqual(given, expected)) return { seq, hash };
      } catch {
        // Told below: what cannot be read is as little to be believed as what does not hold.
      }
      throw new Error(
        `${file} was changed by another program, or with another store key: its seal is invalid.`,
      );
    },
    async write({ seq, hash }) {
      writePrivateFile(file, { seq, hash, seal: sealOf({ seq, hash }).toString('base64url') });
    },
  };
}
