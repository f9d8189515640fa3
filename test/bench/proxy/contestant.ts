import { createHmac } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import fastify, { type FastifyPluginAsync } from 'fastify';
import {
  createStudioProxy,
  guardConnections,
  readIdentityKey,
  studioSafeServerOptions,
} from '../../../src-main/features/studio/index.ts';

// One proxy in a process of its own: `contestant.ts <name> <upstream port>` prints its port and answers {cpu, rss} to
// every message. All check the session cookie and add an assertion; the others get the assertion cached as we have it.

const [name = '', upstreamPort = ''] = process.argv.slice(2);
const upstream = `http://127.0.0.1:${upstreamPort}`;
const require = createRequire(import.meta.url);

const key = Buffer.alloc(32, 7);
const signedIn = (req: IncomingMessage): boolean =>
  req.headers.cookie?.includes('console_session=test') === true;

let second = 0;
let cached = '';
const identity = (): string => {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    const claims = {
      iss: 'console',
      sub: 'a@example.com',
      email: 'a@example.com',
      aud: 'studio',
      iat: now,
      exp: now + 120,
    };
    const text = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    cached = `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  }
  return cached;
};

/**
 * Prepares a request as the others do before forwarding: drops the inbound identity, the session cookie and
 * the prefix; adds ours.
 */
const prepare = (req: IncomingMessage): boolean => {
  if (!signedIn(req)) return false;
  const { headers } = req;
  headers.cookie = (headers.cookie ?? '').replace(/(?:^|;\s*)console_session=[^;]*/, '').replace(/^;\s*/, '');
  headers['x-console-identity'] = identity();
  headers['x-forwarded-prefix'] = '/studio';
  req.url = (req.url ?? '').slice('/studio'.length);
  return true;
};

/** The `createProxyServer` of http-proxy and of the two that follow its interface. */
type ProxyServer = {
  web(req: IncomingMessage, res: object): unknown;
  on(event: 'error', listener: () => void): unknown;
};
type ProxyModule = { createProxyServer(options: object): ProxyServer };
type FastProxy = (options: object) => {
  proxy(req: IncomingMessage, res: object, url: string, options: object): void;
};

// The peers are installed beside the benches, not for the compiler: this is what `@fastify/reply-from` adds.
declare module 'fastify' {
  interface FastifyReply {
    from(url: string, options: { rewriteRequestHeaders(req: object, headers: object): object }): this;
  }
}

async function listenerOf(): Promise<RequestListener> {
  if (name === 'ours') {
    const proxy = createStudioProxy({
      upstream: new URL(upstream),
      identityKey: readIdentityKey(key.toString('base64')),
      sessionOf: (req) => (signedIn(req) ? { id: 'session', email: 'a@example.com' } : undefined),
    });
    return (req, res) => proxy.handle(req, res);
  }
  if (name === 'fast-proxy') {
    const create: FastProxy = require('fast-proxy');
    const { proxy } = create({
      base: upstream,
      http: { agentOptions: { keepAlive: true, maxSockets: 4096 } },
    });
    return (req, res) => {
      if (prepare(req)) proxy(req, res, req.url ?? '', {});
      else res.writeHead(401).end();
    };
  }
  // As it comes, http-proxy opens a connection for every request; the others are given a keep-alive agent.
  const asItComes = name === 'http-proxy';
  const library: ProxyModule = require(name.split(' ', 1)[0] ?? name);
  const proxy = library.createProxyServer({
    target: upstream,
    xfwd: true,
    ...(asItComes ? {} : { agent: new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY }) }),
  });
  proxy.on('error', () => {});
  return (req, res) => {
    if (prepare(req)) void Promise.resolve(proxy.web(req, res)).catch(() => res.destroy());
    else res.writeHead(401).end();
  };
}

const announce = (address: unknown): void => {
  const port = typeof address === 'object' && address !== null && 'port' in address ? address.port : 0;
  console.log(port);
};

if (name === '@fastify/reply-from') {
  const replyFrom: FastifyPluginAsync<{ base: string; undici: object }> = require('@fastify/reply-from');
  const app = fastify({ bodyLimit: 2 ** 31 });
  await app.register(replyFrom, { base: upstream, undici: { connections: 4096, bodyTimeout: 0 } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_req, body, done) => done(null, body));
  app.all('/studio/*', (request, reply) => {
    if (!signedIn(request.raw)) return reply.code(401).send();
    prepare(request.raw);
    return reply.from(request.raw.url ?? '', {
      rewriteRequestHeaders: (_req, headers) => headers,
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  announce(app.server.address());
} else {
  const server = createServer(studioSafeServerOptions, await listenerOf());
  guardConnections(server);
  server.listen(0, '127.0.0.1', 1024, () => announce(server.address()));
}

process.on('message', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu: user + system, rss: process.memoryUsage.rss() });
});
