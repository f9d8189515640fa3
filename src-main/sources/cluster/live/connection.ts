import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { type Agent, type Dispatcher, request } from 'undici';
import { isPathSegment } from '#shared/platform/kubernetes-names.ts';
import { agentOf, type Dial, dialThrough } from './connector.ts';
import { type CredentialSource, type Credentials, createCredentials, pem } from './credentials.ts';
import { answerFailure, ClusterFailure, networkFailure, oneLine, retryAfterOf } from './failures.ts';
import type { KubeContext } from './kubeconfig.ts';
import { proxyFor } from './proxies.ts';
import type { Timing } from './timing.ts';

export type ApiRequest = {
  /** Path and query. */
  readonly path: string;
  /** The action, for messages, such as `list pods in tenant-willow`. */
  readonly act: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: string;
  readonly contentType?: string;
  /** Media types that are understood; JSON when absent. */
  readonly accept?: string;
  readonly signal?: AbortSignal;
  /** Longest milliseconds between two pieces of the answer; 0: any. */
  readonly silence?: number;
  /** An answer of 429 is returned, not waited for and asked again, as of an eviction that a disruption budget blocks. */
  readonly throttled?: 'returned';
};

export type Answer = {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: Dispatcher.ResponseData['body'];
};

/** Requests to one API server, with the credentials and the proxy its context asks for. */
export type Connection = {
  /** Any answer but 401 and 429. Throws a ClusterFailure otherwise. */
  send(query: ApiRequest): Promise<Answer>;
  /**
   * A good answer as `of` reads its bytes; it is retried when the connection was dropped meanwhile. Throws a
   * ClusterFailure for any other.
   */
  read<T>(query: ApiRequest, of: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T>;
  json(query: ApiRequest): Promise<unknown>;
  /** A socket to the server and what to prove oneself with on it, for a WebSocket. */
  dial(): Promise<{
    readonly socket: Socket;
    readonly server: URL;
    readonly headers: Credentials['headers'];
  }>;
  /** `host:port` of the server. */
  host(): string;
  /** Told of every piece of any answer: the server is there. */
  heard(): void;
  /** The sign-in that requests are waiting for, as a sentence begins; undefined when none does. */
  signingIn(): string | undefined;
  /** Epoch milliseconds of the last piece; undefined before the first. */
  heardAt(): number | undefined;
  /** The reason nothing can be read at present; undefined while the server answers. */
  trouble(): ClusterFailure | undefined;
  /** Cuts off everything under way; what follows is a new connection. */
  drop(): void;
  /** As `drop`, because the server was found not to answer. */
  lose(why: unknown): void;
  /** As `drop`, with the credentials renewed. */
  renew(): void;
  close(): void;
};

export type ConnectionOptions = {
  /** The context as the kubeconfig has it now; the same object while nothing changed. */
  readonly resolve: () => Promise<KubeContext>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pluginPath: () => Promise<string | undefined>;
  readonly now: () => number;
  readonly timing: Timing;
  /** The server answers again, or is in trouble of another kind than before. */
  readonly onTrouble: (trouble: ClusterFailure | undefined) => void;
};

/** Bytes of one answer that is read as a whole. */
const largestAnswer = 64 * 1024 * 1024;
const largestError = 64 * 1024;

type Transport = { readonly credentials: Credentials; readonly dial: Dial; readonly agent: Agent };

/** Contacts nothing before the first request. */
export function createConnection(options: ConnectionOptions): Connection {
  const { now, timing, env } = options;
  let context: KubeContext | undefined;
  let source: CredentialSource | undefined;
  let transport: Transport | undefined;
  let closed = false;
  let heardAt: number | undefined;
  let trouble: ClusterFailure | undefined;

  const host = (): string => context?.server?.host ?? 'The cluster';
  let drops = 0;
  /** Requests that wait for credentials. */
  let signIns = 0;
  const drop = (): void => {
    if (transport !== undefined) drops += 1;
    void transport?.agent.destroy().catch(() => undefined);
    transport = undefined;
  };
  const settle = (failure: ClusterFailure | undefined): void => {
    const changed = trouble?.message !== failure?.message;
    trouble = failure;
    if (changed) options.onTrouble(failure);
  };
  /** `answered`: with these credentials just now; what an old watch goes on to say proves only that somebody is there. */
  const heard = (answered = false): void => {
    heardAt = now();
    if (answered || trouble?.kind === 'unreachable') settle(undefined);
  };

  /** The context and its credentials as they are now; what they no longer are is dropped. */
  const currentTransport = async (): Promise<
    Transport & { readonly server: URL; readonly source: CredentialSource }
  > => {
    if (closed) throw new ClusterFailure('unreachable', 'This target is closed.');
    const resolved = await options.resolve();
    if (resolved !== context) {
      context = resolved;
      source = undefined;
      drop();
    }
    const { server, fault, cluster } = resolved;
    if (server === undefined || fault !== undefined)
      throw new ClusterFailure('broken', fault ?? `The context ${resolved.name} has no server.`);
    source ??= createCredentials({ context: resolved, env, pluginPath: options.pluginPath, now, timing });
    signIns += 1;
    const credentials = await source.current().finally(() => {
      signIns -= 1;
    });
    if (
      transport !== undefined &&
      (transport.credentials.cert !== credentials.cert || transport.credentials.key !== credentials.key)
    ) {
      const { cert, key } = transport.credentials;
      if (String(cert) !== String(credentials.cert) || String(key) !== String(credentials.key)) drop();
    }
    if (transport === undefined) {
      const ca = await pem(cluster['certificate-authority'], cluster['certificate-authority-data']);
      // Whoever asked meanwhile may have made it.
      transport ??= transportTo(resolved, server, credentials, ca);
    }
    return { ...transport, credentials, server, source };
  };

  const transportTo = (
    { cluster }: KubeContext,
    server: URL,
    credentials: Credentials,
    ca: Buffer | undefined,
  ): Transport => {
    const { cert, key } = credentials;
    const tls = {
      ca,
      cert,
      key,
      servername: cluster['tls-server-name'],
      skipVerify: cluster['insecure-skip-tls-verify'],
    };
    const dial = dialThrough(tls, proxyFor(server, cluster['proxy-url'], env), timing.probe);
    return { credentials, dial, agent: agentOf(dial, timing.answer) };
  };

  const once = async (
    options: ApiRequest,
  ): Promise<{ answer: Answer; credentials: Credentials; source: CredentialSource }> => {
    const { agent, credentials, server, source } = await currentTransport();
    const { method = 'GET', path, body, signal, silence } = options;
    if (!isStraight(path))
      throw new ClusterFailure(
        'refused',
        `A name in ${oneLine(path, 200)} is none of Kubernetes: nothing was sent.`,
      );
    const response = await request(new URL(`${server.pathname.replace(/\/$/, '')}${path}`, server), {
      dispatcher: agent,
      method,
      headers: {
        accept: options.accept ?? 'application/json',
        'user-agent': 'operator-console',
        ...credentials.headers,
        ...(body === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
      ...(silence === undefined ? {} : { bodyTimeout: silence }),
    });
    // A body that breaks off after its reader has left must not end the process.
    response.body.on('error', () => undefined);
    heardAt = now();
    const header = (name: string): string | undefined => {
      const value = response.headers[name];
      return Array.isArray(value) ? value[0] : value;
    };
    return { answer: { status: response.statusCode, header, body: response.body }, credentials, source };
  };

  const failed = (error: unknown, signal: AbortSignal | undefined): unknown => {
    if (signal?.aborted === true) return error;
    const failure = networkFailure(error, host());
    if (failure.kind === 'unreachable' || failure.kind === 'sign_in' || failure.kind === 'broken')
      settle(failure);
    return failure;
  };

  /** Retries once a request that a `drop` of ours cut off, not the network. */
  const undropped = async <T>(request: ApiRequest, work: () => Promise<T>): Promise<T> => {
    const before = drops;
    try {
      return await work();
    } catch (error) {
      const again = drops !== before && !closed && request.signal?.aborted !== true && isRepeatable(request);
      const met = again ? undefined : failed(error, request.signal);
      if (met !== undefined) throw met;
      return work().catch((second: unknown) => {
        throw failed(second, request.signal);
      });
    }
  };

  const sendOnce = async (request: ApiRequest): Promise<Answer> => {
    let renewed = false;
    for (let waits = 0; ; ) {
      const { answer, credentials, source } = await once(request);
      const { status, body } = answer;
      if (await isForHttps(request, answer))
        throw new ClusterFailure(
          'broken',
          `${host()} speaks HTTPS: write https:// before it in the kubeconfig (server).`,
        );
      if (status !== 401 && (status !== 429 || request.throttled === 'returned')) {
        heard(true);
        return answer;
      }
      const text = await readText(body, largestError);
      if (status === 401) {
        if (renewed || !(await source.refused(credentials)))
          throw new ClusterFailure('sign_in', source.advice);
        renewed = true;
        continue;
      }
      heard(true);
      const retryAfter = answer.header('retry-after');
      const wait = retryAfterOf(retryAfter) ?? 1_000;
      waits += 1;
      if (waits > 3 || wait > 5_000)
        throw answerFailure({ status, body: text, retryAfter }, request.act, host());
      await after(wait, undefined, { signal: request.signal });
    }
  };

  const send = (request: ApiRequest): Promise<Answer> => undropped(request, () => sendOnce(request));
  const read = <T>(request: ApiRequest, of: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> =>
    undropped(request, async () => {
      const { status, header, body } = await sendOnce(request);
      if (status >= 200 && status < 300) return of(body);
      const message = await readText(body, largestError);
      throw answerFailure({ status, body: message, retryAfter: header('retry-after') }, request.act, host());
    });

  return {
    send,
    read,
    async json(request) {
      const body = await read(request, (bytes) => readText(bytes, largestAnswer));
      try {
        const value: unknown = JSON.parse(body);
        return value;
      } catch (error) {
        throw new ClusterFailure(
          'refused',
          `${host()} answered something that is not JSON: ${request.act}.`,
          undefined,
          {
            cause: error,
          },
        );
      }
    },
    async dial() {
      try {
        const { dial, server, credentials } = await currentTransport();
        return { socket: await dial(server), server, headers: credentials.headers };
      } catch (error) {
        throw failed(error, undefined);
      }
    },
    host,
    heard: () => heard(),
    signingIn: () => (signIns > 0 ? signInOf(context) : undefined),
    heardAt: () => heardAt,
    trouble: () => trouble,
    drop,
    lose(why) {
      settle(networkFailure(why, host()));
      drop();
    },
    renew() {
      source = undefined;
      drop();
    },
    close() {
      closed = true;
      drop();
    },
  };
}

/** Whether a server that expects TLS said so, as Go's and nginx do; an answer through a proxy of the API is not its own. */
async function isForHttps({ path }: ApiRequest, { status, header, body }: Answer): Promise<boolean> {
  const isText = /^text\/(?:plain|html)/.test(header('content-type') ?? '');
  if (status !== 400 || !isText || path.includes('/proxy/') || path.includes('/log?')) return false;
  return /HTTP request (?:to an|was sent to) HTTPS/i.test(await readText(body, largestError));
}

/** Returns whether a request that may have been carried out can be sent again: a write cannot, a review changes nothing. */
function isRepeatable({ method = 'GET', path }: ApiRequest): boolean {
  return method === 'GET' || path.startsWith('/apis/authorization.k8s.io/');
}

function signInOf(context: KubeContext | undefined): string {
  const command = context?.user.exec?.command;
  return command === undefined ? 'The sign-in of the kubeconfig' : `The sign-in program ${basename(command)}`;
}

/**
 * Returns whether a path leads where it says: a name such as `..`, encoded or not, would climb, and a proxy before the
 * server may decode `%2F`.
 */
function isStraight(path: string): boolean {
  const [names = ''] = path.split(/[?#]/, 1);
  return names.split('/').every((name) => {
    try {
      return isPathSegment(decodeURIComponent(name)) && !/[\\\p{Cc}]/u.test(decodeURIComponent(name));
    } catch {
      return false;
    }
  });
}

/** Throws a `refused` failure for more than `largest` bytes. */
export async function readText(body: AsyncIterable<Uint8Array>, largest: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > largest)
      throw new ClusterFailure(
        'refused',
        `An answer of the cluster is larger than ${largest / 1024 / 1024} MB.`,
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
