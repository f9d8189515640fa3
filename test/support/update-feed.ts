import { createHash, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Feed,
  type Manifest,
  manifestName,
  product,
  signatureName,
  signManifest,
} from '../../src-main/updates/index.ts';

/** A feed of updates on loopback, with a key of its own. */
export type UpdateFeed = {
  readonly feed: Feed;
  /** What it serves, by name; a test changes it. */
  readonly files: Map<string, Buffer>;
  /** Names of what was asked for, with the range. */
  readonly asked: string[];
  /** Cuts the connection after so many bytes of a package. */
  cutAfter: number | undefined;
  /** Releases a version with this package. */
  release(version: string, content: Buffer, more?: Partial<Manifest>): void;
  /** Signs what the manifest is now. */
  sign(): void;
  close(): Promise<void>;
};

export const packageName = 'operator-console-x86_64.AppImage';

/** Starts it. */
export async function startUpdateFeed(): Promise<UpdateFeed> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const files = new Map<string, Buffer>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const content = files.get(name);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    asked.push(from === 0 ? name : `${name} from ${from}`);
    if (content === undefined) {
      response.writeHead(404).end();
      return;
    }
    const piece = content.subarray(from);
    response.writeHead(from === 0 ? 200 : 206, { 'content-length': piece.length });
    const { cutAfter } = own;
    if (cutAfter === undefined || name !== packageName) response.end(piece);
    else response.write(piece.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 50));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const own: UpdateFeed = {
    feed: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      keys: [publicKey.export({ type: 'spki', format: 'der' }).toString('base64')],
    },
    files,
    asked,
    cutAfter: undefined,
    release(version, content, more = {}) {
      const manifest: Manifest = {
        product,
        version,
        released: '2026-11-23T00:00:00Z',
        notes: `What is new in ${version}.`,
        rollout: 100,
        files: [
          {
            kind: 'appimage',
            arch: process.arch === 'arm64' ? 'arm64' : 'x64',
            name: packageName,
            size: content.length,
            sha512: createHash('sha512').update(content).digest('hex'),
          },
        ],
        ...more,
      };
      files.set(packageName, content);
      files.set(manifestName, Buffer.from(JSON.stringify(manifest)));
      own.sign();
    },
    sign() {
      files.set(signatureName, Buffer.from(signManifest(files.get(manifestName) ?? Buffer.alloc(0), secret)));
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return own;
}
