import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createConnectRouter,
  createContextKey,
  createContextValues,
  type HandlerContext,
  type Interceptor,
} from '@connectrpc/connect';
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import type { Caller } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { requestIdHeader, requestIdOf } from '../base/request-id.ts';
import { connectError } from '../grpc/console-error.ts';
import { speakingText } from '../grpc/text-mode.ts';
import { answerUnimplemented } from '../grpc/unimplemented.ts';
import { storeTrouble } from '../store/index.ts';

/** The caller of an rpc, and the request that carried it. */
export type RpcPeer = { readonly caller: Caller; readonly request: IncomingMessage };

const peerKey = createContextKey<RpcPeer | undefined>(undefined);

const requestIdKey = createContextKey('');

/** Returns who called an rpc. */
export function rpcPeerOf(context: HandlerContext): RpcPeer {
  const peer = context.values.get(peerKey);
  if (peer === undefined) throw new Error('an rpc was called without its request');
  return peer;
}

/**
 * Returns an interceptor that reports a full, locked or unreachable store as such, and any other fault of
 * ours by the request ID under which it is logged. Every error names its request.
 */
function explainFaults(log: Options['log']): Interceptor {
  return (next) => async (request) => {
    const explain = (error: unknown): ConnectError => {
      const id = request.contextValues.get(requestIdKey);
      const explained = explainedFault(error, id);
      if (explained !== error && !(error instanceof ConsoleError))
        log.error({ err: error, request_id: id, rpc: request.url }, 'rpc failed');
      explained.metadata.set(requestIdHeader, id);
      return explained;
    };
    try {
      const response = await next(request);
      return response.stream ? { ...response, message: explainPieces(response.message, explain) } : response;
    } catch (error) {
      throw explain(error);
    }
  };
}

async function* explainPieces<T>(
  pieces: AsyncIterable<T>,
  explain: (error: unknown) => ConnectError,
): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    throw explain(error);
  }
}

function explainedFault(error: unknown, id: string): ConnectError {
  if (error instanceof ConnectError) return error;
  if (error instanceof ConsoleError) return connectError(error, id);
  const trouble = storeTrouble(error);
  return trouble === undefined
    ? new ConnectError(
        `The console failed on this request. Its log has the reason under ${id}.`,
        Code.Internal,
      )
    : connectError(new ConsoleError('Unavailable', trouble), id);
}

export type GrpcWeb = (request: IncomingMessage, response: ServerResponse, caller: Caller) => Promise<void>;

type Options = {
  readonly routes: (router: ConnectRouter) => void;
  readonly log: { error(fields: object, message: string): void };
};

/** Largest message of a request, in bytes. */
const readMaxBytes = 4 * 1024 * 1024;
/** Longest deadline a caller may set, in ms. */
const maxTimeoutMs = 10 * 60_000;

/**
 * gRPC-web on `/` (the gRPC-web protocol, both `application/grpc-web` and `application/grpc-web-text`).
 */
export function createGrpcWeb({ routes, log }: Options): GrpcWeb {
  const router = createConnectRouter({
    grpc: false,
    connect: false,
    grpcWeb: true,
    acceptCompression: [compressionGzip],
    readMaxBytes,
    maxTimeoutMs,
    interceptors: [explainFaults(log)],
  });
  routes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, speakingText(handler)]));

  return async (request, response, caller) => {
    const values = createContextValues()
      .set(peerKey, { caller, request })
      .set(requestIdKey, requestIdOf(request));
    const handler = handlers.get(request.url?.split('?', 1)[0] ?? '');
    if (handler === undefined) return answerUnimplemented(request, response, 'The console');
    try {
      const incoming = universalRequestFromNodeRequest(request, response, undefined, values);
      await universalResponseToNodeResponse(await handler(incoming), response);
    } catch (error) {
      if (!response.headersSent && !response.destroyed) response.writeHead(500).end();
      else response.destroy();
      // A client that went away is not a fault.
      if (ConnectError.from(error).code !== Code.Aborted)
        log.error({ err: error, request_id: requestIdOf(request), rpc: request.url }, 'rpc failed');
    }
  };
}
