import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type Manifest,
  manifestName,
  type PackageFile,
  type PackageKind,
  readManifest,
  signatureName,
  UpdateRefused,
} from './manifest.ts';
import { compareVersions } from './version.ts';

/** Where updates come from; part of the build, so that neither the environment nor a page can change it. */
export const feedSchema = z.object({
  /** Folder of the manifest: https, or http on loopback for a test. */
  url: z.url().refine((url) => /^https:|^http:\/\/(?:127\.0\.0\.1|\[::1\])[:/]/.test(url)),
  /** Ed25519 public keys, SPKI DER in base64: the release key, and the one that follows it. */
  keys: z.array(z.base64().min(1)).min(1).max(4),
});
export type Feed = z.infer<typeof feedSchema>;

/** This program as it is installed. */
export type Installed = {
  readonly version: string;
  readonly kind: PackageKind;
  readonly arch: string;
  /** Names this installation for a staged rollout; tells nothing of the person. */
  readonly id: string;
};

export type Update = { readonly manifest: Manifest; readonly file: PackageFile };

export type CheckOptions = {
  readonly feed: Feed;
  readonly installed: Installed;
  readonly pin: string | undefined;
  /** Versions that did not become ready here. */
  readonly failed: readonly string[];
  /** True when the person asked: the rollout does not hold it back then. */
  readonly asked: boolean;
  readonly signal: AbortSignal;
};

/** Largest manifest and signature, in bytes. */
const mostManifest = 256 * 1024;
const mostSignature = 1024;

/**
 * Returns the update that the feed has for this installation, or undefined when there is none. The signature is checked
 * before anything of the manifest is used, and the manifest before anything is downloaded. Throws `UpdateRefused` for
 * what is tampered with, of another program or older than what runs, and the error of the network.
 */
export async function findUpdate(options: CheckOptions): Promise<Update | undefined> {
  const { feed, installed, pin, failed, asked, signal } = options;
  const [manifestBytes, signature] = await Promise.all([
    read(addressOn(feed, manifestName), mostManifest, signal),
    read(addressOn(feed, signatureName), mostSignature, signal),
  ]);
  const manifest = readManifest(manifestBytes, signature.toString('latin1'), feed.keys);
  const { version } = manifest;
  const order = compareVersions(version, installed.version);
  if (order === 0) return undefined;
  if (order < 0)
    throw new UpdateRefused(
      `The list of updates offers ${version}, which is older than ${installed.version}. Nothing was downloaded.`,
    );
  if (pin !== undefined && pin !== version) return undefined;
  if (failed.includes(version)) return undefined;
  if (!asked && bucketOf(installed.id, version) >= manifest.rollout) return undefined;
  const file = manifest.files.find(
    ({ kind, arch }) => kind === installed.kind && (arch === installed.arch || arch === 'universal'),
  );
  return file === undefined ? undefined : { manifest, file };
}

/** Returns the address of a file on the feed. */
export function addressOn(feed: Feed, name: string): string {
  return new URL(name, feed.url.endsWith('/') ? feed.url : `${feed.url}/`).href;
}

/** From 0 to 99: another one for each version, so that it is not always the same machines that go first. */
export function bucketOf(id: string, version: string): number {
  return createHash('sha256').update(`${id} ${version}`).digest().readUInt32BE(0) % 100;
}

async function read(address: string, most: number, signal: AbortSignal): Promise<Buffer> {
  const answer = await fetch(address, {
    signal,
    redirect: 'error',
    headers: { 'cache-control': 'no-cache' },
  });
  if (!answer.ok || answer.body === null) {
    await answer.body?.cancel();
    throw new Error(`The update server answered ${answer.status}.`);
  }
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of answer.body) {
    size += piece.length;
    if (size > most) throw new UpdateRefused('The list of updates is too long. Nothing was downloaded.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
