import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tabs } from '../../../src-renderer/core/tabs.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { goWithin } from '../../support/go-within.ts';
import { answerRoute } from '../answers/answer-route.ts';
import { answerPlatform, dashboard } from '../answers/platform-answers.ts';

/** A window of 1280 by 800 at 200 % zoom, in CSS pixels. */
const zoomed = { width: 640, height: 400 } as const;

const attention = (page: Page) => page.getByRole('region', { name: 'Needs attention now' });
const titles = (page: Page) => attention(page).locator('a[data-id]').allInnerTexts();

describe.skipIf(chromiumPath === undefined)(`a narrow window (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  it('shows every page without moving sideways at 200 % zoom and at 900 px', async () => {
    const { page, context } = await session.open('/?tab=overview', zoomed);
    for (const { tab, title } of tabs) {
      await goWithin(page, `/?tab=${tab}`);
      await expect.poll(() => page.title(), { timeout: 10_000 }).toContain(title);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      for (const width of [zoomed.width, 900]) {
        await page.setViewportSize({ width, height: 400 });
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), title).toBe(0);
        const heading = await page.getByRole('heading', { level: 1 }).first().boundingBox();
        expect(heading?.width, `${title} at ${width} px`).toBeGreaterThan(20);
      }
    }
    await context.close();
  });

  it('shows every table without moving sideways at 200 % zoom and at 1280 px, its reasons too', async () => {
    const { page, context } = await session.open('/?tab=overview', zoomed);
    const scrollers = page.locator('main [class*=_scroller_]:has(> table)');
    for (const tab of ['namespaces', 'services', 'security', 'runs', 'schedules']) {
      await goWithin(page, `/?tab=${tab}`);
      await scrollers.locator('tbody a').first().waitFor();
      for (const width of [zoomed.width, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expect
          .poll(
            () =>
              scrollers
                .first()
                .evaluate(
                  (it: { scrollWidth: number; clientWidth: number }) => it.scrollWidth - it.clientWidth,
                ),
            { message: `${tab} at ${width} px` },
          )
          .toBe(0);
        if (['namespaces', 'services', 'security'].includes(tab))
          await page.getByRole('columnheader', { name: 'Why' }).waitFor();
      }
    }
    await context.close();
  });

  it.each([zoomed, { width: 900, height: 800 }])(
    'shows what needs attention with its whole title and reason at $width px',
    async (look) => {
      const { page, context } = await session.blank(look);
      await answerPlatform(page);
      const [first, ...others] = dashboard().attention;
      if (first === undefined) throw new Error('The fixture needs attention.');
      const title = 'ClientInstance aspen-cockpit of the tenant northgate cannot start its second replica';
      const cause =
        'its Deployment has 0 of 1 replicas ready; aspen-1 container api exits with an error: port taken';
      await answerRoute(page, 'cluster.dashboard', () => ({
        ...dashboard(),
        attention: [{ ...first, title, cause }, ...others],
      }));
      await page.goto(`${session.console.url}/?tab=overview`);
      await attention(page).getByText(title).waitFor();
      for (const text of [title, /0 of 1 replicas ready/]) {
        const shown = attention(page).getByText(text).last();
        const { cut, share } = await shown.evaluate(
          (element: {
            scrollWidth: number;
            clientWidth: number;
            scrollHeight: number;
            clientHeight: number;
            offsetWidth: number;
          }) => ({
            cut:
              element.clientWidth > 0 &&
              (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 2),
            share: element.offsetWidth,
          }),
        );
        expect(cut).toBe(false);
        expect(share).toBeGreaterThan(look.width * 0.5);
      }
      await context.close();
    },
  );

  it('folds a group of the rail and keeps it so, but for the page that is open', async () => {
    const { page, context } = await session.open('/?tab=nodes');
    const rail = page.getByRole('navigation', { name: 'Console' });
    await rail.getByRole('button', { name: 'Cluster' }).click();
    await expect.poll(() => rail.getByRole('link', { name: 'Services' }).count()).toBe(0);
    await rail.getByRole('link', { name: 'Nodes' }).waitFor();
    await page.reload();
    await rail.getByRole('button', { name: 'Cluster', expanded: false }).waitFor();
    expect(await rail.getByRole('link', { name: 'Services' }).count()).toBe(0);
    await rail.getByRole('button', { name: 'Cluster' }).click();
    await rail.getByRole('link', { name: 'Services' }).waitFor();
    await context.close();
  });

  it('marks the sandbox within the header of a page, in less than 24 px', async () => {
    const { page, context } = await session.open('/?tab=nodes');
    const mark = page.getByText('Sandbox platform', { exact: false }).first();
    await mark.waitFor();
    expect((await mark.boundingBox())?.height).toBeLessThan(24);
    const below = await page.getByRole('heading', { level: 1 }).locator('..').boundingBox();
    expect(below?.height).toBeLessThanOrEqual(52);
    await context.close();
  });

  it('never changes a row under the reader when the diagnosis arrives', async () => {
    const { page, context } = await session.blank();
    await answerPlatform(page);
    const [first, second] = dashboard().attention;
    if (first === undefined || second === undefined) throw new Error('The fixture needs attention.');
    let isDone = false;
    await answerRoute(page, 'cluster.dashboard', () => ({
      ...dashboard(),
      attention: isDone
        ? [
            { ...second, title: 'Another first row' },
            { ...first, title: 'Its cause is known now' },
          ]
        : [first],
      diagnosis: isDone ? { at: new Date().toISOString(), running: false } : { running: true },
    }));
    await page.goto(`${session.console.url}/?tab=overview`);
    await page.getByText('Tracked workloads').waitFor();
    // It is waited for, for a moment, and nothing is counted meanwhile.
    expect(await titles(page)).toEqual([]);
    expect(await page.getByText('1 needs attention').count()).toBe(0);
    await expect
      .poll(() => titles(page), { timeout: 10_000 })
      .toEqual([expect.stringContaining(first.title)]);
    isDone = true;
    const show = page.getByRole('button', { name: 'Show its findings' });
    await show.waitFor();
    expect(await titles(page)).toEqual([expect.stringContaining(first.title)]);
    await page.getByText('prod-eu-1, 1 needs attention').waitFor();
    await show.click();
    await expect.poll(() => titles(page)).toHaveLength(2);
    await context.close();
  });
});
