import type { AnyRequest, AnyResponse } from './protocols.ts';
import { RouteRefused } from './refusals.ts';

/** Timeout for the body of a plain route, in milliseconds. */
const bodyMs = 30_000;

/**
 * The whole body. Refused with 413 above `limit` bytes, by its announced length before any of it is read, and with 408 when it has not
 * arrived in 30 s.
 */
export async function readBody(request: AnyRequest, limit: number): Promise<Buffer> {
  const tooLarge = new RouteRefused(413, `The request is larger than ${limit} bytes.`, {
    connection: 'close',
  });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge;
  const late = setTimeout(
    () => request.destroy(new RouteRefused(408, 'The request did not arrive within 30 s.')),
    bodyMs,
  );
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk as Uint8Array);
      size += bytes.length;
      if (size > limit) throw tooLarge;
      chunks.push(bytes);
    }
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks);
}

/** A JSON body that `check` accepts; 400 with its sentence otherwise. At most 64 KB unless `limit` says otherwise. */
export async function readJson<T>(
  request: AnyRequest,
  check: { safeParse(value: unknown): { success: true; data: T } | { success: false; error: Error } },
  limit = 64 * 1024,
): Promise<T> {
  const text = new TextDecoder('utf-8', { fatal: true });
  let value: unknown;
  try {
    value = JSON.parse(text.decode(await readBody(request, limit)));
  } catch (error) {
    if (error instanceof RouteRefused) throw error;
    throw new RouteRefused(400, 'The body is no JSON in UTF-8.');
  }
  const read = check.safeParse(value);
  if (!read.success) throw new RouteRefused(400, 'The body lacks a field, or one has another type.');
  return read.data;
}

/** Writes the head of an answer. The two kinds of response have the same method, but TypeScript finds no common signature. */
export function writeHead(
  response: AnyResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
): void {
  if ('stream' in response) response.writeHead(status, headers);
  else response.writeHead(status, headers);
}

/** Answers JSON, never to be kept by a cache. */
export function answerJson(
  response: AnyResponse,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  const all = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  };
  writeHead(response, status, all);
  response.end(text);
}
