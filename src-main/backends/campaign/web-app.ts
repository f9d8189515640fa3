import { createHash } from 'node:crypto';
import { type Dirent, existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type AnyRequest, type AnyResponse, RouteRefused, StartupRefused } from '../serving/index.ts';
import { writeHead } from './media/send-pieces.ts';

type WebFile = { readonly type: string; readonly etag: string; readonly bytes: Buffer };

/** Most bytes of the web app, which is kept in memory: a folder that holds more is another one. */
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

/** The app signs in with Google's own script; besides that it loads nothing from elsewhere. */
const signInScript = 'https://accounts.google.com/gsi/';
const headers = {
  'content-security-policy': [
    "default-src 'self'",
    `script-src 'self' ${signInScript}client`,
    `style-src 'self' 'unsafe-inline' ${signInScript}style`,
    `connect-src 'self' ${signInScript}`,
    `frame-src ${signInScript}`,
    "img-src 'self' data: blob: https:",
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
};

/**
 * The web app in the folder of `CAMPAIGN_WEB_DIR`, read once, at start. A request path is only ever looked up among the files found then,
 * so that none leads out of the folder; a path without an extension is a page of the app's own and answered with its `index.html`.
 * Throws `StartupRefused` for a folder that holds no web app.
 */
export async function webApp(dir: string): Promise<(request: AnyRequest, response: AnyResponse) => void> {
  if (!existsSync(join(dir, 'index.html')))
    throw new StartupRefused(
      `CAMPAIGN_WEB_DIR is ${dir}, which has no index.html: name the folder of the built web app.`,
    );
  const files = await readFiles(dir);

  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new RouteRefused(405, `The web app is read with GET, not ${request.method}.`, {
        allow: 'GET, HEAD',
      });
    const path = decoded((request.url ?? '/').split('?', 1)[0] ?? '/');
    const page = extname(path) === '' ? files.get('/index.html') : undefined;
    const file = files.get(path) ?? page;
    if (file === undefined) throw new RouteRefused(404, `The web app has nothing at ${path.slice(0, 200)}.`);
    answerFile(request, response, file);
  };
}

function answerFile(request: AnyRequest, response: AnyResponse, file: WebFile): void {
  // Asked for again each time, answered with 304 while it is the same: the names of an unknown build promise nothing.
  const kept = { ...headers, etag: file.etag, 'cache-control': 'no-cache' };
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(file.etag) || known.includes('*')) {
    writeHead(response, 304, kept);
    response.end();
    return;
  }
  writeHead(response, 200, {
    ...kept,
    'content-type': file.type,
    'content-length': String(file.bytes.length),
  });
  response.end(file.bytes);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new RouteRefused(400, 'The path is not percent-encoded UTF-8.');
  }
}

async function readFiles(dir: string): Promise<Map<string, WebFile>> {
  const files = new Map<string, WebFile>();
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
          `CAMPAIGN_WEB_DIR is ${dir}, which holds more than 64 MB: name the folder of the built web app.`,
        );
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      const type = types.get(extname(entry.name).toLowerCase()) ?? 'application/octet-stream';
      files.set(`${at}${entry.name}`, { type, etag, bytes });
    }
  };
  await read(dir, '/');
  return files;
}
