import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Seals texts under one key, each bound to its name: a sealed text moved to another name does not open. */
export type Seal = {
  close(name: string, text: string): string;
  /** Undefined when it was sealed under another key or name, or was changed. */
  open(name: string, sealed: string): string | undefined;
};

const ivBytes = 12;
const tagBytes = 16;
const version = 'v1.';

/** AES-256-GCM (NIST SP 800-38D) with a random nonce; `key` is 32 bytes. A sealed text is base64url of nonce, tag, text. */
export function createSeal(key: Buffer): Seal {
  return {
    close(name, text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return version + Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
    },

    open(name, sealed) {
      const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
      if (!sealed.startsWith(version) || bytes.length < ivBytes + tagBytes) return undefined;
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      try {
        const text = decipher.update(bytes.subarray(ivBytes + tagBytes));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}
