import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Connection, Connections } from './connections.ts';
import type { OpenStreams } from './open-streams.ts';
import { answerError, discardBody, explainUpstreamError } from './proxy-error.ts';
import type { RequestBody } from './request-body.ts';
import { withoutTrailerField, writableReason } from './response-framing.ts';
import { readResponseHead, readTrailers } from './response-headers.ts';
import { joinSockets, type WaitingClient } from './websocket.ts';

/** Milliseconds until an ordinary request must have its answer's head; a gRPC stream may wait for ever. */
const HEADERS_MS = 300_000;

/** Most bytes of one tick that wait for the end of that tick, to leave together with the head. */
const EARLY_BYTES = 16_384;

const NONE: string[] = [];

/** State shared by all exchanges of a proxy. */
export type ExchangeContext = {
  readonly connections: Connections;
  /** Open exchanges and WebSockets. */
  readonly open: OpenStreams;
  /** Host and port of the studio, for messages. */
  readonly upstreamName: string;
  warn(o: object, message: string): void;
};

/** A request as it goes to the studio. */
export type OutgoingRequest = {
  readonly path: string;
  readonly headers: string[];
  readonly body: Buffer | RequestBody | null;
  readonly grpc: boolean;
  /** The client that waits for its WebSocket. */
  readonly upgrade: WaitingClient | undefined;
};

/**
 * One request and its response: undici's handler for the studio's side, and the client's response. The object is the
 * whole per-request state, so that the hot path makes no closures but one.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  slot = -1;
  readonly session: string;
  readonly #context: ExchangeContext;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #outgoing: OutgoingRequest | undefined;
  #connection: Connection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #statusText = '';
  #headers: string[] | undefined;
  #sized = false;
  #delimited = true;
  /** Body that arrived in the same tick as the head, and its bytes. */
  #early: Buffer[] | undefined;
  #earlyBytes = 0;
  #headSent = false;
  #started = false;
  #retried = false;
  /** True when no more data will come from the studio, or none is wanted. */
  #over = false;

  constructor(context: ExchangeContext, session: string, req: IncomingMessage, res: ServerResponse) {
    this.session = session;
    this.#context = context;
    this.#req = req;
    this.#res = res;
    context.open.add(this);
    // A vanished client takes the studio's side with it at once; after a whole answer 'close' means nothing.
    res.on('close', () => {
      if (!this.#over) this.abort(new Error('The client is gone.'));
    });
  }

  /** Sends the request to the studio. Nothing happens when the client is gone already. */
  send(outgoing: OutgoingRequest): void {
    if (this.#over) {
      if (outgoing.body !== null && !Buffer.isBuffer(outgoing.body)) outgoing.body.destroy();
      return;
    }
    this.#outgoing = outgoing;
    const { connections } = this.#context;
    this.#dispatch(outgoing, outgoing.upgrade === undefined ? connections.take() : connections.fresh());
  }

  /** Ends the exchange on both sides: the studio's socket is closed, and the client's unless its answer was whole. */
  abort(reason: Error): void {
    if (this.#over) return;
    this.#finish();
    const connection = this.#connection;
    this.#connection = undefined;
    if (this.#controller !== undefined) this.#controller.abort(reason);
    if (connection !== undefined) this.#context.connections.discard(connection);
    this.#res.destroy();
  }

  #dispatch(outgoing: OutgoingRequest, connection: Connection): void {
    this.#connection = connection;
    connection.client.dispatch(
      {
        path: outgoing.path,
        method: this.#req.method ?? 'GET',
        headers: outgoing.headers,
        body: outgoing.body,
        headersTimeout: outgoing.grpc ? 0 : HEADERS_MS,
        upgrade: outgoing.upgrade === undefined ? null : 'websocket',
      },
      this,
    );
  }

  #finish(): void {
    this.#over = true;
    this.#context.open.remove(this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('The client is gone.'));
  }

  onResponseStarted(): void {
    this.#started = true;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusText?: string,
  ): void {
    // 103 and its like are the studio's hints for itself; the final head follows.
    if (status < 200 || this.#over) return;
    const raw = controller.rawHeaders;
    const head = readResponseHead(Array.isArray(raw) ? raw : [], status);
    this.#status = status;
    this.#statusText = writableReason(statusText ?? '');
    this.#headers = head.headers;
    this.#sized = head.sized;
    this.#delimited = head.delimited || status === 204 || status === 304 || this.#req.method === 'HEAD';
    // The head waits for the end of this tick: a small answer then goes out whole, in one write, and a stream's head
    // still leaves before the next event.
    process.nextTick(flushHead, this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    if (!this.#headSent) {
      this.#earlyBytes += chunk.length;
      if (this.#early === undefined) this.#early = [chunk];
      else this.#early.push(chunk);
      if (this.#earlyBytes > EARLY_BYTES) this.flushHead();
      return;
    }
    if (!this.#res.write(chunk)) this.#pause(controller);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.#over) return;
    const connection = this.#connection;
    this.#connection = undefined;
    // Only the closing tells the end of such a body: a reset is not an end, though undici takes it for one.
    if (!this.#delimited && connection?.broken === true) {
      this.#connection = connection;
      this.onResponseError(controller, new Error('The studio reset the connection.'));
      return;
    }
    this.#finish();
    const raw = controller.rawTrailers;
    const trailers = Array.isArray(raw) && raw.length > 0 ? readTrailers(raw) : undefined;
    if (!this.#headSent && trailers === undefined) this.#writeWhole();
    else {
      this.flushHead();
      if (trailers !== undefined) this.#res.addTrailers(trailers);
      this.#res.end();
    }
    if (connection !== undefined) this.#context.connections.release(connection);
    if (!this.#req.complete) discardBody(this.#req);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (this.#over) return;
    if (connection !== undefined) this.#context.connections.discard(connection);
    if (connection !== undefined && this.#mayRetry(connection) && this.#outgoing !== undefined) {
      this.#retried = true;
      this.#dispatch(this.#outgoing, this.#context.connections.fresh());
      return;
    }
    this.#finish();
    const message = explainUpstreamError(error, this.#context.upstreamName);
    this.#context.warn(
      { err: error, status: message.status, midStream: this.#headers !== undefined },
      message.message,
    );
    if (this.#headers === undefined) answerError(this.#req, this.#res, message);
    else this.#breakOff();
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    upstream: Duplex,
  ): void {
    const connection = this.#connection;
    this.#connection = undefined;
    const client = this.#req.socket;
    const waiting = this.#outgoing?.upgrade;
    const raw = controller.rawHeaders;
    const over = this.#over;
    if (!over) this.#finish();
    if (over || status !== 101 || waiting === undefined || client.destroyed) {
      upstream.destroy();
      client.destroy();
    } else {
      const head = readResponseHead(Array.isArray(raw) ? raw : [], status);
      this.#res.detachSocket(client);
      joinSockets(waiting, upstream, head.headers, this.session, this.#context.open);
    }
    // The socket is ours now; the client that opened it has nothing left to do.
    if (connection !== undefined) this.#context.connections.discard(connection);
  }

  /**
   * Once more only when it cannot matter: no body, a safe method, not a byte of an answer, and a kept-alive socket
   * that the studio may have been closing just then (RFC 9110 9.2.2, RFC 9112 9.3.1).
   */
  #mayRetry(connection: Connection): boolean {
    const method = this.#req.method;
    return (
      !this.#retried &&
      !this.#started &&
      connection.served > 0 &&
      (method === 'GET' || method === 'HEAD') &&
      this.#outgoing?.body === null
    );
  }

  /** Ends a half-sent answer so that no client can take it for whole. */
  #breakOff(): void {
    const socket = this.#res.socket;
    // Without a length or chunks (HTTP/1.0) a plain closing is the end of the body: only a reset tells.
    if (
      this.#headSent &&
      !this.#sized &&
      !this.#res.chunkedEncoding &&
      socket !== null &&
      'resetAndDestroy' in socket
    )
      socket.resetAndDestroy();
    this.#res.destroy();
  }

  /** Writes the head; false when Node refuses what the studio said in it, and the exchange has ended. */
  #writeHead(headers: string[]): boolean {
    try {
      this.#res.writeHead(this.#status, this.#statusText, headers);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** Ends the exchange for a fault that no other rule foresaw: with an answer, when nothing of one is out. */
  fail(error: unknown): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (!this.#over) this.#finish();
    if (this.#controller !== undefined) this.#controller.abort(new Error('The answer cannot be passed on.'));
    if (connection !== undefined) this.#context.connections.discard(connection);
    const message = `The studio at ${this.#context.upstreamName} answered with a head that HTTP cannot carry.`;
    this.#context.warn({ err: error, status: 502 }, message);
    if (this.#res.headersSent) this.#breakOff();
    else answerError(this.#req, this.#res, { status: 502, message });
  }

  #pause(controller: Dispatcher.DispatchController): void {
    controller.pause();
    this.#res.once('drain', () => controller.resume());
  }

  /** Sends an answer that arrived whole within one tick: head and body in one write. */
  #writeWhole(): void {
    this.#headSent = true;
    const headers = this.#headers ?? [];
    const early = this.#early;
    this.#early = undefined;
    const bodiless = this.#status === 204 || this.#status === 304 || this.#req.method === 'HEAD';
    if (!this.#sized && !bodiless) headers.push('Content-Length', String(this.#earlyBytes));
    if (!this.#writeHead(withoutTrailerField(headers))) return;
    if (early === undefined || bodiless) this.#res.end();
    else if (this.#earlyBytes > 4096) this.#res.end(Buffer.concat(early));
    else {
      // As text the body joins the head in one string and one write; latin1 keeps every byte.
      let body = '';
      for (const chunk of early) body += chunk.toString('latin1');
      this.#res.end(body, 'latin1');
    }
  }

  /** Sends the head, and what came with it. */
  flushHead(): void {
    if (this.#headSent || this.#headers === undefined) return;
    this.#headSent = true;
    const early = this.#early;
    this.#early = undefined;
    const bodiless = this.#status === 204 || this.#status === 304 || this.#req.method === 'HEAD';
    const chunked = !this.#sized && !bodiless && this.#res.useChunkedEncodingByDefault;
    if (!this.#writeHead(chunked ? this.#headers : withoutTrailerField(this.#headers))) return;
    // A stream may stay open for hours: it keeps nothing it will not need again.
    this.#headers = NONE;
    this.#outgoing = undefined;
    if (early === undefined) {
      this.#res.flushHeaders();
      return;
    }
    let writable = true;
    for (const chunk of early) writable = this.#res.write(chunk);
    if (!writable && !this.#over && this.#controller !== undefined) this.#pause(this.#controller);
  }
}

function flushHead(exchange: Exchange): void {
  exchange.flushHead();
}
