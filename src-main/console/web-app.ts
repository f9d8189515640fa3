import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleError } from '#shared/errors.ts';
import { dashboardPage, notFoundPage } from './dashboard-page.ts';
import { refuseMethod } from './mount-routes.ts';

type Options = {
  /** Folder of the bundle (CONSOLE_WEB_DIR); without an index.html in it the dashboard page answers. */
  readonly webDir: string;
  readonly version: string;
  /** Google's sign-in script is allowed only where its sign-in is set up. */
  readonly identityProviderOrigin: string | undefined;
};

const year = 31_536_000;

/**
 * The root handler's second and third step (CON-007): the web app bundle, then the
 * HTML dashboard. Neither X-Frame-Options nor CSP frame-ancestors is ever sent (CON-058).
 */
export async function mountWebApp(app: FastifyInstance, options: Options): Promise<void> {
  const hasBundle = existsSync(join(options.webDir, 'index.html'));
  const policy = contentSecurityPolicy(options.identityProviderOrigin);
  // Serving is by hand below, so that an unknown address never becomes a file look-up of another name.
  if (hasBundle)
    await app.register(fastifyStatic, {
      root: options.webDir,
      serve: false,
      preCompressed: true,
      dotfiles: 'deny',
    });

  // Before the body is read: what has no address here is told so, whatever was sent to it.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return undefined;
    const refused = await refuseMethod(request.url.split('?', 1)[0] ?? '/', reply);
    if (refused !== undefined) return refused;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw notFound();
    return undefined;
  });

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    setPageHeaders(reply, policy);
    if (path === '/' || path === '/index.html') {
      if (!hasBundle)
        return reply
          .type('text/html; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(dashboardPage(options.version));
      // The page is asked for again each time; what it names is hashed and kept for good.
      return reply.header('cache-control', 'no-cache').sendFile('index.html', { cacheControl: false });
    }
    const file = hasBundle ? bundleFile(options.webDir, path) : undefined;
    if (file === undefined) {
      if (wantsPage(request)) return reply.code(404).type('text/html; charset=utf-8').send(notFoundPage());
      throw notFound();
    }
    const hashed = file.startsWith('assets/');
    reply.header('cache-control', hashed ? `public, max-age=${year}, immutable` : 'no-cache');
    return reply.sendFile(file, { cacheControl: false });
  });
}

/** The file of a request path inside the bundle, or undefined. Plain names only: nothing encoded, no dot segments. */
function bundleFile(webDir: string, path: string): string | undefined {
  if (!/^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/.test(path)) return undefined;
  const file = path.slice(1);
  return existsSync(join(webDir, file)) ? file : undefined;
}

function notFound(): ConsoleError {
  return new ConsoleError('NotFound', 'There is nothing at this address.');
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true && !request.url.startsWith('/api/');
}

function setPageHeaders(reply: FastifyReply, policy: string): void {
  reply.headers({
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
}

function contentSecurityPolicy(providerOrigin: string | undefined): string {
  const provider = providerOrigin === undefined ? '' : ` ${providerOrigin}`;
  return [
    "default-src 'self'",
    `script-src 'self'${provider}`,
    // Mantine sets styles at run time.
    `style-src 'self' 'unsafe-inline'${provider}`,
    "img-src 'self' data:",
    `connect-src 'self'${provider}`,
    `frame-src 'self'${provider}`,
    `form-action 'self'${provider}`,
    "object-src 'none'",
    "base-uri 'self'",
  ].join('; ');
}
