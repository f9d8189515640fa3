import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGrpcWeb, rpcPeerOf } from '../../src-main/console/grpc-web.ts';
import { StoreError } from '../../src-main/store/index.ts';
import type { Caller } from '../../src-shared/api/handler.ts';
import { StudioService } from '../../src-shared/gen/studio/v1/studio_pb.js';

export type StreamingService = {
  readonly url: string;
  readonly cancelled: () => number;
  close(): Promise<void>;
};

/**
 * The console's gRPC-web mounting with a server stream on it: `Chat` answers the words of the text 50 ms apart, and
 * for the text `forever` never ends; the word `storeless` finds the store away, as does a chat of that id. GET answers `page`, so that a browser can call it from its own origin.
 */
export async function startStreamingService(page = ''): Promise<StreamingService> {
  let cancelled = 0;
  const grpcWeb = createGrpcWeb({
    log: { error: () => undefined },
    routes: (router) =>
      router.service(StudioService, {
        async *chat({ text }, context) {
          rpcPeerOf(context);
          context.signal.addEventListener('abort', () => {
            cancelled += 1;
          });
          const words = text === 'forever' ? Array.from({ length: 1000 }, () => 'again') : text.split(' ');
          for (const word of words) {
            if (word === 'storeless') throw new StoreError('The store does not answer.');
            yield { event: { case: 'text' as const, value: word } };
            await new Promise((resolve) => setTimeout(resolve, 50));
            if (context.signal.aborted) return;
          }
        },
        openChat: (request) => {
          if (request.id === 'storeless') throw new StoreError('The store does not answer.');
          return { answeredBy: `opened ${request.id}` };
        },
      }),
  });
  const caller: Caller = {
    email: 'mira@northgate.example',
    sessionId: 's',
    localOperator: false,
    signInLink: false,
  };
  const server: Server = createServer((request, response) => {
    if (request.method === 'GET') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
    else void grpcWeb(request, response, caller);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cancelled: () => cancelled,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
