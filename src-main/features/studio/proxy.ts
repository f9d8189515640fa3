import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { knownSender } from '../../base/connection-watch.ts';
import { checkRepeatedly } from '../../base/repeated-check.ts';
import { createAssertions, type IdentityKey } from './assertion.ts';
import { createConnections } from './connections.ts';
import type { Dial } from './connector.ts';
import { Exchange, type ExchangeContext } from './exchange.ts';
import { createForwarding, type ForwardingOptions } from './forwarding.ts';
import { createOpenStreams } from './open-streams.ts';
import { answerError, discardBody } from './proxy-error.ts';
import { COLLECTED_BYTES, collectBody, RequestBody } from './request-body.ts';
import { readRequestHead } from './request-headers.ts';
import { studioTarget } from './target.ts';
import { type WaitingClient, waitingClient } from './websocket.ts';

export type StudioProxyOptions = ForwardingOptions & {
  /** The studio (`STUDIO_UPSTREAM`, read by `parseStudioUpstream`). */
  readonly upstream: URL;
  /** Opens the connection where its address is not reachable from this network. */
  readonly dial?: Dial | undefined;
  /** The assertion's key, or a function when it can change while the console runs. */
  readonly identityKey: IdentityKey | (() => IdentityKey);
  /** Returns the signed-in session, in every mode (CON-048); `undefined` answers 401. */
  readonly sessionOf: (
    req: IncomingMessage,
  ) => StudioSession | undefined | Promise<StudioSession | undefined>;
  /**
   * Returns which of these sessions are over; called every second while streams are open, so that streams end
   * with their session.
   */
  readonly endedOf?: (sessions: readonly string[]) => Promise<readonly string[]>;
  /** Milliseconds since 1970; the system's clock when absent. */
  readonly now?: () => number;
  readonly log?: { warn(o: object, msg: string): void };
};

/** The session behind a request: its handle and the signed-in email. */
export type StudioSession = { readonly id: string; readonly email: string };

/** The mounted studio. The origin guard (Host, Origin) runs before it. */
export type StudioProxy = {
  /** For the server's 'request' and 'checkContinue' events of a path for which `isStudioPath` is true. */
  handle(req: IncomingMessage, res: ServerResponse): void | Promise<void>;
  /** For the server's 'upgrade' event, on a connection that has no other answer under way. */
  upgrade(req: IncomingMessage, socket: Socket, head: Buffer): void | Promise<void>;
  /** Requests not yet answered in full, and open WebSockets. */
  openStreams(): number;
  /** Ends every open stream and closes the connections to the studio. */
  close(): Promise<void>;
};

/**
 * The reverse proxy of the studio (CON-044 to CON-055). Per request and in this order: the inbound
 * identity is dropped, a signed-in email is required (401), the key must resolve (503), the assertion is set.
 */
export function createStudioProxy(options: StudioProxyOptions): StudioProxy {
  const { upstream, identityKey, sessionOf } = options;
  const basePath = upstream.pathname.replace(/\/+$/, '');
  const assertionFor = createAssertions(options.now ?? Date.now);
  const forwardingOf = createForwarding(options);
  const context: ExchangeContext = {
    connections: createConnections(upstream, options.dial),
    open: createOpenStreams(),
    upstreamName: upstream.host,
    warn: (o, message) => options.log?.warn(o, message),
  };

  const forward = (
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    session: StudioSession | undefined,
    upgrade: WaitingClient | undefined,
  ): void => {
    if (session === undefined || session.email === '') {
      answerError(req, res, { status: 401, message: 'Sign in to the console to use the studio.' });
      return;
    }
    const identity = typeof identityKey === 'function' ? identityKey() : identityKey;
    if (!identity.ok) {
      answerError(req, res, {
        status: 503,
        message: `The studio's identity key is not usable: ${identity.reason}`,
      });
      return;
    }
    // The inbound identity is gone because this head is written anew and never copies one.
    const head = readRequestHead(req, assertionFor(identity.key, session.email), forwardingOf(req));
    if (!head.ok) {
      answerError(req, res, { status: 400, message: head.reason });
      return;
    }
    const { headers, length, grpc } = head;
    if (length !== 0) knownSender(req, session.id);
    if (upgrade !== undefined && length !== 0) {
      answerError(req, res, { status: 400, message: 'An upgrade request cannot have a body.' });
      return;
    }
    const exchange = new Exchange(context, session.id, req, res);
    if (head.expectsContinue && upgrade === undefined) res.writeContinue();
    if (length === 0) exchange.send({ path, headers, body: null, grpc, upgrade });
    else if (length === undefined || length > COLLECTED_BYTES)
      exchange.send({ path, headers, body: new RequestBody(req), grpc, upgrade: undefined });
    else collectBody(req, length, (body) => exchange.send({ path, headers, body, grpc, upgrade: undefined }));
  };

  const admit = (
    req: IncomingMessage,
    res: ServerResponse,
    upgrade: WaitingClient | undefined,
  ): void | Promise<void> => {
    const target = studioTarget(req.url ?? '', basePath);
    if (target.kind === 'redirect') {
      res
        .writeHead(308, ['Location', target.location, 'Content-Length', '0', 'Cache-Control', 'no-store'])
        .end();
      discardBody(req);
      return;
    }
    if (target.kind === 'refuse') {
      answerError(req, res, { status: 400, message: target.reason });
      return;
    }
    // TRACE sends the request back to the client, and the assertion with it (RFC 9110 9.3.8).
    if (req.method === 'TRACE') {
      answerError(req, res, { status: 405, message: 'TRACE is not forwarded to the studio.' });
      return;
    }
    const unreadable = (error: unknown): void => {
      context.warn({ err: error }, 'the session of a studio request could not be read');
      answerError(req, res, {
        status: 503,
        message: "The session could not be read: the console's store does not answer. Try again in a moment.",
      });
    };
    let session: ReturnType<typeof sessionOf>;
    try {
      session = sessionOf(req);
    } catch (error) {
      unreadable(error);
      return;
    }
    if (!(session instanceof Promise)) return forward(req, res, target.path, session, upgrade);
    return session.then((found) => {
      if (!res.destroyed) forward(req, res, target.path, found, upgrade);
    }, unreadable);
  };

  const stopWatch = options.endedOf === undefined ? undefined : watchSessions(context, options.endedOf);

  return {
    handle: (req, res) => admit(req, res, undefined),
    upgrade(req, socket, head) {
      // Node hands over the bare socket: a response of our own carries refusals and answers other than 101.
      const res = new ServerResponse(req);
      res.shouldKeepAlive = false;
      res.assignSocket(socket);
      res.on('error', () => socket.destroy());
      res.on('finish', () => {
        res.detachSocket(socket);
        socket.destroySoon();
      });
      const waiting = waitingClient(socket, head);
      if (req.method !== 'GET' || req.headers.upgrade?.toLowerCase() !== 'websocket') {
        answerError(req, res, {
          status: 400,
          message: 'Only a WebSocket upgrade is forwarded to the studio.',
        });
        return;
      }
      return admit(req, res, waiting);
    },
    openStreams: () => context.open.count(),
    async close() {
      stopWatch?.();
      context.open.abort(new Error('The console is shutting down.'));
      await context.connections.close();
    },
  };
}

/** Interval at which the sessions of open streams are checked, in ms. */
const watchEvery = 1000;

/**
 * Ends the streams of ended sessions: a stream may outlive the session that opened it by hours, and ending a
 * session, here or on another console, must end its streams, too. If the store does not answer nothing ends;
 * the next check does it. Returns what stops the watch.
 */
function watchSessions(
  { open, warn }: ExchangeContext,
  endedOf: (sessions: readonly string[]) => Promise<readonly string[]>,
): () => void {
  return checkRepeatedly({
    everyMs: watchEvery,
    async check() {
      if (open.count() === 0) return;
      const ended = await endedOf([...open.sessions()]);
      if (ended.length > 0) open.abort(new Error('The session has ended.'), new Set(ended));
    },
    failed: (error) => warn({ err: error }, 'the sessions of open streams could not be read'),
  });
}
