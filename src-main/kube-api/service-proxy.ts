import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { errorMessage } from '../base/error-message.ts';
import type { ResourceAddress } from './addresses.ts';
import type { JsonObject } from './object-fields.ts';
import { listAt, objectAt, textAt, valueAt } from './object-fields.ts';
import { failure, notFound } from './status.ts';
import type { KubeKind, KubeObject, World } from './world.ts';

type Endpoint = { readonly host: string; readonly port: number };

/**
 * Passes a request on to a ready pod of a service: `services/[SCHEME:]NAME[:PORT]/proxy/PATH`. Throws the 503 Status when
 * no pod is ready or nothing listens.
 */
export async function proxyService(
  world: World,
  kinds: { readonly services: KubeKind; readonly pods: KubeKind },
  address: ResourceAddress,
  request: IncomingMessage,
  response: ServerResponse,
  search: string,
): Promise<void> {
  const { namespace = '', name: named = '' } = address;
  const { name, port } = proxyName(named);
  const service = await world.get(kinds.services, name, namespace);
  if (service === undefined) throw notFound(kinds.services, name);
  const endpoint = await endpointOf(world, kinds.pods, service, port);
  if (endpoint === undefined) throw unavailable(`no endpoints available for service "${named}"`);
  await passOn(endpoint, `${address.rest || '/'}${search}`, request, response);
}

/** Passes a request on to a pod: `pods/[SCHEME:]NAME[:PORT]/proxy/PATH`. Throws the 503 Status when nothing listens. */
export async function proxyPod(
  world: World,
  pods: KubeKind,
  address: ResourceAddress,
  request: IncomingMessage,
  response: ServerResponse,
  search: string,
): Promise<void> {
  const { namespace = '', name: named = '' } = address;
  const { name, port } = proxyName(named);
  const pod = await world.get(pods, name, namespace);
  if (pod === undefined) throw notFound(pods, name);
  const [first] = listAt(pod, 'spec', 'containers').flatMap((container) => listAt(container, 'ports'));
  const number = port === '' ? first?.containerPort : Number(port);
  const endpoint = typeof number === 'number' ? world.portOf?.(namespace, name, number) : undefined;
  if (endpoint === undefined)
    throw unavailable(`error trying to reach service: dial tcp ${named}: connect: connection refused`);
  await passOn(endpoint, `${address.rest || '/'}${search}`, request, response);
}

function proxyName(named: string): { readonly name: string; readonly port: string } {
  const parts = named.split(':');
  const [name = '', port = ''] = parts.length === 3 ? parts.slice(1) : parts;
  return { name, port };
}

async function endpointOf(
  world: World,
  pods: KubeKind,
  service: KubeObject,
  requested: string,
): Promise<Endpoint | undefined> {
  const { namespace = '' } = service.metadata;
  const ports = listAt(service, 'spec', 'ports');
  const port =
    requested === ''
      ? ports[0]
      : ports.find((each) => textAt(each, 'name') === requested || textAt(each, 'port') === requested);
  if (port === undefined) return undefined;
  const selector = Object.entries(objectAt(service, 'spec', 'selector'));
  if (selector.length === 0) return undefined;
  for (const pod of await world.list(pods, namespace)) {
    const labels = pod.metadata.labels ?? {};
    if (!selector.every(([key, value]) => labels[key] === value) || !isReady(pod)) continue;
    const number = targetPort(pod, port);
    const endpoint = number === undefined ? undefined : world.portOf?.(namespace, pod.metadata.name, number);
    if (endpoint !== undefined) return endpoint;
  }
  return undefined;
}

function isReady(pod: JsonObject): boolean {
  return listAt(pod, 'status', 'conditions').some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
}

/** A service's target port in a pod: its number, or the number of the container port of that name. */
function targetPort(pod: JsonObject, port: JsonObject): number | undefined {
  const target = valueAt(port, 'targetPort') ?? port.port;
  if (typeof target === 'number') return target;
  const named = listAt(pod, 'spec', 'containers')
    .flatMap((container) => listAt(container, 'ports'))
    .find(({ name }) => name === target);
  return typeof named?.containerPort === 'number' ? named.containerPort : undefined;
}

function passOn(
  { host, port }: Endpoint,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // Credentials are for this API, not for what is behind it.
    const { authorization: _token, connection: _hop, ...headers } = request.headers;
    const onward = httpRequest({
      host,
      port,
      path,
      method: request.method,
      headers: { ...headers, host: `${host}:${port}` },
    });
    const fail = (error: unknown): void =>
      reject(unavailable(`error trying to reach service: dial tcp ${host}:${port}: ${errorMessage(error)}`));
    onward.on('error', fail);
    onward.once('response', (answer) => {
      const { connection: _its, 'transfer-encoding': _coding, trailer: _trailer, ...rest } = answer.headers;
      // Half an answer ends here as it did there.
      answer.on('error', () => response.destroy());
      try {
        response.writeHead(answer.statusCode ?? 502, rest);
        answer.pipe(response);
      } catch (error) {
        onward.destroy();
        fail(error);
      }
    });
    response.once('close', () => {
      onward.destroy();
      resolve();
    });
    request.pipe(onward);
  });
}

function unavailable(message: string) {
  return failure({
    code: 503,
    reason: 'ServiceUnavailable',
    message,
  });
}
