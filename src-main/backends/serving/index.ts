import { constants } from 'node:http2';
import { Code, ConnectError, type ConnectRouter, type ContextValues } from '@connectrpc/connect';
import { hasReadableHost } from '../../base/http-server.ts';
import { listenOn } from '../../base/process-end.ts';
import { answerJson } from './bodies.ts';
import { explaining, refusingHalves } from './failures.ts';
import type { BackendLog } from './log.ts';
import { type PlainRoute, routeFor } from './plain-routes.ts';
import { type AnyRequest, type AnyResponse, protocolServer } from './protocols.ts';
import { RouteRefused, StartupRefused } from './refusals.ts';
import { rpcDoor } from './rpc-door.ts';

export { answerJson, readBody, readJson, writeHead } from './bodies.ts';
export { matchesTag } from './entity-tags.ts';
export {
  type BackendVariable,
  type EnvironmentOf,
  httpAddress,
  variable,
  variableReader,
} from './environment.ts';
export { callFailure } from './failures.ts';
export { type BackendLog, silentLog } from './log.ts';
export type { PlainRoute } from './plain-routes.ts';
export type { AnyRequest, AnyResponse } from './protocols.ts';
export { RouteRefused, StartupRefused } from './refusals.ts';
export { readWebFiles, webApp } from './web-app.ts';

export type ServingOptions = {
  /** Port 0 lets the system choose. */
  readonly listen: { readonly host: string; readonly port: number };
  /** Names the program in its log and in the sentences of its failures, such as `campaign backend`. */
  readonly name: string;
  /** The services of the backend. */
  readonly services: (router: ConnectRouter) => void;
  /** Returns values for a request's handlers, such as its caller. */
  readonly contextValues?: (request: AnyRequest) => ContextValues;
  readonly plain: readonly PlainRoute[];
  /** Answers what neither is. Without it that is 404. */
  readonly webApp?: (request: AnyRequest, response: AnyResponse) => void | Promise<void>;
  /**
   * The sentence for a failure of what the backend stands on, such as its store: UNAVAILABLE, or 503 of a plain route. Anything else that
   * is thrown and meant for nobody is logged, and told as INTERNAL, or 500.
   */
  readonly unavailable?: (error: unknown) => string | undefined;
  /** Largest message of a call, in bytes; streams may be longer. Default 4 MB. */
  readonly largestMessage?: number;
  /** Message for a call that outlasts the shutdown grace period. Default: to try again in a moment. */
  readonly stopping?: string;
  readonly log: BackendLog;
};

export type Serving = {
  /** `http://<host>:<port>`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Takes nothing new and lets what runs end; after 4 s it is ended, with half a second to be told so. */
  close(): Promise<void>;
};

/** Time requests have to finish after `close`, in milliseconds. */
const drainMs = 4000;
/** Time a client then has to read the end of its answer, in milliseconds. */
const lingerMs = 500;
/** gRPC, gRPC-Web and the streams of Connect say what they are (BCK-002). */
const rpcTypes = /^application\/(?:grpc|grpc-web|grpc-web-text|connect)(?:[+;\s]|$)/i;
/** Unary calls of Connect are plain JSON or proto: told by their path, `/<package>.<Service>/<Method>`. */
const rpcPath = /^\/[a-z]\w*(?:\.\w+)+\/\w+$/;

/**
 * Serves a backend on one port: gRPC (HTTP/2), gRPC-Web and Connect first, by content type, then the plain routes, then the web app.
 * Throws `StartupRefused` when the port cannot be had; nothing is left running then.
 */
export async function serveBackend(options: ServingOptions): Promise<Serving> {
  const { listen, name, plain, log, unavailable = () => undefined } = options;
  const stopping = new AbortController();
  const failed = (response: AnyResponse, error: unknown, call: string): void => {
    if (!(error instanceof RouteRefused)) log.error({ err: error, call }, 'a call failed');
    const refused = error instanceof RouteRefused ? error : failureOf(name, unavailable(error));
    if (response.headersSent) endHalfway(response);
    else answerJson(response, refused.status, { error: refused.message }, refused.headers);
  };

  const answerRpc = rpcDoor({
    name,
    services: options.services,
    failed,
    interceptors: [explaining({ name, unavailable, log }), refusingHalves()],
    ...(options.contextValues === undefined ? {} : { contextValues: options.contextValues }),
    readMaxBytes: options.largestMessage ?? 4 * 1024 * 1024,
    shutdownSignal: stopping.signal,
  });

  const answer = async (request: AnyRequest, response: AnyResponse): Promise<void> => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const isRpc = rpcTypes.test(request.headers['content-type'] ?? '');
    // The protocols build a URL of it.
    if ((isRpc || rpcPath.test(path)) && !hasReadableHost(request))
      throw new RouteRefused(400, 'The request has no Host header that can be read.');
    if (isRpc) return answerRpc(request, response);
    const found = routeFor(plain, request.method ?? 'GET', path);
    if (found !== undefined) {
      try {
        return await found.answer(request, response);
      } catch (error) {
        // By its route, not by its path, which may have a name in it that a person gave.
        return failed(response, error, found.route);
      }
    }
    if (rpcPath.test(path)) return answerRpc(request, response);
    if (options.webApp !== undefined) return options.webApp(request, response);
    throw new RouteRefused(404, `The ${name} has nothing at ${path.slice(0, 200)}.`);
  };

  const server = protocolServer(
    (request, response) =>
      answer(request, response).catch((error: unknown) => failed(response, error, 'the web app')),
    log,
  );
  const { port } = await listenOn(server.net, { port: listen.port, host: listen.host }).catch(
    (error: unknown) => {
      throw (error instanceof Error ? portRefusal(error, listen) : undefined) ?? error;
    },
  );
  const url = `http://${listen.host.includes(':') ? `[${listen.host}]` : listen.host}:${port}`;
  log.info({ url }, `the ${name} is listening`);

  const stop = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.net.close(() => resolve()));
    server.drain();
    const { stopping: message = `The ${name} is stopping. Try again in a moment.` } = options;
    let cut: NodeJS.Timeout | undefined;
    const late = setTimeout(() => {
      stopping.abort(new ConnectError(message, Code.Unavailable));
      cut = setTimeout(() => server.cut(), lingerMs);
    }, drainMs);
    await closed;
    clearTimeout(late);
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

function portRefusal(
  error: Error,
  { host, port }: { readonly host: string; readonly port: number },
): StartupRefused | undefined {
  const code = 'code' in error ? error.code : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL' && code !== 'ENOTFOUND')
    return undefined;
  const why = code === 'EADDRINUSE' ? 'is in use by another program' : `is not ours to listen on (${code})`;
  return new StartupRefused(
    `the port cannot be had: ${host}:${port} ${why}. Give another address with --listen.`,
    { cause: error },
  );
}

function failureOf(name: string, message: string | undefined): RouteRefused {
  return message === undefined
    ? new RouteRefused(500, `The ${name} failed; the fault is in its log. Try again.`)
    : new RouteRefused(503, message, { 'retry-after': '5' });
}

/** An answer that failed halfway is cut, so that nobody takes what arrived for all of it. */
function endHalfway(response: AnyResponse): void {
  // Without an error code a client of HTTP/2 takes what arrived for the whole.
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}
