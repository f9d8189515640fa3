import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnsweredRequests, answeredRequests } from '../../support/answered-requests.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';

let session: BrowserSession;
let requests: AnsweredRequests;

/** The budget of the first page (docs/development.md). */
const most = { requests: 30, bytes: 250_000 };

const title = chromiumPath === undefined ? noChromium : 'the first page';

describe.skipIf(chromiumPath === undefined)(title, () => {
  beforeAll(async () => {
    session = await startBrowserSession();
    requests = answeredRequests(session.console.url);
  });
  afterAll(async () => {
    requests?.stop();
    await session?.close();
  });

  it('is there, live, with 30 requests and 250 kB of files, compressed', async () => {
    const { page, context } = await session.blank();
    await page.goto(session.console.url);
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    // It is whole when it hears of changes. Search is loaded after that, ahead of need.
    const isWhole = (path: string) => path.endsWith('/subscriptions');
    await expect.poll(() => requests.all().some(({ path }) => isWhole(path)), { timeout: 20_000 }).toBe(true);
    const all = requests.all();
    const first = all.slice(0, all.findIndex(({ path }) => isWhole(path)) + 1);
    const files = first.filter(({ path }) => /^\/(?:$|\?|theme\.js|icon|assets\/)/.test(path));
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    expect(first.length, first.map(({ path }) => path).join('\n')).toBeLessThanOrEqual(most.requests);
    expect(bytes).toBeLessThanOrEqual(most.bytes);
    // Charts and other pages come when they are opened.
    expect(files.filter(({ path }) => /charts|-page-/.test(path))).toEqual([]);
    await context.close();
  });

  it.each(['light', 'dark'] as const)(
    'paints its frame before its script is there, and stays in place: %s',
    async (theme) => {
      const { page, context } = await session.blank({ theme });
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/assets/index-*.js', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(session.console.url, { waitUntil: 'commit' });
      const frame = page.locator('#frame');
      await frame.getByText('Operator Console').waitFor();
      const painted = await page.evaluate(looks('#frame > nav', '#frame > nav > div', '#frame > header'));
      answer();
      await page.getByRole('link', { name: 'Overview' }).waitFor();
      expect(await frame.count()).toBe(0);
      const shown = await page.evaluate(looks('nav', 'nav > div', 'header'));
      expect(painted).toEqual(shown);
      expect(await page.evaluate(layoutShift)).toBeLessThan(0.02);
      await context.close();
    },
  );

  it('paints the rail as narrow as it was left', async () => {
    const { page, context } = await session.open('/');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    await page.keyboard.press('[');
    await expect.poll(async () => (await page.locator('nav').first().boundingBox())?.width).toBe(48);
    await page.route('**/assets/index-*.js', (route) => route.abort());
    await page.reload();
    expect((await page.locator('#frame > nav').boundingBox())?.width).toBe(48);
    await context.close();
  });

  it('says in a sentence that it needs scripts, where there are none', async () => {
    const { page, context } = await session.blank();
    const without = await context.browser()?.newContext({ javaScriptEnabled: false });
    const plain = await without?.newPage();
    await plain?.goto(session.console.url);
    expect(await plain?.locator('body').innerText()).toContain(
      'needs JavaScript. Allow scripts for this address',
    );
    await without?.close();
    await page.close();
    await context.close();
  });
});

/** Where some things stand, and the colours of their grounds and edges. */
const looks = (...selectors: string[]) => `${JSON.stringify(selectors)}.map((selector) => {
  const element = document.querySelector(selector);
  const { x, y, width, height } = element.getBoundingClientRect();
  const { backgroundColor, borderRightColor, borderBottomColor, color } = getComputedStyle(element);
  return { x, y, width, height, color, backgroundColor, borderRightColor, borderBottomColor };
})`;

/** How far what was painted has moved by itself so far (web.dev, Cumulative Layout Shift). */
const layoutShift = `new Promise((resolve) => new PerformanceObserver((list) =>
  resolve(list.getEntries().reduce((sum, entry) => sum + entry.value, 0))
).observe({ type: 'layout-shift', buffered: true }) ?? setTimeout(() => resolve(0), 500))`;
