import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { parsedJson } from '../base/parsed-json.ts';
import { isVersion } from './version.ts';

/** An update cannot be used. The message says why, and what stays as it is. */
export class UpdateRefused extends Error {
  override readonly name = 'UpdateRefused';
}

/** The product; a manifest of another one is refused although its signature may be right. */
export const product = 'operator-console';

/** Kinds of packages that replace themselves; the others are their package manager's. */
export const packageKinds = ['appimage', 'nsis', 'mac-zip'] as const;
export type PackageKind = (typeof packageKinds)[number];

const file = z.strictObject({
  kind: z.enum(packageKinds),
  /** Node's name of the architecture. */
  arch: z.enum(['x64', 'arm64', 'universal']),
  /** A plain name beside the manifest: it can lead to no other place. */
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
  /** In bytes. */
  size: z.number().int().positive().max(2_000_000_000),
  sha512: z.string().regex(/^[0-9a-f]{128}$/),
});

const schema = z.strictObject({
  product: z.string(),
  version: z.string().refine(isVersion),
  /** When it was released (ISO 8601). */
  released: z.iso.datetime(),
  /** What changed, as text. */
  notes: z.string().max(20_000),
  /** Percent of installations that are offered it by themselves; whoever asks gets it. */
  rollout: z.number().int().min(0).max(100),
  files: z.array(file).min(1).max(32),
});

export type Manifest = z.infer<typeof schema>;
export type PackageFile = Manifest['files'][number];

/** Name of the manifest on a feed, and of its signature: base64 of 64 bytes. */
export const manifestName = 'updates.json';
export const signatureName = 'updates.json.sig';

/** What is signed: the bytes of the manifest behind words that no other signature of the key begins with. */
function signedBytes(manifest: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('operator-console update manifest 1\n'), manifest]);
}

/** Signs a manifest's bytes with an Ed25519 private key (PKCS #8, PEM). Returns base64. */
export function signManifest(manifest: Uint8Array, privateKey: string): string {
  return sign(null, signedBytes(manifest), createPrivateKey(privateKey)).toString('base64');
}

/** Returns the public key of a private one, as a build names it: SPKI DER in base64. */
export function publicKeyOf(privateKey: string): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
}

/**
 * Reads a manifest after its signature is found right by one of the keys (Ed25519, SPKI DER in base64): nothing of it is
 * looked at before. Throws `UpdateRefused`.
 */
export function readManifest(bytes: Uint8Array, signature: string, keys: readonly string[]): Manifest {
  const signed = Buffer.from(signature.trim(), 'base64');
  const isOurs = keys.some((key) =>
    verify(
      null,
      signedBytes(bytes),
      createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
      signed,
    ),
  );
  if (!isOurs)
    throw new UpdateRefused(
      'The list of updates is not signed by the key of this program. Nothing was downloaded.',
    );
  const { data } = schema.safeParse(parsedJson(Buffer.from(bytes).toString('utf8')));
  if (data === undefined)
    throw new UpdateRefused('The list of updates is signed, but cannot be read by this version.');
  if (data.product !== product)
    throw new UpdateRefused('The list of updates is of another program. Nothing was downloaded.');
  return data;
}
