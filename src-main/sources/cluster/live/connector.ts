import { isIP, type Socket } from 'node:net';
import tls, { createSecureContext } from 'node:tls';
import { Agent, buildConnector, Client } from 'undici';
import { ClusterFailure } from './failures.ts';
import { socksTunnel } from './socks-tunnel.ts';

export type TlsSettings = {
  /** PEM; without it what Node and this machine trust. */
  readonly ca?: string | Buffer | undefined;
  readonly cert?: string | Buffer | undefined;
  readonly key?: string | Buffer | undefined;
  readonly servername?: string | undefined;
  readonly skipVerify?: boolean | undefined;
};

/** Opens a connection to a server, over TLS where its address says so, and through the proxy where there is one. */
export type Dial = (server: URL) => Promise<Socket>;

/** Trusted where a kubeconfig names no authority: Node's own list and the system's, where TLS-intercepting proxies are. */
function trusted(): string[] | undefined {
  // Reads the system's files: 265 ms and 576 certificates where it was measured, so only when it is needed. Older Node,
  // in which only its own list is known, does not have the function, and an import by its name would not load there.
  return typeof tls.getCACertificates === 'function'
    ? [...tls.getCACertificates('default'), ...tls.getCACertificates('system')]
    : undefined;
}

/** `limit`: milliseconds to connect. HTTP/1.1 only: a watch is a connection of its own, so that it can be cut by itself. */
export function dialThrough(settings: TlsSettings, proxy: URL | undefined, limit: number): Dial {
  let connect: buildConnector.connector | undefined;
  // One context for all connections: building one takes longer than a handshake.
  const connector = (): buildConnector.connector => {
    connect ??= buildConnector({
      secureContext: createSecureContext({
        ca: settings.ca ?? trusted(),
        cert: settings.cert,
        key: settings.key,
      }),
      rejectUnauthorized: settings.skipVerify !== true,
      allowH2: false,
      timeout: limit,
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
    });
    return connect;
  };
  return async (server) => {
    const { protocol, hostname } = server;
    const port = server.port || (protocol === 'https:' ? '443' : '80');
    const bare = hostname.replace(/^\[|\]$/g, '');
    const tunnel =
      proxy === undefined
        ? undefined
        : proxy.protocol.startsWith('socks')
          ? await socksTunnel(proxy, bare, Number(port), limit)
          : await tunnelTo(proxy, `${hostname}:${port}`, limit);
    if (tunnel !== undefined && protocol === 'http:') return tunnel;
    return new Promise((resolve, reject) => {
      connector()(
        {
          hostname: bare,
          protocol,
          port,
          // An address is no server name (RFC 6066, 3); it is checked all the same.
          ...(settings.servername === undefined && isIP(bare) !== 0
            ? {}
            : { servername: settings.servername ?? bare }),
          ...(tunnel === undefined ? {} : { httpSocket: tunnel }),
        },
        (error, socket) => {
          if (error === null && socket !== null) resolve(socket);
          else reject(error);
        },
      );
    });
  };
}

/** Requests that go by `dial`. `silence`: longest milliseconds without an answer, and between its pieces. */
export function agentOf(dial: Dial, silence: number): Agent {
  return new Agent({
    connect: ({ protocol, hostname, port }, callback) => {
      dial(new URL(`${protocol}//${hostname}${port ? `:${port}` : ''}`)).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
    connections: 200,
    pipelining: 1,
    headersTimeout: silence,
    bodyTimeout: silence,
  });
}

/** CONNECT (RFC 9110, 9.3.6). */
async function tunnelTo(proxy: URL, target: string, limit: number): Promise<Socket> {
  const client = new Client(proxy.origin, {
    connect: { timeout: limit, allowH2: false },
    headersTimeout: limit,
  });
  const { username, password } = proxy;
  const name = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  try {
    const { statusCode, socket } = await client.connect({
      path: target,
      headers: {
        host: target,
        ...(username === ''
          ? {}
          : { 'proxy-authorization': `Basic ${Buffer.from(name).toString('base64')}` }),
      },
    });
    if (statusCode === 200) return socket as Socket;
    socket.destroy();
    throw new ClusterFailure(
      'unreachable',
      statusCode === 407
        ? `The proxy ${proxy.host} asks for a sign-in: put user and password into its address.`
        : `The proxy ${proxy.host} does not connect to ${target} (${statusCode}).`,
    );
  } catch (error) {
    if (error instanceof ClusterFailure) throw error;
    throw new ClusterFailure(
      'unreachable',
      `The proxy ${proxy.host} cannot be reached: check HTTPS_PROXY, NO_PROXY and the kubeconfig's proxy-url.`,
      undefined,
      { cause: error },
    );
  }
}
