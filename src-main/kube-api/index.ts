import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { errorMessage } from '../base/error-message.ts';
import { answerWith, httpServer, refuseUpgrade, requestUrl } from '../base/http-server.ts';
import { listenOn } from '../base/process-end.ts';
import { type ApiUser, accessOf, checkAccess, forbidden, userOf } from './access.ts';
import { type ResourceAddress, resourceAddress, verbOf } from './addresses.ts';
import { aggregatedType, sendJson, sendNoPage, sendStatus, sendText } from './answers.ts';
import { type Changes, followChanges } from './changes.ts';
import {
  aggregatedDiscovery,
  apiVersions,
  groupList,
  oneGroup,
  resourceList,
  versionInfo,
} from './discovery.ts';
import { createFaults, type Fault, type Faults } from './faults.ts';
import { createOpenLists, type OpenLists } from './lists.ts';
import { openapiIndex, openapiOf } from './openapi.ts';
import { forwardPorts, portForwardServer } from './port-forward.ts';
import { answerResource, kindOf, type ResourceParts } from './resource-requests.ts';
import { badRequest, expired, failure, notFound, StatusError, unauthorized } from './status.ts';
import type { World } from './world.ts';
import type { Validate } from './writes.ts';

export type { ApiUser } from './access.ts';
export { rfc3339 } from './ages.ts';
export {
  type CertifiedKey,
  issueCertificate,
  loopbackCertificate,
} from './certificates.ts';
export { type Changes, followChanges } from './changes.ts';
export { createFaults, type Faults } from './faults.ts';
export { kubeconfigText } from './kubeconfig.ts';
export { type MemoryWorld, type MemoryWorldOptions, memoryWorld } from './memory-world.ts';
export type { StatusCause } from './status.ts';
export type * from './world.ts';
export type { Validate } from './writes.ts';

export type KubeApiOptions = {
  readonly world: World;
  /** Default: loopback, on a port the system chooses. */
  readonly listen?: { readonly host: string; readonly port: number };
  /** PEM; HTTPS with it, client certificates of `clientCa` are then asked for. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly clientCa?: string };
  /** Users with access, read at every request; anybody when absent. */
  readonly users?: readonly ApiUser[];
  readonly faults?: Faults;
  /** Earlier changes, for a server that starts again on the same world. */
  readonly changes?: Changes;
  /** Rules of objects beyond their names; none by default. */
  readonly validate?: Validate;
  /** Between bookmarks of a watch, in ms; default a minute. */
  readonly bookmarkMs?: number;
  /** Told of every request, as it comes. */
  readonly onRequest?: (request: ApiRequest) => void;
  /** Epoch ms. */
  readonly now?: () => number;
};

export type ApiRequest = {
  readonly method: string;
  /** With its query, as it was sent. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
};

export type KubeApi = {
  /** `http://HOST:PORT`, or https. */
  readonly url: string;
  /** Ends the open lists and forgets what happened: continue tokens and older watches answer 410. */
  compact(): void;
  /** Stops at once: what is open is cut off. */
  close(): Promise<void>;
};

type Parts = ResourceParts & {
  readonly users: readonly ApiUser[] | undefined;
  readonly lists: OpenLists;
};

/**
 * A small Kubernetes API over a world of objects: what kubectl and client libraries need to read it, watch it and, where
 * the world can be changed, change it. Rejects when it cannot listen.
 */
export async function startKubeApi(options: KubeApiOptions): Promise<KubeApi> {
  const { world, tls, listen = { host: '127.0.0.1', port: 0 } } = options;
  const changes = options.changes ?? followChanges(world);
  const parts: Parts = {
    world,
    changes,
    lists: createOpenLists(),
    faults: options.faults ?? createFaults(),
    validate: options.validate ?? (() => []),
    bookmarkMs: options.bookmarkMs ?? 60_000,
    now: options.now ?? Date.now,
    users: options.users,
  };
  const server = httpServer(
    tls === undefined
      ? {}
      : {
          tls: {
            key: tls.key,
            cert: tls.cert,
            ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa }),
          },
        },
  );
  const notify = (request: IncomingMessage): void =>
    options.onRequest?.({
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: request.headers,
    });
  const upgrades = portForwardServer();
  answerWith(server, {
    request(request, response) {
      notify(request);
      return answer(parts, request, response).catch((error: unknown) => refuse(response, error));
    },
    upgrade(request, socket, head) {
      notify(request);
      return upgrade(parts, request, (pod, ports) =>
        upgrades.handleUpgrade(request, socket, head, (joined) =>
          forwardPorts(joined, pod, ports, world, parts.faults),
        ),
      ).catch((error: unknown) => {
        const { status } = statusOf(error);
        refuseUpgrade(
          socket,
          status.code ?? 500,
          { 'content-type': 'application/json' },
          JSON.stringify(status),
        );
      });
    },
  });
  const { port } = await listenOn(server, { port: listen.port, host: listen.host });
  const host = listen.host.includes(':') ? `[${listen.host}]` : listen.host;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}`,
    compact() {
      parts.lists.expire();
      changes.compact();
    },
    close() {
      if (options.changes === undefined) changes.close();
      // Forwarded ports left the server's care when they were upgraded.
      parts.faults.cutStreams();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function answer(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await parts.faults.running();
  const url = urlOf(request);
  const user = userOf(request, parts.users);
  const address = addressOf(url);
  const fault = parts.faults.meet(`${request.method} ${request.url}`);
  if (fault?.kind === 'slow') await after(fault.ms);
  else if (fault !== undefined && (await met(fault, { user, address, request, response }))) return;
  if (address === undefined) return answerOther(parts, url, request, response);
  await answerResource(parts, { request, response, address, url, user, gone: fault?.kind === 'expired' });
}

function urlOf(request: IncomingMessage): URL {
  const url = requestUrl(request);
  if (url === undefined) throw badRequest('the address cannot be read');
  return url;
}

function addressOf(url: URL): ResourceAddress | undefined {
  try {
    return resourceAddress(url.pathname);
  } catch {
    throw badRequest('the address cannot be read');
  }
}

/** True when the fault is the whole answer. Throws the Status it answers with. */
async function met(
  fault: Fault,
  {
    user,
    address,
    request,
    response,
  }: {
    user: ApiUser;
    address: ResourceAddress | undefined;
    request: IncomingMessage;
    response: ServerResponse;
  },
): Promise<boolean> {
  if (fault.kind === 'hang') return new Promise((resolve) => response.once('close', () => resolve(true)));
  if (fault.kind === 'reset') {
    request.socket.destroy();
    return true;
  }
  if (fault.kind === 'lost') {
    // What is written after this reaches nobody.
    response.end = () => {
      request.socket.destroy();
      return response;
    };
    return false;
  }
  if (fault.kind === 'denied')
    throw failure({ code: fault.status, reason: fault.reason, message: fault.message });
  if (fault.kind === 'unauthorized') throw unauthorized();
  if (fault.kind === 'throttled')
    throw failure({
      code: 429,
      reason: 'TooManyRequests',
      message: 'storage is (re)initializing',
      details: { retryAfterSeconds: fault.retryAfterSeconds },
      headers: { 'retry-after': String(fault.retryAfterSeconds) },
    });
  if (fault.kind === 'error')
    throw failure({
      code: fault.status,
      reason: fault.status === 503 ? 'ServiceUnavailable' : 'InternalError',
      message: `Internal error occurred: the fault ${fault.status} was asked for`,
      details: { causes: [] },
    });
  if (address === undefined) return false;
  if (fault.kind === 'forbidden') {
    const watches = /[?&]watch=(?:1|true)/.test(request.url ?? '');
    throw forbidden(user, accessOf(verbOf(request.method ?? 'GET', address, watches), address), address.name);
  }
  const isWatch = /[?&]watch=(?:1|true)/.test(request.url ?? '');
  if (fault.kind === 'expired' && !isWatch)
    throw expired('The resourceVersion for the provided list is too old.');
  return false;
}

/** Paths that name no object. */
async function answerOther(
  { world }: Parts,
  { pathname, searchParams }: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname;
  if (path === '/readyz' || path === '/livez' || path === '/healthz') {
    const verbose = searchParams.has('verbose');
    sendText(response, 200, verbose ? `[+]ping ok\n${path.slice(1)} check passed\n` : 'ok');
    return;
  }
  if (path === '/version') return sendJson(response, 200, versionInfo(world.version));
  if (path === '/openapi/v3') return sendJson(response, 200, openapiIndex(world));
  if (path.startsWith('/openapi/v3/'))
    return sendIfAny(response, await openapiOf(world, path.slice('/openapi/v3/'.length)));
  const aggregated = request.headers.accept?.includes('g=apidiscovery.k8s.io;v=v2;') === true;
  if ((path === '/api' || path === '/apis') && aggregated) {
    sendJson(response, 200, await aggregatedDiscovery(world, path === '/api'), {
      'content-type': aggregatedType,
    });
    return;
  }
  if (path === '/api') return sendJson(response, 200, apiVersions(request.headers.host ?? ''));
  if (path === '/apis') return sendJson(response, 200, groupList(world));
  const [, root, group = '', version] = path.split('/');
  if (root === 'api') return sendIfAny(response, await resourceList(world, '', group));
  if (root === 'apis' && version === undefined) return sendIfAny(response, oneGroup(world, group));
  if (root === 'apis') return sendIfAny(response, await resourceList(world, group, version ?? ''));
  sendNoPage(response);
}

function sendIfAny(response: ServerResponse, body: object | undefined): void {
  if (body === undefined) sendNoPage(response);
  else sendJson(response, 200, body);
}

async function upgrade(
  parts: Parts,
  request: IncomingMessage,
  forward: (pod: { namespace: string; name: string }, ports: readonly number[]) => void,
): Promise<void> {
  await parts.faults.running();
  const url = urlOf(request);
  const user = userOf(request, parts.users);
  const address = addressOf(url);
  if (address?.subresource !== 'portforward' || address.plural !== 'pods' || address.name === undefined)
    throw badRequest('only port-forward of a pod can be upgraded');
  checkAccess(user, accessOf('get', address), address.name);
  const pods = kindOf(parts.world, address);
  const { name, namespace = '' } = address;
  if (pods === undefined || (await parts.world.get(pods, name, namespace)) === undefined)
    throw notFound({ group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true }, name);
  const ports = url.searchParams
    .getAll('ports')
    .flatMap((value) => value.split(','))
    .map(Number);
  if (ports.length === 0 || ports.some((port) => !Number.isInteger(port) || port < 1 || port > 65_535))
    throw badRequest(
      'query parameter "ports" is required and holds port numbers; kubectl port-forward sends none, because it speaks SPDY, which this API does not',
    );
  forward({ namespace, name }, ports);
}

function refuse(response: ServerResponse, error: unknown): void {
  const status = statusOf(error);
  if (response.headersSent) response.destroy();
  else sendStatus(response, status.status, status.headers);
}

/**
 * Returns the error to answer with; a failure in the server itself becomes a 500 with its message, as in a
 * real one.
 */
function statusOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const message = errorMessage(error);
  return failure({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [] },
  });
}
