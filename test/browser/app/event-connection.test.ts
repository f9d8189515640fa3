import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { studioFrame } from '../../support/studio-frame.ts';

/** Counts the event streams that a console has open, and remembers which there were and how many at most. */
function watchStreams(port: string) {
  const seen = new Set<string>();
  const subscriptions: string[] = [];
  let open = 0;
  let most = 0;
  const onRequest = (message: unknown): void => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (request.socket.localPort !== Number(port)) return;
    const { pathname } = new URL(request.url ?? '', 'http://console');
    if (request.method === 'POST' && pathname.endsWith('/subscriptions')) subscriptions.push(pathname);
    if (request.headers.accept !== 'text/event-stream') return;
    seen.add(pathname);
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => {
      open -= 1;
    });
  };
  subscribe('http.server.request.start', onRequest);
  return {
    seen,
    subscriptions,
    open: () => open,
    most: () => most,
    stop: () => unsubscribe('http.server.request.start', onRequest),
  };
}

describe.skipIf(chromiumPath === undefined)(
  `event streams of a browser (${chromiumPath ?? noChromium})`,
  () => {
    let session: BrowserSession;
    beforeAll(async () => {
      session = await startBrowserSession();
    });
    afterAll(() => session?.close());

    it('take one connection, however many windows follow something, and every page still answers', async () => {
      const { url } = session.console;
      const streams = watchStreams(new URL(url).port);
      const { page: overview, context } = await session.open('/?tab=overview');
      const pages: Page[] = [overview];
      const open = async (address: string): Promise<Page> => {
        const page = await context.newPage();
        pages.push(page);
        await page.goto(`${url}${address}`);
        return page;
      };
      const get = async (path: string) => (await context.request.get(`${url}${path}`)).json();
      const { items } = (await get('/api/namespaces')) as { items: { name: string }[] };
      const inNamespaces = await Promise.all(
        items.map(async ({ name: namespace }) => {
          const { pods } = (await get(`/api/namespaces/${namespace}`)) as { pods: { name: string }[] };
          return pods.map(({ name }) => ({ namespace, name }));
        }),
      );
      const [pod] = inNamespaces.flat();

      await studioFrame(await open('/?tab=forgeStudio'));
      const logs = await context.newPage();
      pages.push(logs);
      const followed = logs.waitForResponse(
        (response) => response.url().includes('/logs?') && response.url().includes('follow=true'),
      );
      await logs.goto(`${url}/?tab=logs&namespace=${pod?.namespace}&name=${pod?.name}`);
      expect((await followed).status()).toBe(200);
      const diagnosis = await open('/?tab=troubleshoot');
      const audit = await open('/?tab=audit');
      await audit.locator('a[data-key]').first().waitFor();
      await audit.keyboard.press('v');
      await audit.getByText('Verified intact').waitFor();
      await diagnosis.getByRole('region', { name: 'Evidence' }).waitFor();

      for (const page of pages) {
        const status = await page.evaluate(
          "fetch('/api/me', { signal: AbortSignal.timeout(5000) }).then(({ status }) => status)",
        );
        expect([page.url(), status]).toEqual([page.url(), 200]);
      }
      expect([...streams.seen]).toEqual(['/api/events']);
      expect([streams.open(), streams.most()]).toEqual([1, 1]);
      // The changes of the target in each window, a diagnosis and a walk.
      expect(streams.subscriptions.length).toBeGreaterThanOrEqual(pages.length + 2);

      // The last window that follows takes the connection with it.
      await context.close();
      await expect.poll(() => streams.open()).toBe(0);
      streams.stop();
    }, 90_000);
  },
);
