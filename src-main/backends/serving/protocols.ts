import type { ServerHttp2Session } from 'node:http2';
import type { Server, Socket } from 'node:net';
import {
  type AnyRequest,
  type AnyResponse,
  answerWith,
  type FaultLog,
  http2Server,
  httpServer,
  socketServer,
} from '../../base/http-server.ts';

export type { AnyRequest, AnyResponse } from '../../base/http-server.ts';

/** First bytes of a client that speaks HTTP/2 without TLS, with prior knowledge (RFC 9113, 3.4). */
const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Time a connection has to show which protocol it speaks, in milliseconds. */
const helloMs = 10_000;

export type ProtocolServer = {
  readonly net: Server;
  /** Ends what is idle at once and lets the rest end; `cut` ends that, too. */
  drain(): void;
  cut(): void;
};

/**
 * HTTP/1.1 and HTTP/2 without TLS on one port: gRPC clients come with HTTP/2, browsers and everybody else with HTTP/1.1. Told
 * apart by the first bytes, because Node's own server speaks one of the two.
 */
export function protocolServer(
  answer: (request: AnyRequest, response: AnyResponse) => void | Promise<void>,
  log: FaultLog,
): ProtocolServer {
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  let isDraining = false;
  const http1 = httpServer({ requestTimeout: 0, headersTimeout: helloMs, keepAliveTimeout: 5000 });
  answerWith(
    http1,
    {
      request(request, response) {
        // A client that keeps its connection would hold up the end for as long as that takes.
        response.once('close', () => {
          if (isDraining) setImmediate(() => http1.closeIdleConnections());
        });
        return answer(request, response);
      },
    },
    log,
  );
  const http2 = http2Server({ settings: { maxConcurrentStreams: 256 } }, answer, log);
  http2.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  const net = socketServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.setTimeout(helloMs, () => socket.destroy());
    let start = Buffer.alloc(0);
    const tell = (): void => {
      const more: Buffer | null = socket.read();
      if (more === null) return;
      start = Buffer.concat([start, more]);
      const length = Math.min(start.length, preface.length);
      const isHttp2 = start.subarray(0, length).equals(preface.subarray(0, length));
      // `PRI` could yet become a method of HTTP/1.1; what comes in pieces is waited for.
      if (isHttp2 && length < 4) return;
      socket.off('readable', tell);
      socket.setTimeout(0);
      socket.unshift(start);
      (isHttp2 ? http2 : http1).emit('connection', socket);
    };
    socket.on('readable', tell);
  });
  // It never listens itself, and tracks its connections, with their time limits, from then on only.
  net.on('listening', () => http1.emit('listening'));
  return {
    net,
    drain() {
      isDraining = true;
      for (const session of sessions) session.close();
      http1.close();
      // Before Node 19, `close` leaves idle connections open.
      http1.closeIdleConnections();
    },
    cut() {
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}
