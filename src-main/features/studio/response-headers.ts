import { setsOwnCookie } from './cookies.ts';
import { addNamed, responseFate, withoutNamed } from './header-names.ts';

/** A response head on its way to the client. */
export type ResponseHead = {
  /** Names and values in turn, as `writeHead` takes them. */
  readonly headers: string[];
  /** Whether the upstream gave a Content-Length. */
  readonly sized: boolean;
  /**
   * Whether the upstream's own framing marks the end of the body; otherwise only closing the connection does.
   */
  readonly delimited: boolean;
};

/**
 * Copies the studio's response head: hop-by-hop headers and those named in `Connection` go (RFC 9110 7.6.1), and so
 * do a `Set-Cookie` of the console's and what acts on its whole origin. Everything else keeps its bytes, `grpc-status` and `Trailer` included.
 * `raw` is undici's flat list of Buffers; latin1 keeps every byte.
 */
export function readResponseHead(raw: readonly (Buffer | string)[], status: number): ResponseHead {
  let headers: string[] = [];
  let named: Set<string> | undefined;
  let sized = false;
  let chunked = false;
  for (let i = 0; i < raw.length; i += 2) {
    const name = text(raw[i]);
    const value = text(raw[i + 1]);
    switch (responseFate(name)) {
      case 'forward':
        headers.push(name, value);
        break;
      case 'content-length':
        // 204 carries no length (RFC 9110 8.6).
        if (status !== 204) headers.push(name, value);
        sized = true;
        break;
      case 'transfer-encoding':
        chunked = true;
        break;
      case 'set-cookie':
        if (!setsOwnCookie(value)) headers.push(name, value);
        break;
      case 'connection':
        named = addNamed(value, named);
        break;
      default:
        break;
    }
  }
  if (named !== undefined) headers = withoutNamed(headers, named);
  return { headers, sized, delimited: sized || chunked };
}

/** Trailers as pairs for `addTrailers`; framing and session names never come as a trailer (RFC 9110 6.5.1). */
export function readTrailers(raw: readonly (Buffer | string)[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i < raw.length; i += 2) {
    const name = text(raw[i]);
    if (responseFate(name) === 'forward') pairs.push([name, text(raw[i + 1])]);
  }
  return pairs;
}

function text(bytes: Buffer | string | undefined): string {
  return bytes === undefined ? '' : typeof bytes === 'string' ? bytes : bytes.toString('latin1');
}
