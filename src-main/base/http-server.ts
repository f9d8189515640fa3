import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import {
  constants,
  createServer as createHttp2,
  type ServerOptions as Http2Options,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createNetServer, type Server as NetServer, type ServerOpts, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type ConnectionWatch,
  isAnswering,
  usualBounds,
  type WaitingBounds,
  watchConnections,
} from './connection-watch.ts';

// Every server of this program is made here, so that one rule holds for all: nothing that a peer sends, or stops
// sending, throws outside a handler that turns it into an answer or a closed connection. A test refuses `createServer`
// and handlers of the events `request` and `upgrade` anywhere else.

/** The part of a logger that is told of a request whose handler failed. */
export type FaultLog = { error(fields: object, message: string): void };

export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

export type HttpHandlers = {
  /**
   * Handles a request. An error it throws or rejects with is logged and answered with 500, or cuts the answer that had
   * begun.
   */
  request(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  /** For requests with `Expect: 100-continue`; without it Node asks for the body by itself. */
  checkContinue?(request: IncomingMessage, response: ServerResponse): void | Promise<void>;
  /** Without it an upgrade is answered as an ordinary request. What it throws closes the connection. */
  upgrade?(request: IncomingMessage, socket: Socket, head: Buffer): void | Promise<void>;
};

export type HttpServerOptions = ServerOptions & {
  /** PEM; HTTPS with it. Client certificates are asked for, and checked by the handler, where `ca` is given. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly ca?: string };
  readonly waiting?: WaitingBounds;
};

/** Time in which a request's head must have arrived, in ms. */
const headMs = 10_000;

/** Returns an HTTP/1.1 server that answers nothing yet: `answerWith` gives it its handlers. */
export function httpServer({ tls, waiting = usualBounds, ...options }: HttpServerOptions = {}): Server {
  const all = { headersTimeout: headMs, ...options };
  const server =
    tls === undefined
      ? createServer(all)
      : createSecureServer({
          ...all,
          ...tls,
          ...(tls.ca === undefined ? {} : { requestCert: true, rejectUnauthorized: false }),
        });
  guardSockets(server);
  if (tls !== undefined) server.on('secureConnection', guardSocket);
  // Of the connections that speak HTTP: with TLS those are not the ones that were accepted.
  watches.set(
    server,
    watchConnections(server, tls === undefined ? 'connection' : 'secureConnection', waiting),
  );
  return server;
}

const watches = new WeakMap<Server, ConnectionWatch>();

/** Lets the handlers answer what reaches the server. */
export function answerWith(server: Server, handlers: HttpHandlers, log?: FaultLog): void {
  const { request: answer, checkContinue, upgrade } = handlers;
  const watch = watches.get(server);
  server.on('request', guarded(answer, log, watch));
  if (checkContinue !== undefined) server.on('checkContinue', guarded(checkContinue, log, watch));
  if (upgrade === undefined) return;
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // Node took its own listener off with the parser. A client that asks for an upgrade before it has the answer to
    // its last request gets neither: what is sent now would stand in the middle of that answer.
    stream.on('error', () => stream.destroy());
    if (!(stream instanceof Socket) || isAnswering(stream)) {
      stream.destroy();
      return;
    }
    watch?.upgraded(stream);
    const fail = (error: unknown): void => {
      tell(log, request, error);
      stream.destroy();
    };
    try {
      upgrade(request, stream, head)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  });
}

/** Returns an HTTP/2 server without TLS, for connections that are handed to it. */
export function http2Server(
  options: Http2Options,
  answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void | Promise<void>,
  log?: FaultLog,
): Http2Server {
  const server = createHttp2(options, guarded(answer, log));
  // With this listener the faults of a connection end that connection.
  server.on('sessionError', () => undefined);
  return server;
}

/** Returns a server of bare connections. What `take` throws closes the connection. */
export function socketServer(
  options: ServerOpts,
  take: (socket: Socket) => void = (socket) => socket.destroy(),
): NetServer {
  const server = createNetServer(options, (socket) => {
    guardSocket(socket);
    try {
      take(socket);
    } catch {
      socket.destroy();
    }
  });
  return server.on('error', whileListening);
}

/**
 * Returns the URL a request names, or undefined where it cannot be read as one: `//[` is a path to the HTTP parser and
 * no URL to anybody. Host and scheme of the result mean nothing.
 */
export function requestUrl({ url = '/' }: { readonly url?: string | undefined }): URL | undefined {
  // With the authority before it, so that `//host/path` is a path of ours and no address elsewhere.
  const address = url.startsWith('/') ? `http://host${url}` : url;
  return URL.canParse(address, 'http://host') ? new URL(address, 'http://host') : undefined;
}

/** Whether the authority a request names can be read: a client of HTTP/1.0 need not send one, and others send `[`. */
export function hasReadableHost({ headers }: AnyRequest): boolean {
  const host = headers[':authority'] ?? headers.host;
  return typeof host === 'string' && host !== '' && URL.canParse(`http://${host}`);
}

/** Time the refused peer has to read its answer, in ms. */
const lingerMs = 2000;

/** Answers a request for an upgrade with a refusal, and closes its connection. */
export function refuseUpgrade(
  socket: Socket,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): void {
  const all = { connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n${lines.join('')}\r\n${body}`);
  // Read to the end, and not for ever: a peer may neither close its side nor send anything.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

function guardSockets(server: NetServer): void {
  server.on('connection', guardSocket);
  server.on('error', whileListening);
}

/** Errors of a connection close it; whoever uses it hears `close`. */
function guardSocket(socket: Socket): void {
  socket.on('error', () => socket.destroy());
}

/** An accept that fails for want of descriptors: the next one may not. Errors of listening have a listener of their own. */
function whileListening(): void {}

function guarded<Q extends AnyRequest, S extends AnyResponse>(
  answer: (request: Q, response: S) => void | Promise<void>,
  log: FaultLog | undefined,
  watch?: ConnectionWatch,
): (request: Q, response: S) => void {
  return (request, response) => {
    if (!('stream' in request) && !('stream' in response)) watch?.request(request, response);
    // A client that leaves is reported as an error of its request, and writing on to it as one of the answer. Both may
    // come when who cared has taken its listener off.
    request.on('error', ignore);
    response.on('error', ignore);
    if (!('stream' in response) && response.socket === null) closeWhenCut(request, response);
    const fail = (error: unknown): void => {
      tell(log, request, error);
      endFailed(response);
    };
    try {
      answer(request, response)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  };
}

function ignore(): void {}

/**
 * An answer that waits for the ones before it has no socket yet, and Node forgets that such an answer was destroyed
 * (OutgoingMessage.destroy waits for an event that assignSocket does not send): its connection would wait for ever.
 */
function closeWhenCut(request: AnyRequest, response: ServerResponse): void {
  const { destroy } = response;
  response.destroy = (error) => {
    if (response.socket === null) request.socket.destroy();
    return destroy.call(response, error);
  };
}

function tell(log: FaultLog | undefined, request: AnyRequest, error: unknown): void {
  const path = request.url?.split('?', 1)[0]?.slice(0, 200);
  log?.error({ err: error, method: request.method, path }, 'a request was not answered by its handler');
}

/** Ends an answer whose handler failed: 500 when nothing of it is out, else cut so that nobody takes it for whole. */
function endFailed(response: AnyResponse): void {
  try {
    if ('stream' in response) {
      if (response.headersSent) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
      else response.writeHead(500).end();
    } else if (response.headersSent || response.destroyed) response.destroy();
    else response.writeHead(500, { connection: 'close', 'content-length': '0' }).end();
  } catch {
    if ('stream' in response) response.stream.destroy();
    else response.destroy();
  }
}
