import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** The names of the four files of a mesh identity: the keys of the namespace's Secret (BCK-063). */
export const meshFileNames = {
  caCertificate: 'ca.crt',
  caKey: 'ca.key',
  leafCertificate: 'tls.crt',
  leafKey: 'tls.key',
} as const;

/** A certificate with what came behind it in its file, and its private key. */
export type CertifiedPair = {
  readonly certificate: X509Certificate;
  /** Intermediates, in the order of the file. */
  readonly others: readonly X509Certificate[];
  readonly key: KeyObject;
};

/** A pair that cannot be used; the message says which file and why, as the end of a sentence. */
export class UnusablePair extends Error {
  override readonly name = 'UnusablePair';
}

/** A certificate and a key that are each whole, and not of one pair. */
export class MismatchedPair extends UnusablePair {}

/** Larger is no certificate. */
const mostBytes = 256 * 1024;
const block = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/**
 * Reads a certificate and its key from a mounted Secret. Kubernetes swaps the folder behind `..data` in one step, so both are read
 * from the folder it points to now. Throws `UnusablePair` for one that is missing, unreadable or does not belong to the other.
 */
export async function readPair(
  folder: string,
  certificateName: string,
  keyName: string,
): Promise<CertifiedPair> {
  const current = await realpath(join(folder, '..data')).catch(() => folder);
  // One after the other: where both are missing, it is the certificate that is named, every time.
  const certificates = parseCertificates(await readText(current, certificateName), certificateName);
  const key = parseKey(await readText(current, keyName), keyName);
  const [certificate, ...others] = certificates;
  if (certificate === undefined) throw new UnusablePair(`${certificateName} holds no certificate`);
  if (!certificate.checkPrivateKey(key))
    throw new MismatchedPair(`${keyName} is not the key of the certificate in ${certificateName}`);
  return { certificate, others, key };
}

async function readText(folder: string, name: string): Promise<string> {
  const file = await open(join(folder, name)).catch((error: unknown) => {
    throw new UnusablePair(`${name} is ${isMissing(error) ? 'missing' : 'unreadable'}`, { cause: error });
  });
  try {
    const buffer = Buffer.alloc(mostBytes);
    const { bytesRead } = await file.read(buffer, 0, mostBytes, 0);
    if (bytesRead === 0) throw new UnusablePair(`${name} is empty`);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function parseCertificates(text: string, name: string): X509Certificate[] {
  try {
    return [...text.matchAll(block)].map(([pem]) => new X509Certificate(pem));
  } catch (error) {
    throw new UnusablePair(`${name} holds a certificate that cannot be read`, { cause: error });
  }
}

function parseKey(text: string, name: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // Without its cause: what OpenSSL says of a key is not for a log.
    throw new UnusablePair(`${name} holds no private key in PEM`);
  }
}
