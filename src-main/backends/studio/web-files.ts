import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, extname, join, sep } from 'node:path';
import type { StudioLog } from './log.ts';

type Variant = { readonly encoding: 'br' | 'gzip' | undefined; readonly bytes: Buffer };
type WebFile = { readonly type: string; readonly etag: string; readonly variants: readonly Variant[] };

const types: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.woff2', 'font/woff2'],
]);

/**
 * Headers of every page and file. There is no X-Frame-Options and no frame-ancestors: the console shows the studio
 * in a frame of its own origin (spec/console.md, Studio proxy, Framing).
 */
const securityHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};

/**
 * Reads the bundle in `dir` into memory (it is well under a megabyte) and answers GET and HEAD for exactly its files.
 * A request path is only ever looked up by its whole name, so no path leads out of the folder. Without a bundle every
 * page answers 503 with the command that builds it.
 */
export async function webFiles(dir: string | undefined, log: StudioLog) {
  const files = dir === undefined ? new Map<string, WebFile>() : await readBundle(dir);
  if (files.size === 0) log.warn({ dir }, 'the studio has no web bundle: build it with npm run build');

  return (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      answerJson(
        request,
        response,
        405,
        `${request.method} is not answered here: the studio's pages are read with GET.`,
      );
      return;
    }
    if (files.size === 0) {
      answerJson(
        request,
        response,
        503,
        'The studio has no web bundle: build it with npm run build, then start the studio again.',
      );
      return;
    }
    const path = request.url?.split('?', 1)[0] ?? '/';
    const file = files.get(path === '/' ? '/index.html' : path);
    if (file === undefined)
      answerJson(request, response, 404, 'The studio has no such page: its address is /studio/.');
    else answerFile(request, response, path, file);
  };
}

/** Answers `{"error": …}`, the form of every failure outside of an RPC (spec/console.md, Errors). */
export function answerJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  error: string,
): void {
  const body = Buffer.from(JSON.stringify({ error }));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** The bundle `npm run build` writes, found from the source tree and from the packaged program alike. */
export function builtWebDir(): string | undefined {
  for (let dir = import.meta.dirname; ; dir = dirname(dir)) {
    const built = join(dir, 'out', 'studio-web');
    if (existsSync(join(built, 'index.html'))) return built;
    if (dirname(dir) === dir) return undefined;
  }
}

function answerFile(request: IncomingMessage, response: ServerResponse, path: string, file: WebFile): void {
  // Vite puts a digest of the content in the name of everything under assets/.
  const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  const variant = pickVariant(file.variants, request.headers['accept-encoding'] ?? '');
  const etag = variant.encoding === undefined ? `"${file.etag}"` : `"${file.etag}-${variant.encoding}"`;
  const headers = { 'cache-control': cache, etag, vary: 'Accept-Encoding' };
  if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    'content-type': file.type,
    'content-length': variant.bytes.length,
    ...(variant.encoding === undefined ? {} : { 'content-encoding': variant.encoding }),
  });
  response.end(request.method === 'HEAD' ? undefined : variant.bytes);
}

/** The smallest variant the client accepts (RFC 9110, 12.5.3; a weight of 0 refuses, other weights are not compared). */
function pickVariant(variants: readonly Variant[], accept: string): Variant {
  const accepted = new Set<string>();
  for (const part of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    if (!parameters.some((each) => /^q=0(?:\.0*)?$/.test(each))) accepted.add(name);
  }
  const usable = variants.filter(({ encoding }) => encoding === undefined || accepted.has(encoding));
  return usable.reduce((smallest, each) => (each.bytes.length < smallest.bytes.length ? each : smallest));
}

async function readBundle(dir: string): Promise<Map<string, WebFile>> {
  const names = await readdir(dir, { recursive: true }).catch(() => []);
  const present = new Set(names);
  const files = new Map<string, WebFile>();
  for (const name of names) {
    const type = types.get(extname(name));
    if (type === undefined) continue;
    const bytes = await readFile(join(dir, name));
    const variants: Variant[] = [{ encoding: undefined, bytes }];
    if (present.has(`${name}.br`))
      variants.push({ encoding: 'br', bytes: await readFile(join(dir, `${name}.br`)) });
    if (present.has(`${name}.gz`))
      variants.push({ encoding: 'gzip', bytes: await readFile(join(dir, `${name}.gz`)) });
    const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    files.set(`/${name.split(sep).join('/')}`, { type, etag, variants });
  }
  // A folder without its page is not the bundle.
  return files.has('/index.html') ? files : new Map();
}
