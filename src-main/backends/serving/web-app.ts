import { createHash } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { writeHead } from './bodies.ts';
import { matchesTag } from './entity-tags.ts';
import type { AnyRequest, AnyResponse } from './protocols.ts';
import { RouteRefused, StartupRefused } from './refusals.ts';

type Variant = { readonly encoding: 'br' | 'gzip' | undefined; readonly bytes: Buffer };
type WebFile = { readonly type: string; readonly etag: string; readonly variants: readonly Variant[] };

/** The files of a web app, by their paths from its root. */
export type WebFiles = ReadonlyMap<string, WebFile>;

export type WebAppOptions = {
  /** Headers of every file, such as its content security policy. */
  readonly headers: Readonly<Record<string, string>>;
  /** True for an app that makes its own pages of any path without an extension: they are answered with `index.html`. */
  readonly ownPaths: boolean;
  /**
   * Folder whose file names contain a content digest, so that they may be cached forever; none by default.
   */
  readonly digestedUnder?: string;
  /** Names the app in its refusals, such as `The web app`. */
  readonly name: string;
};

/** Most bytes of a web app, which is kept in memory: a folder that holds more is another one. */
const mostBytes = 64 * 1024 * 1024;

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
  ['.avif', 'image/avif'],
  ['.ico', 'image/x-icon'],
  ['.woff', 'font/woff'],
  ['.woff2', 'font/woff2'],
  ['.wasm', 'application/wasm'],
]);

/**
 * Reads the built web app in a folder; what lies beside a file as `.br` or `.gz` is another encoding of it. Empty when the folder holds no
 * `index.html`. Throws `StartupRefused`, naming `setting`, for a folder of more than 64 MB.
 */
export async function readWebFiles(dir: string, setting: string): Promise<WebFiles> {
  if (!existsSync(join(dir, 'index.html'))) return new Map();
  const bytesOf = new Map<string, Buffer>();
  let bytesRead = 0;
  const read = async (folder: string, at: string): Promise<void> => {
    const entries: Dirent[] = await readdir(folder, { withFileTypes: true });
    for (const entry of entries) {
      // Neither followed nor served: links, which may lead out of the folder, and hidden files, which are no part of a web app.
      if (entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await read(path, `${at}${entry.name}/`);
      if (!entry.isFile()) continue;
      const bytes = await readFile(path);
      bytesRead += bytes.length;
      if (bytesRead > mostBytes)
        throw new StartupRefused(
          `${setting} is ${dir}, which holds more than 64 MB: name the folder of the built web app.`,
        );
      bytesOf.set(`${at}${entry.name}`, bytes);
    }
  };
  await read(dir, '/');
  const files = new Map<string, WebFile>();
  for (const [path, bytes] of bytesOf) {
    if (/\.(?:br|gz)$/.test(path) && bytesOf.has(path.slice(0, path.lastIndexOf('.')))) continue;
    const br = bytesOf.get(`${path}.br`);
    const gzip = bytesOf.get(`${path}.gz`);
    files.set(path, {
      type: types.get(extname(path).toLowerCase()) ?? 'application/octet-stream',
      etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
      variants: [
        { encoding: undefined, bytes },
        ...(br === undefined ? [] : [{ encoding: 'br', bytes: br } as const]),
        ...(gzip === undefined ? [] : [{ encoding: 'gzip', bytes: gzip } as const]),
      ],
    });
  }
  return files;
}

/**
 * Answers GET and HEAD for the files of a web app. A request path is only ever looked up among them, so that none leads out of its folder.
 */
export function webApp(
  files: WebFiles,
  options: WebAppOptions,
): (request: AnyRequest, response: AnyResponse) => void {
  const { headers, ownPaths, digestedUnder, name } = options;
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new RouteRefused(405, `${name} is read with GET, not ${request.method}.`, { allow: 'GET, HEAD' });
    const raw = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const path = decoded(raw);
    const isPage = path === '/' || (ownPaths && path !== undefined && extname(path) === '');
    const file = files.get(path ?? '') ?? (isPage ? files.get('/index.html') : undefined);
    if (file === undefined) throw new RouteRefused(404, `${name} has nothing at ${raw.slice(0, 200)}.`);
    const forEver = digestedUnder !== undefined && path?.startsWith(digestedUnder) === true;
    answerFile(request, response, file, {
      ...headers,
      // What has no digest in its name is asked for again each time, and answered with 304 while it is the same.
      'cache-control': forEver ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'Accept-Encoding',
    });
  };
}

function answerFile(
  request: AnyRequest,
  response: AnyResponse,
  file: WebFile,
  headers: Readonly<Record<string, string>>,
): void {
  const { encoding, bytes } = smallest(file.variants, String(request.headers['accept-encoding'] ?? ''));
  const etag = encoding === undefined ? `"${file.etag}"` : `"${file.etag}-${encoding}"`;
  if (matchesTag(request.headers['if-none-match'], etag)) {
    writeHead(response, 304, { ...headers, etag });
    response.end();
    return;
  }
  writeHead(response, 200, {
    ...headers,
    etag,
    'content-type': file.type,
    'content-length': String(bytes.length),
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  });
  response.end(bytes);
}

/** The smallest variant the client accepts (RFC 9110, 12.5.3; a weight of 0 refuses, other weights are not compared). */
function smallest(variants: readonly Variant[], accept: string): Variant {
  const accepted = new Set<string>();
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    if (!parameters.some((each) => /^q=0(?:\.0*)?$/.test(each))) accepted.add(name);
  }
  const usable = variants.filter(({ encoding }) => encoding === undefined || accepted.has(encoding));
  return usable.reduce((least, each) => (each.bytes.length < least.bytes.length ? each : least));
}

/** Undefined for a path that is no percent-encoded UTF-8: no file has such a name. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
