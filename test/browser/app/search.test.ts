import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, screenshot, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import { type Answer, answerRoute } from '../answers/answer-route.ts';
import { clusterReading } from '../answers/cluster-answers.ts';

const podOf = (name: string) => ({
  id: `Pod/monitoring/${name}`,
  name,
  kind: 'Pod',
  namespace: 'monitoring',
  state: 'failing' as const,
  detail: 'image cannot be pulled',
  target: 'Sandbox',
  address: `/?tab=namespaces&panel=pods&kind=Pod&record=monitoring&target=sandbox&name=${name}`,
});

const answerOf = (
  names: readonly string[],
  over: Partial<Answer<'search.find'>> = {},
): Answer<'search.find'> => ({
  groups: [{ group: 'pods', items: names.map(podOf), more: 34 }],
  pending: false,
  ...clusterReading('sandbox'),
  ...over,
});

describe.skipIf(chromiumPath === undefined)(`search (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search or run a command' });
  const options = (page: Page) => page.getByRole('option');
  const opened = async (look: Parameters<BrowserSession['open']>[1] = {}) => {
    const tab = await session.open('/?tab=access', look);
    await tab.page.getByRole('heading', { name: 'Access' }).waitFor();
    return tab;
  };
  const tabOf = (page: Page) => new URL(page.url()).searchParams.get('tab');

  it('takes what is typed right after Ctrl+K, and no other part of the window does', async () => {
    const { page, context } = await opened();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('grafana');
    await field(page).waitFor();
    expect(await field(page).inputValue()).toBe('grafana');
    expect(tabOf(page)).toBe('access');
    await context.close();
  });

  it('finds a failing object of the cluster by name and opens it with Enter, in the cluster that was searched', async () => {
    const { page, context } = await opened();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('birch-cockpit');
    const group = page.getByRole('group', { name: 'Workloads in Sandbox' });
    await group.getByRole('option', { name: /^Failing: birch-cockpit/ }).waitFor();
    await group.getByRole('option').first().click();
    await expect.poll(() => tabOf(page)).toBe('namespaces');
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('kind'), searchParams.get('target')]).toEqual(['Deployment', 'sandbox']);
    expect(await field(page).count()).toBe(0);
    await context.close();
  });

  it('waits with Enter until the answer to what was typed is there', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'search.find', () => answerOf(['grafana-0']));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('grafana-0');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('name')).toBe('grafana-0');
    await context.close();
  });

  it('moves through the groups by arrows, shows one alone with Tab, and opens in a new tab with Ctrl+Enter', async () => {
    const { page, context } = await opened();
    const asked: string[] = [];
    await answerRoute(page, 'search.find', () => answerOf(['nodes-a', 'nodes-b']));
    page.on('request', (request) => asked.push(request.url()));
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nodes');
    await page.getByRole('group', { name: 'Pods in Sandbox' }).waitFor();
    await page.getByText('34 more').waitFor();
    const first = await options(page).first().textContent();
    expect(first).toContain('Nodes');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toContain('nodes-a');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByRole('listbox').getByRole('group').count()).toBe(1);
    await expect
      .poll(() => asked.some((url) => url.includes('/api/search') && url.includes('limit=100')))
      .toBe(true);
    const another = context.waitForEvent('page');
    await page.keyboard.press('Control+Enter');
    const tab = await another;
    await expect.poll(() => new URL(tab.url()).searchParams.get('name')).toBe('nodes-a');
    expect(tabOf(page)).toBe('access');
    expect(await field(page).count()).toBe(1);
    await context.close();
  });

  it('keeps what was found in sight until the next answer is there', async () => {
    const { page, context } = await opened();
    await intercept(
      page,
      (url) => url.pathname === '/api/search',
      (request) =>
        new URL(request.request().url()).searchParams.get('q') === 'graf'
          ? request.fulfill({ json: answerOf(['grafana-0']) })
          : undefined,
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.type('graf');
    await options(page).filter({ hasText: 'grafana-0' }).waitFor();
    await page.keyboard.type('a');
    await page.getByRole('status').filter({ hasText: 'Searching' }).waitFor();
    expect(await options(page).filter({ hasText: 'grafana-0' }).count()).toBe(1);
    await context.close();
  });

  it('says what was not searched, and why', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'search.find', () =>
      answerOf([], {
        groups: [],
        complete: false,
        unmeasured: ['Forbidden: list pods in shop.', 'Apps: this console is attached to no code host.'],
      }),
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.type('zqx');
    const region = page.getByRole('region', { name: 'Not searched' });
    await region.getByText('Forbidden: list pods in shop.').waitFor();
    await region.getByText('Apps: this console is attached to no code host.').waitFor();
    await page.getByText('Nothing is called “zqx”').waitFor();
    await context.close();
  });

  it('says that the console does not answer, and still finds pages and acts', async () => {
    const { page, context } = await opened();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
    await context.setOffline(true);
    await page.keyboard.type('dark');
    await page.getByRole('alert').filter({ hasText: 'Pages and actions still work.' }).waitFor();
    await options(page).filter({ hasText: 'Dark' }).waitFor();
    await field(page).fill('settings');
    await options(page).filter({ hasText: 'Settings' }).first().waitFor();
    await context.setOffline(false);
    await context.close();
  });

  it('opens while the studio has the focus, and the next keys are its own', async () => {
    const { page, context } = await session.open('/?tab=forgeStudio');
    const frame = page.frameLocator('iframe');
    const body = frame.locator('body');
    await body.waitFor();
    await body.evaluate('document.body.tabIndex = -1, document.body.focus(), window.focus()');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('IFRAME');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('nodes');
    await field(page).waitFor();
    expect(await field(page).inputValue()).toBe('nodes');
    await page.keyboard.press('Enter');
    await expect.poll(() => tabOf(page)).toBe('nodes');
    await context.close();
  });

  it.each([
    ['light', 1280],
    ['dark', 900],
  ] as const)('is free of accessibility faults in the %s theme at %d px', async (theme, width) => {
    const { page, context, complaints } = await opened({ theme, width });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('cockpit');
    await page.getByRole('group', { name: 'Workloads in Sandbox' }).waitFor();
    await screenshot(page, `search-${theme}-${width}`);
    if (theme === 'light') await expectSound(page, complaints);
    await context.close();
  });
});
