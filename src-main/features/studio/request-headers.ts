import type { IncomingMessage } from 'node:http';
import { withoutSession } from './cookies.ts';
import type { Forwarding } from './forwarding.ts';
import { addNamed, requestFate, withoutNamed } from './header-names.ts';
import { STUDIO_PREFIX } from './target.ts';

/** A request head on its way to the studio, or why it is refused (400). */
export type RequestHead =
  | {
      readonly ok: true;
      /** Names and values in turn, as undici takes them. */
      readonly headers: string[];
      /** Bytes of the body; `undefined` when it is chunked. */
      readonly length: number | undefined;
      readonly expectsContinue: boolean;
      /** Whether the content type is gRPC or gRPC-web, whose streams may stay silent for hours. */
      readonly grpc: boolean;
    }
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): RequestHead => ({ ok: false, reason });

/**
 * Reads the client's head once and writes the studio's: identity, session, forwarding and hop-by-hop headers gone,
 * ours in (CON-050 to CON-053). `Host` is left to undici, which writes the upstream's own.
 *
 * Node's parser already refuses most ambiguous framing; what it lets through and another parser might read otherwise
 * is refused here: lookalike names, a second `Host`, any transfer coding but `chunked` (RFC 9112 6.1, 6.3).
 */
export function readRequestHead(req: IncomingMessage, identity: string, forwarding: Forwarding): RequestHead {
  const raw = req.rawHeaders;
  let headers: string[] = [];
  let named: Set<string> | undefined;
  let host: string | undefined;
  let length: string | undefined;
  let chunked = false;
  let expectsContinue = false;
  let grpc = false;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    const value = raw[i + 1] ?? '';
    switch (requestFate(name)) {
      case 'forward':
        headers.push(name, value);
        break;
      case 'content-type':
        grpc = value.startsWith('application/grpc');
        headers.push(name, value);
        break;
      case 'cookie': {
        const cookies = withoutSession(value);
        if (cookies !== undefined) headers.push(name, cookies);
        break;
      }
      case 'connection':
        named = addNamed(value, named);
        break;
      case 'host':
        if (host !== undefined) return refused('The request has two Host headers.');
        host = value;
        break;
      case 'content-length':
        // A leading zero is octal to some readers: "010" is eight bytes to them and ten to others.
        if (length !== undefined || !/^(?:0|[1-9]\d{0,14})$/.test(value))
          return refused('The request has an unclear Content-Length.');
        length = value;
        break;
      case 'transfer-encoding':
        if (chunked || value.toLowerCase() !== 'chunked')
          return refused('The request has an unclear Transfer-Encoding.');
        chunked = true;
        break;
      case 'expect':
        expectsContinue = true;
        break;
      case 'te':
        // gRPC announces that it reads trailers; any other coding is between the client and us.
        if (/(?:^|,)\s*trailers\s*(?:,|;|$)/i.test(value)) headers.push('te', 'trailers');
        break;
      case 'refuse':
        return refused('The request has a header that looks like a framing header.');
      default:
        break;
    }
  }
  if (chunked && (length !== undefined || req.httpVersionMinor === 0))
    return refused('The request has an unclear Transfer-Encoding.');
  if (named !== undefined) headers = withoutNamed(headers, named);
  if (length !== undefined) headers.push('content-length', length);
  // Ours come last, after everything a client could say in Connection.
  headers.push(
    'X-Forwarded-For',
    forwarding.for,
    'X-Forwarded-Proto',
    forwarding.proto,
    'X-Forwarded-Port',
    forwarding.port,
    'X-Forwarded-Prefix',
    STUDIO_PREFIX,
    'X-Console-Identity',
    identity,
  );
  if (forwarding.host !== undefined) headers.push('X-Forwarded-Host', forwarding.host);
  return {
    ok: true,
    headers,
    length: chunked ? undefined : length === undefined ? 0 : Number(length),
    expectsContinue,
    grpc,
  };
}
