import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { z } from 'zod';
import { ConsoleError } from '#shared/errors.ts';
import { endpointSlices, services } from '../../../cluster-model/kinds/index.ts';
import { type Connection, readText } from './connection.ts';
import type { Discovery } from './discovery.ts';
import { answerFailure, ClusterFailure, networkFailure, oneLine } from './failures.ts';
import type { ForwardRequest } from './types.ts';

/** A port of a pod, by its number. */
export type PodPort = { readonly pod: string; readonly port: number };

/** Bytes of one message; a kubelet sends at most 32 KiB. */
const largestMessage = 4 * 1024 * 1024;
/** Milliseconds between two pings: a balancer ends a connection that is silent for a minute. */
const pingEvery = 25_000;

/**
 * A connection to a ready pod behind a service, over a WebSocket (`v4.channel.k8s.io`). Throws ConsoleError `Unavailable`
 * with what is missing. `signal` gives up opening it, and does nothing to what is open. When either side ends it, it ends as
 * a whole: the protocol cannot close one direction.
 */
export async function forwardPort(
  connection: Connection,
  discovery: Discovery,
  request: ForwardRequest,
  options: { readonly signal: AbortSignal; readonly limit: number },
): Promise<Duplex> {
  try {
    const { namespace } = request;
    const podPort = await podPortOf(connection, discovery, request, options.signal);
    return await openForward(connection, { namespace, ...podPort }, options);
  } catch (error) {
    throw unavailable(connection, error);
  }
}

/** A connection to a port of one pod; as `forwardPort` otherwise. */
export async function forwardPodPort(
  connection: Connection,
  request: PodPort & { readonly namespace: string },
  options: { readonly signal: AbortSignal; readonly limit: number },
): Promise<Duplex> {
  try {
    return await openForward(connection, request, options);
  } catch (error) {
    throw unavailable(connection, error);
  }
}

function unavailable(connection: Connection, error: unknown): ConsoleError {
  const { message } = networkFailure(error, connection.host());
  return new ConsoleError('Unavailable', message, {}, { cause: error });
}

/** A ready pod of the service, and the port it listens at: slices have the target port as a number already. */
async function podPortOf(
  connection: Connection,
  discovery: Discovery,
  { namespace, service, port }: ForwardRequest,
  signal: AbortSignal,
): Promise<PodPort> {
  const nothing = (why: string): ClusterFailure =>
    new ClusterFailure('missing', `The service ${service} in ${namespace} ${why}.`);
  const path = `${await discovery.pathOf(services, namespace)}/${encodeURIComponent(service)}`;
  const act = `get the service ${service} in ${namespace}`;
  const known = services.schema.safeParse(
    await connection.json({ path, act, signal }).catch((error: unknown) => {
      throw error instanceof ClusterFailure && error.kind === 'missing' ? nothing('does not exist') : error;
    }),
  );
  if (!known.success) throw nothing('cannot be understood');
  const wanted = known.data.spec.ports.find((one) => one.port === Number(port) || one.name === port);
  if (wanted === undefined) throw nothing(`has no port ${port}`);
  const slicesPath = await discovery.pathOf(endpointSlices, namespace);
  const query = new URLSearchParams({ labelSelector: `kubernetes.io/service-name=${service}`, limit: '100' });
  const answer = z.object({ items: z.array(endpointSlices.schema) }).safeParse(
    await connection.json({
      path: `${slicesPath}?${query}`,
      act: `list the endpoints of ${service}`,
      signal,
    }),
  );
  if (!answer.success) throw nothing('has endpoints that cannot be understood');
  const podPorts = answer.data.items.flatMap(({ endpoints, ports }) => {
    const target = ports.find(({ name }) => (name ?? '') === (wanted.name ?? ''))?.port;
    return endpoints
      .filter(({ conditions, targetRef }) => conditions?.ready !== false && targetRef?.kind === 'Pod')
      .flatMap(({ targetRef }) =>
        target === undefined || targetRef?.name === undefined ? [] : [{ pod: targetRef.name, port: target }],
      );
  });
  const chosen = podPorts[Math.floor(Math.random() * podPorts.length)];
  if (chosen === undefined) throw nothing(`has no ready pod for its port ${port}`);
  return chosen;
}

async function openForward(
  connection: Connection,
  { namespace, pod, port }: PodPort & { readonly namespace: string },
  { signal, limit }: { readonly signal: AbortSignal; readonly limit: number },
): Promise<Duplex> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/portforward?ports=${port}`;
  const act = `forward port ${port} of the pod ${pod} in ${namespace}`;
  // Loaded for the first forward: 25 ms and 12 MB.
  const { WebSocket } = await import('ws');
  const { socket, server, headers } = await connection.dial();
  const { host, protocol, pathname } = server;
  const ws = new WebSocket(
    `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${pathname.replace(/\/$/, '')}${path}`,
    ['v4.channel.k8s.io'],
    {
      createConnection: () => socket,
      headers: { ...headers },
      handshakeTimeout: limit,
      maxPayload: largestMessage,
      perMessageDeflate: false,
    },
  );
  const refused = Promise.withResolvers<never>();
  ws.once('unexpected-response', (_request, response) => {
    void readText(response, 64 * 1024).then(
      (body) =>
        refused.reject(answerFailure({ status: response.statusCode ?? 0, body }, act, connection.host())),
      refused.reject,
    );
  });
  ws.on('error', (error) => refused.reject(error));
  refused.promise.catch(() => undefined);
  // Before it is open: a server may send at once, together with its answer to the handshake.
  const stream = streamOf(ws, act);
  try {
    await Promise.race([once(ws, 'open', { signal }), refused.promise]);
    if (stream.errored !== null) throw stream.errored;
    return stream;
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

function streamOf(ws: import('ws').WebSocket, act: string): Duplex {
  // Each channel begins with the port number in two bytes; then 0 carries bytes, 1 what went wrong.
  const skip = [2, 2];
  let alive = true;
  const stream = new Duplex({
    read: () => ws.resume(),
    write: (chunk: Buffer, _encoding, done) => ws.send(Buffer.concat([Buffer.from([0]), chunk]), done),
    final(done) {
      ws.close(1000);
      done();
    },
    destroy(error, done) {
      clearInterval(pings);
      ws.terminate();
      done(error);
    },
  });
  // An end that nobody listens for must not end the process.
  stream.on('error', () => undefined);
  const pings = setInterval(() => {
    if (!alive) return void stream.destroy(new Error(`The connection was lost: ${act}.`));
    alive = false;
    ws.ping();
  }, pingEvery);
  pings.unref();
  ws.on('pong', () => {
    alive = true;
  });
  ws.on('message', (data: Buffer) => {
    alive = true;
    const channel = data[0] ?? 0;
    const from = 1 + Math.min(skip[channel] ?? 0, data.length - 1);
    skip[channel] = (skip[channel] ?? 0) - (from - 1);
    const bytes = data.subarray(from);
    if (bytes.length === 0) return;
    if (channel === 1)
      stream.destroy(
        new ClusterFailure(
          'refused',
          `The pod did not take the connection: ${oneLine(bytes.toString('utf8'), 300)}.`,
        ),
      );
    else if (channel === 0 && !stream.push(bytes)) ws.pause();
  });
  ws.on('error', (error) => stream.destroy(error));
  ws.on('close', () => {
    if (stream.destroyed) return;
    stream.push(null);
    stream.end();
  });
  return stream;
}
