import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createRawServer,
  type Server as RawServer,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerWith, httpServer } from '../../../../src-main/base/http-server.ts';
import {
  createStudioProxy,
  guardConnections,
  readIdentityKey,
  type StudioProxy,
  type StudioProxyOptions,
  studioSafeServerOptions,
} from '../../../../src-main/features/studio/index.ts';

/** The key of all proxies in these tests, in base64. */
export const KEY = Buffer.alloc(32, 7).toString('base64');
export const SESSION = 'console_session=test';
export const EMAIL = 'person@example.com';

export type Mounted = { port: number; proxy: StudioProxy; server: Server; stop(): Promise<void> };

export const portOf = (server: RawServer): number => (server.address() as AddressInfo).port;

export const listen = (server: RawServer): Promise<number> =>
  new Promise((done) => server.listen(0, '127.0.0.1', () => done(portOf(server))));

const signedIn = (req: IncomingMessage) =>
  req.headers.cookie?.includes(SESSION) ? { id: 'session', email: EMAIL } : undefined;

/** The proxy on a real server with the console's own server options, in front of `upstream`. */
export async function mount(upstream: string, more: Partial<StudioProxyOptions> = {}): Promise<Mounted> {
  const proxy = createStudioProxy({
    upstream: new URL(upstream),
    identityKey: readIdentityKey(KEY),
    sessionOf: signedIn,
    ...more,
  });
  const server = httpServer(studioSafeServerOptions);
  answerWith(server, {
    request: (req, res) => proxy.handle(req, res),
    checkContinue: (req, res) => proxy.handle(req, res),
    upgrade: (req, socket, head) => proxy.upgrade(req, socket, head),
  });
  guardConnections(server);
  const port = await listen(server);
  return {
    port,
    proxy,
    server,
    async stop() {
      await proxy.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export type Upstream = { url: string; server: Server; seen: IncomingMessage[]; stop(): Promise<void> };

/** A studio that keeps every request head and answers by `listener`. */
export async function startUpstream(listener: RequestListener): Promise<Upstream> {
  const seen: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    seen.push(req);
    listener(req, res);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, server, seen, stop: () => stopServer(server) };
}

export async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}

/** A studio that answers every connection's first bytes with `answer` and then does `after`. */
export async function startRawUpstream(
  onConnection: (socket: import('node:net').Socket) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets = new Set<import('node:net').Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** What came back on a raw connection until it was closed or `quietMs` passed without a byte. */
export type RawAnswer = { text: string; status: number; closed: boolean; error: string | undefined };

const isWhole = (text: string): boolean => {
  const end = text.indexOf('\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))?.[1];
  return end >= 0 && length !== undefined && text.length >= end + 4 + Number(length);
};

/** Sends bytes exactly as they are. */
export function sendRaw(port: number, bytes: string, quietMs = 400, answers = 1): Promise<RawAnswer> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let error: string | undefined;
    const finish = (closed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      done({ text, status: Number(/^HTTP\/1\.\d (\d+)/.exec(text)?.[1] ?? 0), closed, error });
    };
    let timer = setTimeout(() => finish(false), 3_000);
    socket.setEncoding('latin1');
    socket.on('data', (data) => {
      text += data;
      clearTimeout(timer);
      const all = text.split(/HTTP\/1\.[01] [2-5]/).length > answers && isWhole(text);
      timer = setTimeout(() => finish(false), all ? Math.min(quietMs, 30) : quietMs);
    });
    socket.on('error', (e) => {
      error = 'code' in e ? String(e.code) : e.message;
    });
    socket.on('close', () => finish(true));
    socket.write(Buffer.from(bytes, 'latin1'));
  });
}

/** A request head of the given lines with Host and the session cookie. */
export const head = (line: string, ...lines: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: console.test', `Cookie: ${SESSION}`, ...lines, '', ''].join('\r\n');

/** Waits until `check` holds; fails after `ms`. */
export async function until(check: () => boolean, ms = 3_000): Promise<void> {
  const end = Date.now() + ms;
  while (!check()) {
    if (Date.now() > end) throw new Error(`not so after ${ms} ms: ${check}`);
    await sleep(5);
  }
}
