import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ContextValues,
  createConnectRouter,
  type Interceptor,
} from '@connectrpc/connect';
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from '@connectrpc/connect-node';
import { tellingStatus } from '../../grpc/status-message.ts';
import { speakingText } from '../../grpc/text-mode.ts';
import { answerUnimplemented } from '../../grpc/unimplemented.ts';
import type { AnyRequest, AnyResponse } from './protocols.ts';

type RpcDoorOptions = {
  /** Names the program, such as `campaign backend`. */
  readonly name: string;
  readonly services: (router: ConnectRouter) => void;
  readonly interceptors: Interceptor[];
  readonly contextValues?: (request: AnyRequest) => ContextValues;
  /** Largest message of a call, in bytes. */
  readonly readMaxBytes: number;
  readonly shutdownSignal: AbortSignal;
  /** Answers a call that failed before its protocol could say so, and logs it. */
  readonly failed: (response: AnyResponse, error: unknown, call: string) => void;
};

/** Returns what answers gRPC, gRPC-web (binary and text mode) and Connect. Never throws. */
export function rpcDoor(options: RpcDoorOptions): (request: AnyRequest, response: AnyResponse) => void {
  const { name, contextValues, failed } = options;
  const router = createConnectRouter({
    interceptors: options.interceptors,
    readMaxBytes: options.readMaxBytes,
    shutdownSignal: options.shutdownSignal,
    acceptCompression: [compressionGzip, compressionBrotli],
  });
  options.services(router);
  const handlers = new Map(
    router.handlers.map((handler) => [handler.requestPath, tellingStatus(speakingText(handler))]),
  );
  return (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const handler = handlers.get(path);
    if (handler === undefined) return answerUnimplemented(request, response, `The ${name}`);
    const incoming = universalRequestFromNodeRequest(request, response, undefined, contextValues?.(request));
    handler(incoming)
      .then((answer) => universalResponseToNodeResponse(answer, response))
      .catch((error: unknown) => {
        // A client that went away is not a fault.
        if (ConnectError.from(error).code !== Code.Aborted) failed(response, error, path);
      });
  };
}
