import { constants } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code, ConnectError, type ConnectRouter, type ContextValues } from '@connectrpc/connect';
import { connectNodeAdapter } from '@connectrpc/connect-node';
import { answerJson } from './bodies.ts';
import type { BackendLog } from './log.ts';
import { type PlainRoute, routeFor } from './plain-routes.ts';
import { type AnyRequest, type AnyResponse, protocolServer } from './protocols.ts';
import { RouteRefused } from './refusals.ts';

export { answerJson, readBody, readJson } from './bodies.ts';
export { type BackendLog, silentLog } from './log.ts';
export type { PlainRoute } from './plain-routes.ts';
export type { AnyRequest, AnyResponse } from './protocols.ts';
export { RouteRefused, StartupRefused } from './refusals.ts';

export type ServingOptions = {
  /** Port 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Names the program in its log and in the sentences of its failures, such as `campaign backend`. */
  readonly name: string;
  /** The services of the backend. */
  readonly services: (router: ConnectRouter) => void;
  /** What handlers read about a request, such as who calls. */
  readonly contextValues?: (request: AnyRequest) => ContextValues;
  readonly plain: readonly PlainRoute[];
  /** Answers what neither is. Without it that is 404. */
  readonly webApp?: (request: AnyRequest, response: AnyResponse) => void | Promise<void>;
  /** Largest message of a call, in bytes; streams may be longer. Default 4 MB. */
  readonly largestMessage?: number;
  readonly log: BackendLog;
};

export type Serving = {
  /** `http://<host>:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes nothing new and lets what runs end, for 4 s at most. */
  close(): Promise<void>;
};

/** How long requests may go on after `close`, in milliseconds. */
const drainMs = 4000;
/** gRPC, gRPC-Web and the streams of Connect say what they are (spec/backends.md, What the service does, 2). */
const rpcTypes = /^application\/(?:grpc|grpc-web|grpc-web-text|connect)(?:[+;\s]|$)/i;
/** Unary calls of Connect are plain JSON or proto: told by their path, `/<package>.<Service>/<Method>`. */
const rpcPath = /^\/[a-z]\w*(?:\.\w+)+\/\w+$/;

/**
 * Serves a backend on one port: gRPC (HTTP/2), gRPC-Web and Connect first, by content type, then the plain routes, then the web app.
 * Rejects when the port cannot be had; nothing is left running then.
 */
export async function serveBackend(options: ServingOptions): Promise<Serving> {
  const { listen, name, plain, log } = options;
  const stopping = new AbortController();
  const answerRpc = connectNodeAdapter({
    routes: options.services,
    ...(options.contextValues === undefined ? {} : { contextValues: options.contextValues }),
    readMaxBytes: options.largestMessage ?? 4 * 1024 * 1024,
    shutdownSignal: stopping.signal,
  });

  const answer = async (request: AnyRequest, response: AnyResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (rpcTypes.test(request.headers['content-type'] ?? '')) return answerRpc(request, response);
    const plainRoute = routeFor(plain, request.method ?? 'GET', path);
    if (plainRoute !== undefined) return plainRoute(request, response);
    if (rpcPath.test(path)) return answerRpc(request, response);
    if (options.webApp !== undefined) return options.webApp(request, response);
    throw new RouteRefused(404, `The ${name} has nothing at ${path.slice(0, 200)}.`);
  };

  const server = protocolServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!(error instanceof RouteRefused)) log.error({ err: error }, 'a request failed');
      if (response.headersSent) endHalfway(response);
      else if (error instanceof RouteRefused)
        answerJson(response, error.status, { error: error.message }, error.headers);
      else answerJson(response, 500, { error: `The ${name} failed; the fault is in its log. Try again.` });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.net.once('error', reject).listen(listen.port, listen.host, resolve);
  });
  const { port } = server.net.address() as AddressInfo;
  const url = `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${port}`;
  log.info({ url }, `the ${name} is listening`);

  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.net.close(() => resolve()));
    server.drain();
    const cut = setTimeout(() => {
      stopping.abort(new ConnectError(`The ${name} is stopping. Try again in a moment.`, Code.Unavailable));
      server.cut();
    }, drainMs);
    await closed;
    clearTimeout(cut);
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

/** An answer that failed halfway is cut, so that nobody takes what arrived for all of it. */
function endHalfway(response: AnyResponse): void {
  // Without an error code a client of HTTP/2 takes what arrived for the whole.
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}
