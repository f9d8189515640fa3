import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerWith, type FaultLog, refuseUpgrade } from '../base/http-server.ts';
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
  /** Told of every request, as it comes. */
  readonly onRequest: () => void;
  /** Told of what the guard refused. */
  readonly onForeign: (request: IncomingMessage, refusal: unknown) => void;
  readonly log: FaultLog;
};

/** Origin guard, then the studio, then gRPC-web by content type, then routes and the web app. */
export function attachRootHandler(
  server: Server,
  { guard, proxy, grpcWeb, callers, fastify, onRequest, onForeign, log }: RootParts,
): void {
  const handle = (request: IncomingMessage, response: ServerResponse): void | Promise<void> => {
    onRequest();
    try {
      guard(request);
    } catch (error) {
      writeError(request, response, error);
      onForeign(request, error);
      return;
    }
    // The studio comes before Fastify: its bytes are streamed as they are, and its addresses are never decoded here.
    if (isStudioPath(request.url ?? '')) {
      proxy.handle(request, response);
      return;
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    if (!isRpc(request) || request.method !== 'POST') return fastify(request, response);
    return callers.of(request).then(
      (caller) => grpcWeb(request, response, caller),
      (error: unknown) => writeError(request, response, error),
    );
  };
  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    try {
      guard(request);
    } catch (error) {
      const id = requestIdOf(request);
      const { status, message } = answerTo(error, id);
      const body = JSON.stringify({ error: message, request_id: id });
      refuseUpgrade(socket, status, { 'content-type': 'application/json', [requestIdHeader]: id }, body);
      return;
    }
    if (isStudioPath(request.url ?? '')) proxy.upgrade(request, socket, head);
    else refuseUpgrade(socket, 404);
  };
  answerWith(server, { request: handle, checkContinue: handle, upgrade }, log);
}
