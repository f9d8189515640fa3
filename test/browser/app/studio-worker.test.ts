import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';

const worker = `
  self.addEventListener('install', () => self.skipWaiting());
  self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
  self.addEventListener('fetch', (event) => event.respondWith(new Response('replaced by the studio')));
`;

/** A studio whose page registers a worker where it can. */
const studio = createServer((request: IncomingMessage, response: ServerResponse) => {
  response.setHeader('Service-Worker-Allowed', '/');
  if (request.url?.endsWith('.js') === true)
    response.setHeader('content-type', 'text/javascript').end(worker);
  else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Studio</title>');
});

describe.skipIf(chromiumPath === undefined)(
  `a studio that registers a service worker (${chromiumPath ?? noChromium})`,
  () => {
    let session: BrowserSession;
    beforeAll(async () => {
      const port = await new Promise<number>((resolve) => {
        studio.listen(0, '127.0.0.1', () => {
          const address = studio.address();
          resolve(typeof address === 'object' && address !== null ? address.port : 0);
        });
      });
      session = await startBrowserSession(
        {
          STUDIO_UPSTREAM: `http://127.0.0.1:${port}`,
          CONSOLE_STUDIO_IDENTITY_KEY: randomBytes(32).toString('base64'),
        },
        false,
      );
    });
    afterAll(async () => {
      await session?.close();
      studio.close();
    });

    it("does not replace the console's page with it", async () => {
      const { page, context } = await session.open('/studio/');
      const register = (script: string, scope: string) =>
        page.evaluate<string>(
          `navigator.serviceWorker.register('${script}', { scope: '${scope}' }).then(() => 'registered', String)`,
        );
      for (const scope of ['/', '/?tab=overview', '/api/'])
        expect([scope, await register('/studio/worker.js', scope)]).toEqual([
          scope,
          expect.stringContaining('SecurityError'),
        ]);
      expect(await register('/api/me', '/')).toMatch(/Error/);
      const next = await context.newPage();
      await next.goto(`${session.console.url}/?tab=settings`);
      await next.reload();
      expect(await next.title()).toContain('Operator Console');
      expect(await next.evaluate('navigator.serviceWorker.controller')).toBeNull();
      await context.close();
    });

    it('may have one for its own addresses', async () => {
      const { page, context } = await session.open('/studio/');
      const scope = await page.evaluate<string>(
        "navigator.serviceWorker.register('/studio/worker.js').then(({ scope }) => scope)",
      );
      expect(new URL(scope).pathname).toBe('/studio/');
      await page.evaluate(
        'navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((one) => one.unregister())))',
      );
      await context.close();
    });
  },
);
