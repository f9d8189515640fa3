import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError, createContextValues } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { StudioService } from '#shared/gen/studio/v1/studio_pb.js';
import { callerKey, chatService } from './chat-service.ts';
import type { InferenceOptions } from './config.ts';
import { type Caller, identityVerifier, refusal } from './identity.ts';
import { inferenceAnswerer } from './inference/index.ts';
import { type StudioLog, silentLog } from './log.ts';
import { planner } from './planner/index.ts';
import { runningAnswers } from './running-answers.ts';
import { openChatStore } from './store.ts';
import { answerJson, builtWebDir, webFiles } from './web-files.ts';

export { type InferenceOptions, readStudioConfig, type StudioConfig } from './config.ts';
export type { StudioLog } from './log.ts';

export type StudioOptions = {
  /** Port 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  /** HMAC key shared with the console, at least 32 bytes. */
  readonly identityKey: Buffer;
  /** SQLite file, or `:memory:`. */
  readonly storeFile: string;
  /** Without it the built-in planner answers, and says so. */
  readonly inference?: InferenceOptions;
  /** Folder of the web bundle. Default: `out/studio-web` of this program. */
  readonly webDir?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly log?: StudioLog;
};

export type Studio = {
  /** `http://<host>:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes no new requests, lets running answers end, stores what is left as interrupted. At most 5 s. */
  close(): Promise<void>;
};

/** How long running answers may go on after `close`, in milliseconds; storing the rest takes the last second. */
const drainMs = 4000;
/** How long a client has to read the end of its answer, in milliseconds. */
const lingerMs = 500;
/** Largest request: a message of 32,000 characters in UTF-8 with room for its frame. */
const largestRequest = 256 * 1024;

/**
 * Starts the studio: `studio.v1.StudioService` (gRPC-web, gRPC and Connect), `/healthz`, and its web bundle, all at
 * the root. Every request but `/healthz` needs the console's identity assertion (spec/console.md, Authentication 6).
 * Rejects when the port is taken, the key is short or the store cannot be opened; nothing is left running then.
 */
export async function startStudio(options: StudioOptions): Promise<Studio> {
  const { identityKey, listen, now = Date.now, log = silentLog } = options;
  if (identityKey.length < 32) throw new Error('The studio identity key must be at least 32 bytes long.');
  const serveFile = await webFiles(options.webDir ?? builtWebDir(), log);
  const store = await openChatStore(options.storeFile);
  const answerer = options.inference === undefined ? planner() : inferenceAnswerer(options.inference);
  const running = runningAnswers();
  const verify = identityVerifier(identityKey, now);
  const callers = new WeakMap<object, Caller>();
  const stopping = new AbortController();

  const answerRpc = connectNodeAdapter({
    routes: (router) => router.service(StudioService, chatService({ store, answerer, running, now, log })),
    contextValues: (request) => createContextValues().set(callerKey, callers.get(request)),
    readMaxBytes: largestRequest,
    shutdownSignal: stopping.signal,
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/healthz') {
      response
        .writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
        .end('ok');
      return;
    }
    const caller = await verify(request);
    if (caller !== undefined) callers.set(request, caller);
    // Without a caller the methods answer UNAUTHENTICATED themselves, in the protocol the client speaks.
    if (path?.startsWith(`/${StudioService.typeName}/`)) answerRpc(request, response);
    else if (caller === undefined) answerJson(request, response, 401, refusal);
    else serveFile(request, response);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request failed');
      if (!response.headersSent)
        answerJson(request, response, 500, 'The studio failed; the fault is logged. Try again.');
      else response.destroy();
    });
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(listen.port, listen.host, resolve);
    });
  } catch (error) {
    await store.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const url = `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${port}`;
  log.info({ url, answeredBy: answerer.name }, 'the studio is listening');

  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const cut = setTimeout(() => stopping.abort(new ConnectError(stopped, Code.Unavailable)), drainMs);
    await running.drained();
    clearTimeout(cut);
    server.closeIdleConnections();
    // The last bytes of an answer that just ended get a moment; a client that does not read them is cut off.
    const linger = setTimeout(() => server.closeAllConnections(), lingerMs);
    await closed;
    clearTimeout(linger);
    await store.close();
  };
  let closing: Promise<void> | undefined;
  return {
    url,
    port,
    close: () => {
      closing ??= stop();
      return closing;
    },
  };
}

const stopped =
  'The studio is stopping and ended this answer early: what had arrived is kept. Try again in a moment.';
