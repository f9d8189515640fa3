import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import { ConsoleError } from '#shared/errors.ts';
import { requestIdHeader, requestIdOf } from '../../base/request-id.ts';

/** Time a client may continue sending a body that is not read before its connection is closed, in ms. */
const LINGER_MS = 2_000;

/** A failed request as shown to the person: the HTTP status and one sentence. */
export type ProxyError = { readonly status: number; readonly message: string };

/**
 * Answers an error of the proxy itself: a small HTML page for a browser navigation, JSON `{"error"}` for any other
 * caller (CON-183, CON-184). No `X-Frame-Options` and no `frame-ancestors`: the page is shown in the console's
 * own frame (CON-058).
 */
export function answerError(req: IncomingMessage, res: ServerResponse, error: ProxyError): void {
  if (res.headersSent || res.destroyed) return;
  const html = isNavigation(req);
  const body = Buffer.from(html ? page(error) : JSON.stringify({ error: error.message }));
  const headers = [
    'Content-Type',
    html ? 'text/html; charset=utf-8' : 'application/json',
    'Content-Length',
    String(body.length),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    requestIdHeader,
    requestIdOf(req),
  ];
  if (html) headers.push('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
  if (error.status === 405) headers.push('Allow', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
  // The client still holds its body back; whether it will send it after this answer is unknown, so the connection ends.
  if (req.headers.expect !== undefined) headers.push('Connection', 'close');
  res.writeHead(error.status, STATUS_CODES[error.status] ?? 'Error', headers);
  res.end(body);
  discardBody(req);
}

/**
 * Reads and forgets what is left of a request's body after its answer, so that the answer is not lost to a reset, and
 * closes the connection when the client does not come to an end.
 */
export function discardBody(req: IncomingMessage): void {
  // The parser may still be inside this very message: ask when it has returned.
  setImmediate(() => {
    if (req.complete || req.socket.destroyed) return;
    req.resume();
    const timer = setTimeout(() => req.socket.destroy(), LINGER_MS);
    timer.unref();
    req.once('close', () => clearTimeout(timer));
    req.once('end', () => clearTimeout(timer));
  });
}

function isNavigation(req: IncomingMessage): boolean {
  const accept = req.headers.accept ?? '';
  const type = req.headers['content-type'] ?? '';
  return /\btext\/html\b/i.test(accept) && !/^\s*application\/grpc/i.test(type);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function page({ status, message }: ProxyError): string {
  const title = 'The studio is not available here';
  const text = message.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1.5rem}</style></head>
<body><main><h1>${title}</h1><p>${text}</p><p>Status ${status}</p></main></body></html>
`;
}

/**
 * Explains an error of undici or the socket to the person. `upstream` is shown: host and port, never a
 * secret.
 */
export function explainUpstreamError(error: Error, upstream: string): ProxyError {
  // The way through a cluster says itself what is missing on it.
  if (error instanceof ConsoleError)
    return { status: 502, message: `The studio at ${upstream} is not reached. ${error.message}` };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  switch (code) {
    case 'ECONNREFUSED':
      return { status: 502, message: `The studio at ${upstream} refused the connection. Is it running?` };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { status: 502, message: `The studio's address ${upstream} cannot be resolved.` };
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return { status: 502, message: `There is no route to the studio at ${upstream}.` };
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'ETIMEDOUT':
      return { status: 504, message: `The studio at ${upstream} did not accept the connection in time.` };
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { status: 504, message: `The studio at ${upstream} did not answer in time.` };
    case 'UND_ERR_INVALID_ARG':
    case 'UND_ERR_NOT_SUPPORTED':
      return { status: 400, message: 'The request has a header or target that cannot be forwarded.' };
    case 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH':
      return { status: 400, message: 'The request body does not have the length it announced.' };
    case 'UND_ERR_HEADERS_OVERFLOW':
      return { status: 502, message: `The studio at ${upstream} answered with too many headers.` };
    case 'UND_ERR_DESTROYED':
    case 'UND_ERR_CLOSED':
      return { status: 503, message: 'The console is shutting down.' };
    default:
      return code.startsWith('HPE_')
        ? { status: 502, message: `The studio at ${upstream} answered with something that is not HTTP.` }
        : /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL)/.test(code)
          ? {
              status: 502,
              message: `The studio at ${upstream} has a certificate that is not trusted (${code}).`,
            }
          : { status: 502, message: `The studio at ${upstream} closed the connection before it answered.` };
  }
}
