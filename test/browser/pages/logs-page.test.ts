import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { semanticColors } from '../../../src-renderer/app/theme/tokens.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import { answerLogs, answerPlatform } from '../answers/platform-answers.ts';

/** How long a change of the page is waited for, in milliseconds. */
const patience = { timeout: 20_000 };
const place = '/?tab=logs&namespace=cockpit&name=cockpit-api-7c9d-2kx4m';

const lines = (page: Page) => page.getByRole('link', { name: /^Line / });
const line = (page: Page, number: number) => page.locator(`ol > li:has(a[data-line="${number}"])`);

describe.skipIf(chromiumPath === undefined)(`the logs page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  /** Without an address nothing is loaded yet. */
  const opened = async (
    address?: string,
    { lines = 300, look = {} }: { lines?: number; look?: Parameters<BrowserSession['open']>[1] } = {},
  ) => {
    const tab = await session.blank(look);
    await answerPlatform(tab.page);
    await answerLogs(tab.page, lines);
    const asked: string[] = [];
    tab.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith('/logs')) asked.push(`${pathname}${search}`);
    });
    if (address !== undefined) await tab.page.goto(`${session.console.url}${address}`);
    return { ...tab, asked };
  };

  it('opens on the worst pod of the worst namespace, and names it in the address', async () => {
    const { page, context, asked } = await opened('/?tab=logs');
    await page.getByRole('heading', { name: 'cockpit-api-7c9d-2kx4m' }).waitFor();
    await page.getByRole('status').filter({ hasText: '300 lines' }).waitFor();
    expect(asked).toEqual([
      expect.stringMatching(
        /^\/api\/pods\/cockpit\/cockpit-api-7c9d-2kx4m\/logs\?(target=[\w-]+&)?follow=true/,
      ),
    ]);
    expect(new URL(page.url()).searchParams.get('name')).toBe('cockpit-api-7c9d-2kx4m');
    await context.close();
  });

  it('reads one container, or the run before the restart, by the address', async () => {
    const { page, context, asked } = await opened(place);
    await page.getByRole('status').filter({ hasText: '300 lines' }).waitFor();
    await page.getByRole('button', { name: /^Container/ }).click();
    await page.getByRole('button', { name: 'migrate' }).click();
    await expect.poll(() => asked.at(-1)).toContain('container=migrate&follow=true');
    await page.getByRole('button', { name: 'Previous container' }).click();
    await expect.poll(() => asked.at(-1)).toContain('container=migrate&previous=true');
    expect(asked.at(-1)).not.toContain('follow');
    const parts = new URL(page.url()).searchParams;
    expect([parts.get('container'), parts.get('previous')]).toEqual(['migrate', 'true']);
    await context.close();
  });

  it('draws two hundred thousand lines only near the view, at the end of a followed log and at its begin', async () => {
    const { page, context } = await opened(place, { lines: 200_000 });
    await page.getByRole('status').filter({ hasText: '200,000 lines' }).waitFor();
    await line(page, 200_000).waitFor();
    expect(await lines(page).count()).toBeLessThan(100);
    await page.keyboard.press('Home');
    await line(page, 1).waitFor();
    expect(await lines(page).count()).toBeLessThan(100);
    await context.close();
  });

  it('searches two hundred thousand lines and goes to what it finds', async () => {
    const { page, context } = await opened(place, { lines: 200_000 });
    await page.getByRole('status').filter({ hasText: '200,000 lines' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('request 150007');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    expect(await line(page, 150_008).locator('mark').innerText()).toBe('request 150007');
    expect(await lines(page).count()).toBeLessThan(100);
    await context.close();
  });

  it('shows colours of the log as words in the colours of the theme', async () => {
    const { page, context } = await opened(place);
    await line(page, 300).waitFor();
    await page.keyboard.press('Home');
    const red = line(page, 8).locator('[data-colour="red"]');
    await red.waitFor();
    expect(await red.innerText()).toBe('ERROR');
    expect(await line(page, 8).innerText()).toContain('ERROR cannot reach request 7');
    const colour = await page.evaluate(
      `getComputedStyle(document.querySelector('[data-colour="red"]')).color`,
    );
    const hex = semanticColors.light['failing-fg'];
    const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    expect(colour).toBe(`rgb(${channels.join(', ')})`);
    await context.close();
  });

  it('keeps the end of a followed log in view as it grows, until the person looks at what was before', async () => {
    const { page, context } = await opened();
    await page.addInitScript(`(() => {
      const ask = globalThis.fetch;
      globalThis.fetch = (url, init) => {
        if (!String(url).includes('/logs?')) return ask(url, init);
        globalThis.askedFor = String(url);
        const body = new ReadableStream({
          start(controller) {
            globalThis.give = (text) => controller.enqueue(new TextEncoder().encode(text));
            init.signal.addEventListener('abort', () => controller.error(init.signal.reason));
          },
        });
        return Promise.resolve(new Response(body));
      };
    })()`);
    const more = (from: number, count: number) =>
      page.evaluate(
        `give(Array.from({ length: ${count} }, (_, at) => 'line ' + (${from} + at) + '\\n').join(''))`,
      );
    await page.goto(`${session.console.url}${place}`);
    await expect.poll(() => page.evaluate('globalThis.askedFor ?? ""'), patience).toMatch(/follow=true/);
    await more(1, 3);
    await page.getByRole('status').filter({ hasText: 'Following, 3 lines' }).waitFor();
    await more(4, 500);
    await line(page, 503).waitFor();
    await page.keyboard.press('Home');
    await line(page, 1).waitFor();
    await more(504, 100);
    await page.getByRole('status').filter({ hasText: 'Following, 603 lines' }).waitFor();
    const back = page.getByRole('button', { name: '100 lines more. Go to the end' });
    await back.waitFor();
    expect(await line(page, 1).isVisible()).toBe(true);
    expect(await line(page, 603).count()).toBe(0);
    await back.click();
    await line(page, 603).waitFor();
    await more(604, 2);
    await line(page, 605).waitFor();
    expect(await page.getByRole('button', { name: /Go to the end/ }).count()).toBe(0);
    // No line has a time, so there is neither room nor a switch for one.
    expect(await page.getByRole('button', { name: /^Timestamps/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The first 605 lines are shown.', { exact: false }).waitFor();
    await context.close();
  });

  it('reads since a duration and the newest lines only, and keeps that and the look in the address', async () => {
    const { page, context, asked } = await opened(place);
    await line(page, 300).waitFor();
    await page.getByRole('button', { name: /^Since/ }).click();
    await page.getByRole('button', { name: 'last 15 min' }).click();
    await expect.poll(() => asked.at(-1)).toContain('since=15m');
    await page.getByRole('button', { name: /^Tail/ }).click();
    await page.getByRole('button', { name: '1,000 lines', exact: true }).click();
    await expect.poll(() => asked.at(-1)).toContain('since=15m&tail=1000&timestamps=true');
    await page.getByRole('button', { name: 'Follow' }).click();
    await expect.poll(() => asked.at(-1)).not.toContain('follow');
    await line(page, 1).waitFor();
    const reads = asked.length;
    await line(page, 1).getByText('10:00:00.000').waitFor();
    await page.getByRole('button', { name: 'Timestamps (t)' }).click();
    await expect.poll(() => line(page, 1).getByText('10:00:00.000').count()).toBe(0);
    await page.getByRole('button', { name: 'Wrap long lines (w)' }).click();
    // What is shown changes, not what is read.
    expect(asked).toHaveLength(reads);
    const address = new URL(page.url());
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      since: '15m',
      tail: '1000',
      follow: 'false',
      timestamps: 'false',
      wrap: 'true',
    });
    const other = await opened(`${address.pathname}${address.search}`);
    await line(other.page, 1).waitFor();
    expect(other.asked.at(-1)).toContain('since=15m&tail=1000');
    expect(await line(other.page, 1).getByText('10:00:00.000').count()).toBe(0);
    await other.context.close();
    await context.close();
  });

  it('says the level of a line in a word beside its colour and shape', async () => {
    const { page, context } = await opened(place);
    await line(page, 300).waitFor();
    await page.keyboard.press('Home');
    await line(page, 8).getByText('error', { exact: true }).waitFor();
    expect(await line(page, 8).getAttribute('data-kind')).toBe('error');
    expect(await line(page, 7).getAttribute('data-kind')).toBe('plain');
    await context.close();
  });

  it('saves the log with its times, or without them where they are not shown', async () => {
    const { page, context } = await opened(`${place}&timestamps=false&follow=false`, { lines: 3 });
    await line(page, 3).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text.split('\n')[0]).toBe('INFO served request 0');
    await context.close();
  });

  it('reads all containers together until one is chosen, and all again', async () => {
    const { page, context } = await opened();
    await intercept(page, /\/logs\?/, (request) => {
      const container = new URL(request.request().url()).searchParams.get('container');
      const body = container === null ? 'api: ready\nmigrate: done\n' : `only ${container}\n`;
      return request.fulfill({ contentType: 'text/plain; charset=utf-8', body });
    });
    await page.goto(`${session.console.url}${place}`);
    await line(page, 2).getByText('migrate: done').waitFor();
    await page.getByRole('button', { name: /^Container/ }).click();
    await page.getByRole('button', { name: 'migrate' }).click();
    await line(page, 1).getByText('only migrate').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Container migrate' }).click();
    await line(page, 1).getByText('api: ready').waitFor();
    await context.close();
  });

  it('says why there is no log, in the words of the cluster', async () => {
    const { page, context } = await opened();
    await intercept(page, /\/logs\?/, (request) =>
      request.fulfill({
        status: 404,
        json: { error: 'previous terminated container "api" in pod "cockpit-api-7c9d-2kx4m" not found' },
      }),
    );
    await page.goto(`${session.console.url}${place}&previous=true`);
    await page.getByText('There is no log of the previous container').waitFor();
    await page.getByText('previous terminated container "api"', { exact: false }).waitFor();
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened(place, {});
    await page.getByRole('status').filter({ hasText: '300 lines' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
