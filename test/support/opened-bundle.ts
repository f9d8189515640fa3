import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { openBundle } from '../../src-main/sources/cluster/bundle/index.ts';
import type { OpenBundleOptions, OpenedBundle } from '../../src-main/sources/cluster/bundle/types.ts';

const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

/** A folder of this test, removed after it. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-test-'));
  cleaning.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens a bundle that is closed after the test: bytes of an archive, files of a folder, or a path. */
export async function opened(
  bundle: Buffer | Readonly<Record<string, unknown>> | string,
  options: Partial<OpenBundleOptions> & { readonly name?: string } = {},
): Promise<OpenedBundle> {
  const folder = testFolder();
  const result = await openBundle({
    path: typeof bundle === 'string' ? bundle : put(folder, bundle, options.name ?? 'bundle.tar.gz'),
    spool: join(folder, 'spool'),
    signal: AbortSignal.timeout(60_000),
    onProgress: () => undefined,
    ...options,
  });
  cleaning.push(() => result.close());
  return result;
}

function put(folder: string, bundle: Buffer | Readonly<Record<string, unknown>>, name: string): string {
  const path = join(folder, name);
  if (Buffer.isBuffer(bundle)) {
    writeFileSync(path, bundle);
    return path;
  }
  for (const [file, content] of Object.entries(bundle)) {
    const place = join(folder, 'files', file);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(
      place,
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
  }
  return join(folder, 'files');
}

/** The whole text of a container's log, or why there is none. */
export async function logText(
  { cluster }: OpenedBundle,
  of: string,
  options: { readonly previous?: boolean; readonly tail?: number } = {},
): Promise<string> {
  const [namespace = '', pod = '', container = ''] = of.split('/');
  const read = await cluster.logs({
    namespace,
    pod,
    container,
    signal: AbortSignal.timeout(30_000),
    ...options,
  });
  if (read.state !== 'read') return `${read.state}: ${read.reason}`;
  const parts: Uint8Array[] = [];
  for await (const part of read.bytes) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
