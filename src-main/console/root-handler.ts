import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { requestIdHeader, requestIdOf } from '../base/request-id.ts';
import { isStudioPath, type StudioProxy } from '../features/studio/index.ts';
import type { Callers } from './callers.ts';
import { answerTo, writeError } from './errors.ts';
import type { GrpcWeb } from './grpc-web.ts';
import { isRpc, type OriginGuard } from './origin-guard.ts';

/** A plain listener of requests. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export type RootParts = {
  readonly guard: OriginGuard;
  readonly proxy: StudioProxy;
  readonly grpcWeb: GrpcWeb;
  readonly callers: Callers;
  /** Routes, then the web app. */
  readonly fastify: Listener;
};

/** Origin guard, then the studio, then gRPC-web by content type, then routes and the web app. */
export function attachRootHandler(
  server: Server,
  { guard, proxy, grpcWeb, callers, fastify }: RootParts,
): void {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      guard(request);
    } catch (error) {
      writeError(request, response, error);
      return;
    }
    // The studio comes before Fastify: its bytes are streamed as they are, and its addresses are never decoded here.
    if (isStudioPath(request.url ?? '')) {
      proxy.handle(request, response);
      return;
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    if (isRpc(request) && request.method === 'POST') {
      callers.of(request).then(
        (caller) => grpcWeb(request, response, caller),
        (error: unknown) => writeError(request, response, error),
      );
    } else fastify(request, response);
  };
  server.on('request', handle);
  server.on('checkContinue', handle);
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    try {
      guard(request);
    } catch (error) {
      const id = requestIdOf(request);
      const { status, message } = answerTo(error, id);
      socket.end(
        `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: application/json\r\n${requestIdHeader}: ${id}\r\n\r\n${JSON.stringify({ error: message, request_id: id })}`,
      );
      return;
    }
    if (isStudioPath(request.url ?? '')) proxy.upgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
}
