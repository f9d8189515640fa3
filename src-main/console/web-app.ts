import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type RouteOf, routeTable } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Dashboard, dashboardPage, formErrorPage, notFoundPage, type Shown } from './dashboard-page.ts';
import { refuseMethod } from './mount-routes.ts';

type Options = {
  /** Folder of the bundle (CONSOLE_WEB_DIR); without an index.html in it the dashboard page answers. */
  readonly webDir: string;
  readonly version: string;
  /** Google's sign-in script is allowed only where its sign-in is set up now. */
  readonly identityProviderOrigin: () => string | undefined;
  /** Google's reCAPTCHA is allowed only on the sign-up page, and only where a site key is set. */
  readonly recaptcha: boolean;
  /** Origin of the code host's pages, which a form hands the manifest of an App to. */
  readonly codeHostOrigin: () => string;
  /** Returns where a page should be opened instead. */
  readonly elsewhere: (request: IncomingMessage) => Promise<string | undefined>;
};

const year = 31_536_000;

/**
 * The root handler's second and third step (CON-007): the web app bundle, then the
 * HTML dashboard. Neither X-Frame-Options nor CSP frame-ancestors is ever sent (CON-058).
 */
export async function mountWebApp(app: FastifyInstance, options: Options): Promise<void> {
  const hasBundle = existsSync(join(options.webDir, 'index.html'));
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

  if (!hasBundle) answerForms(app);
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const isSignUp =
      path === '/' && new URLSearchParams(request.url.split('?', 2)[1]).get('tab') === 'signUp';
    const policy = contentSecurityPolicy(
      options.identityProviderOrigin(),
      options.codeHostOrigin(),
      options.recaptcha && isSignUp,
    );
    setPageHeaders(reply, policy);
    if (path === '/' || path === '/index.html') {
      const elsewhere = await options.elsewhere(request.raw);
      if (elsewhere !== undefined) return reply.header('cache-control', 'no-store').redirect(elsewhere, 307);
      if (!hasBundle)
        return reply
          .type('text/html; charset=utf-8')
          .header('cache-control', 'no-store')
          .send(await dashboardOf(app, request, options.version));
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

/** Reads what the dashboard shows through the routes themselves, as the caller: with their access classes and their answers. */
async function dashboardOf(app: FastifyInstance, request: FastifyRequest, version: string): Promise<string> {
  const read = async <Id extends 'signIn.me' | 'cluster.dashboard' | 'targets.list'>(
    id: Id,
  ): Promise<Shown<RouteAnswer<RouteOf<Id>>>> => {
    const { host, cookie } = request.headers;
    const route = routeTable.find((candidate) => candidate.id === id);
    const answer = await app.inject({
      method: 'GET',
      url: route?.path ?? '/',
      headers: { ...(host === undefined ? {} : { host }), ...(cookie === undefined ? {} : { cookie }) },
      remoteAddress: request.ip,
    });
    return answer.json();
  };
  const [me, attention, targets] = await Promise.all([
    read('signIn.me'),
    read('cluster.dashboard'),
    read('targets.list'),
  ]);
  return dashboardPage({ version, me, attention, targets } satisfies Dashboard);
}

/** A form of the dashboard goes back to it, or to a page that says what is wrong: its browser has no script to read JSON with. */
function answerForms(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isForm =
      request.method === 'POST' &&
      request.url.startsWith('/auth/') &&
      request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true &&
      request.headers.accept?.includes('text/html') === true;
    if (!isForm || reply.statusCode === 303) return payload;
    reply.removeHeader('content-length');
    reply.type('text/html; charset=utf-8');
    if (reply.statusCode < 300) {
      reply.code(303).header('location', '/');
      return '';
    }
    const body: unknown = typeof payload === 'string' ? JSON.parse(payload) : undefined;
    const refused = z.object({ error: z.string() }).safeParse(body);
    return formErrorPage(refused.success ? refused.data.error : 'The console refused this form.');
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

function contentSecurityPolicy(
  providerOrigin: string | undefined,
  codeHostOrigin: string,
  recaptcha: boolean,
): string {
  const provider = providerOrigin === undefined ? '' : ` ${providerOrigin}`;
  // https://developers.google.com/recaptcha/docs/faq, Content Security Policy.
  const scripts = recaptcha ? ' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/' : '';
  const frames = recaptcha
    ? ' https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/'
    : '';
  return [
    "default-src 'self'",
    `script-src 'self'${provider}${scripts}`,
    // Mantine sets styles at run time.
    `style-src 'self' 'unsafe-inline'${provider}`,
    "img-src 'self' data:",
    `connect-src 'self'${provider}`,
    `frame-src 'self'${provider}${frames}`,
    `form-action 'self' ${codeHostOrigin}${provider}`,
    "object-src 'none'",
    "base-uri 'self'",
  ].join('; ');
}
