import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeFolderSync } from '../../base/make-folder.ts';
import { deriveKey } from '../../base/process-end.ts';
import { secretFault } from '../../config/index.ts';

/** The store key as text in its own file: anyone who can read the file can read the store. */
export function keyFile(folder: string): string {
  return join(folder, 'store.key');
}

/** The store key under a passphrase. */
export function sealedKeyFile(folder: string): string {
  return join(folder, 'store-key.sealed');
}

/**
 * Returns the key in the 0600 file, or undefined without one. Throws an Error naming a file that contains no
 * key.
 */
export function readKeyFile(folder: string): Buffer | undefined {
  const file = keyFile(folder);
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const fault = secretFault('CONSOLE_STORE_KEY', text);
  if (fault !== undefined)
    throw new Error(`${file} is not a store key: its content ${fault} Nothing was changed.`);
  return Buffer.from(text.trim(), 'base64');
}

/** Writes the key for its owner only; false, and nothing written, when there is one already. */
export function addKeyFile(folder: string, key: Buffer): boolean {
  const file = keyFile(folder);
  const draft = writeDraft(file, `${key.toString('base64')}\n`);
  try {
    // Unlike a rename, a link never takes the place of a key that another start has just written.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (existsSync(file)) return false;
    // Some file systems have no links.
    if (!(error instanceof Error && 'code' in error && /^(?:EPERM|ENOTSUP|ENOSYS)$/.test(String(error.code))))
      throw error;
    renameSync(draft, file);
    return true;
  } finally {
    rmSync(draft, { force: true });
    syncFolder(folder);
  }
}

const wrapped = z.object({
  kdf: z.literal('scrypt'),
  // Bounded, so that a planted file cannot have this program take gigabytes.
  n: z
    .number()
    .int()
    .min(1 << 15)
    .max(1 << 20),
  r: z.number().int().min(1).max(32),
  p: z.number().int().min(1).max(16),
  salt: z.base64(),
  iv: z.base64(),
  tag: z.base64(),
  key: z.base64(),
});

// Equal to N=2^17, p=1 against a guesser, in a quarter of the memory: 32 MB
// (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt).
const cost = { n: 1 << 15, r: 8, p: 3 } as const;
const purpose = Buffer.from('operator-console store key');

/** Returns whether there is a key under a passphrase. */
export function hasSealedKey(folder: string): boolean {
  return readIfThere(sealedKeyFile(folder)) !== undefined;
}

/** Opens the key under its passphrase; undefined for a wrong one. Throws an Error naming a file that is damaged. */
export async function openSealedKey(folder: string, passphrase: string): Promise<Buffer | undefined> {
  const file = sealedKeyFile(folder);
  const { n, r, p, ...parts } = readWrapped(file);
  const { salt, iv, tag, key } = {
    salt: Buffer.from(parts.salt, 'base64'),
    iv: Buffer.from(parts.iv, 'base64'),
    tag: Buffer.from(parts.tag, 'base64'),
    key: Buffer.from(parts.key, 'base64'),
  };
  const under = await stretched(passphrase, salt, { n, r, p });
  try {
    const decipher = createDecipheriv('aes-256-gcm', under, iv, { authTagLength: 16 })
      .setAAD(purpose)
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(key), decipher.final()]);
  } catch {
    return undefined;
  }
}

/** Seals the key under a passphrase (scrypt, RFC 7914; AES-256-GCM), replacing what the file held. */
export async function writeSealedKey(folder: string, key: Buffer, passphrase: string): Promise<void> {
  const salt = randomBytes(16);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await stretched(passphrase, salt, cost), iv).setAAD(purpose);
  const sealed = Buffer.concat([cipher.update(key), cipher.final()]);
  const text = JSON.stringify({
    kdf: 'scrypt',
    ...cost,
    salt: salt.toString('base64'),
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    key: sealed.toString('base64'),
  });
  const file = sealedKeyFile(folder);
  renameSync(writeDraft(file, `${text}\n`), file);
  syncFolder(folder);
}

function readWrapped(file: string): z.infer<typeof wrapped> {
  try {
    return wrapped.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(
      `${file} is damaged, so the store key in it cannot be read. Nothing was changed: restore it from a backup.`,
      {
        cause: error,
      },
    );
  }
}

function stretched(
  passphrase: string,
  salt: Buffer,
  { n, r, p }: { n: number; r: number; p: number },
): Promise<Buffer> {
  // Composed and decomposed letters are one passphrase, whatever keyboard typed it.
  const text = passphrase.normalize('NFC');
  return deriveKey(text, salt, 32, { N: n, r, p, maxmem: 256 * n * r });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** On the disk before anything is encrypted under it: a store whose key a power cut took is lost. */
function writeDraft(file: string, text: string): string {
  makeFolderSync(dirname(file));
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: 0o600, flush: true });
  return draft;
}

function syncFolder(folder: string): void {
  // Windows cannot open a folder to flush it.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
