import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpServerOptions } from '../../base/http-server.ts';

/** Milliseconds for a request head, from its first byte. */
const HEAD_MS = 10_000;

/** Milliseconds a connection may wait for its first request: browsers open some ahead of need. */
const SILENT_MS = 120_000;

/** No request head is shorter than `GET / HTTP/1.0` and its empty line. */
const SHORTEST_HEAD = 18;

/**
 * The options of a server that carries the studio proxy; docs/decisions/0002-studio-proxy.md has the reasons and what
 * the smuggling corpus says with each. Everything the parser can refuse, it must.
 */
export const studioSafeServerOptions: HttpServerOptions = {
  // Never lenient: the strict parser alone refuses all but a handful of the 1,449 payloads.
  insecureHTTPParser: false,
  requireHostHeader: true,
  maxHeaderSize: 16_384,
  headersTimeout: HEAD_MS,
  // An hour, not Node's five minutes: an honest 1 GiB over 3 Mbit/s is no attack. A body that stands still is cut long
  // before, and nobody whose session is not known holds more than a few places with half a head or half a body.
  requestTimeout: 3_600_000,
  waiting: { unknownStill: 10_000, knownStill: 30_000, mostWaiting: 96, mostOfOne: 64 },
  connectionsCheckingInterval: 1_000,
  // Finds a peer that lost power while a stream was open; no other timeout may end a silent stream.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
  noDelay: true,
  // `Upgrade: h2c` and its like are answered as ordinary requests, as RFC 9110 7.8 allows; only WebSocket switches.
  shouldUpgradeCallback: (req) => req.headers.upgrade?.toLowerCase() === 'websocket',
};

const ANSWERS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Answers what the parser refuses and what never becomes a request, and closes the connection. One difference to Node:
 * the time for a head begins with its first byte, so a connection a browser opened ahead of need is left alone.
 */
export function guardConnections(server: Server): void {
  server.on('clientError', (error, stream) => {
    const socket = stream as Socket;
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0 && !socket.destroyed) {
      // Node forgets the connection now and starts anew with the first byte of a head.
      const timer = setTimeout(() => {
        if (socket.bytesRead < SHORTEST_HEAD) socket.destroy();
      }, SILENT_MS);
      timer.unref();
      socket.once('close', () => clearTimeout(timer));
      return;
    }
    // After a response on this connection has begun, an error line would become part of its body.
    if (socket.writable && socket.bytesWritten === 0)
      socket.end(
        `HTTP/1.1 ${ANSWERS[code] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
    socket.destroySoon();
  });
}
