import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import { answerRoute } from '../answers/answer-route.ts';
import { answerPlatform, targetOf, targetsOf } from '../answers/platform-answers.ts';

const prod = targetOf('prod-eu-1');
const staging = targetOf('staging-eu-1', { state: 'unread' });

describe.skipIf(chromiumPath === undefined)(`the tab's own cluster (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  /** A tab on a console with two clusters; `chosen` is what the person chose last, in whatever tab. */
  const prepared = async (items = [prod, staging]) => {
    const stored = { chosen: 'prod-eu-1' };
    const asked: string[] = [];
    const answer = async (page: Page) => {
      await answerPlatform(page);
      await answerRoute(page, 'targets.list', () => targetsOf(items, stored.chosen));
      await intercept(page, '/api/targets/select', (request) => {
        const { target }: { target: string } = JSON.parse(request.request().postData() ?? '');
        stored.chosen = target;
        return request.fulfill({ json: { chosen: target } });
      });
      page.on('request', (request) => asked.push(request.url().slice(session.console.url.length)));
    };
    const tab = await session.blank();
    await answer(tab.page);
    const go = (address: string, page = tab.page) => page.goto(`${session.console.url}${address}`);
    const another = async (): Promise<Page> => {
      const page = await tab.context.newPage();
      await answer(page);
      return page;
    };
    return { ...tab, stored, asked, go, another };
  };

  const targetIn = (page: Page) => new URL(page.url()).searchParams.get('target');
  const shows = (page: Page, name: string) =>
    page.getByRole('button', { name: new RegExp(`^Target: ${name}`) }).waitFor();
  const choose = async (page: Page, name: string) => {
    await page.bringToFront();
    await page.keyboard.press('o');
    const picker = page.getByRole('dialog', { name: /^Target:/ });
    await picker.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await expect.poll(() => picker.count()).toBe(0);
  };

  it('writes the last choice into an address without a target, and leaves no step behind', async () => {
    const { page, context, go, asked } = await prepared();
    await page.goto('about:blank');
    await go('/?tab=nodes');
    await page.getByRole('table', { name: 'Nodes' }).waitFor();
    expect(page.url()).toBe(`${session.console.url}/?tab=nodes&target=prod-eu-1`);
    expect(asked.filter((path) => path.startsWith('/api/cluster-nodes'))).toEqual([
      '/api/cluster-nodes?target=prod-eu-1',
    ]);
    await page.goBack();
    expect(page.url()).toBe('about:blank');
    await context.close();
  });

  it('changes this tab only when a target is chosen, and Back returns to the one before (RTE-035)', async () => {
    const { page, context, go, another, stored } = await prepared();
    await go('/?tab=nodes');
    await page.getByRole('table', { name: 'Nodes' }).waitFor();
    const second = await another();
    await go('/?tab=services', second);
    await shows(second, 'prod-eu-1');
    await choose(page, 'staging-eu-1');
    await expect.poll(() => targetIn(page)).toBe('staging-eu-1');
    expect(stored.chosen).toBe('staging-eu-1');
    // The other tab lists the targets again, and still reads its own.
    await second.bringToFront();
    await second.keyboard.press('r');
    await second.keyboard.press('g');
    await second.keyboard.press('n');
    await expect.poll(() => second.url()).toContain('tab=namespaces');
    expect(targetIn(second)).toBe('prod-eu-1');
    await shows(second, 'prod-eu-1');
    await second.reload();
    await shows(second, 'prod-eu-1');
    await page.goBack();
    await expect.poll(() => targetIn(page)).toBe('prod-eu-1');
    await shows(page, 'prod-eu-1');
    // A new tab begins with the last choice.
    await go('/?tab=overview', second);
    await expect.poll(() => targetIn(second)).toBe('staging-eu-1');
    await context.close();
  });

  it('keeps the target in every link of every page, and asks no cluster page of another', async () => {
    const { page, context, go, asked } = await prepared();
    await go('/?tab=overview&target=staging-eu-1');
    await page.getByRole('table', { name: 'Tracked workloads' }).waitFor();
    const rail = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
    const pages = await rail.evaluateAll((links) => links.map((link) => String(Reflect.get(link, 'href'))));
    expect(pages.length).toBeGreaterThan(20);
    for (const address of pages) {
      const tab = new URL(address).searchParams.get('tab') ?? '';
      await page.locator(`a[href="/?tab=${tab}&target=staging-eu-1"]`).first().click();
      await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe(tab);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect(targetIn(page)).toBe('staging-eu-1');
      const links = await page
        .locator('a[href^="/?"]')
        .evaluateAll((all) => all.map((link) => String(Reflect.get(link, 'href'))));
      expect(links.filter((link) => new URL(link).searchParams.get('target') !== 'staging-eu-1')).toEqual([]);
    }
    const ofAnother = asked.filter(
      (path) => path.includes('target=') && !path.includes('target=staging-eu-1') && path.startsWith('/api/'),
    );
    expect(ofAnother).toEqual([]);
    await context.close();
  }, 120_000);

  it('keeps its own target where an address comes without one, as from the menu of the desktop window', async () => {
    const { page, context, go } = await prepared();
    await go('/?tab=overview&target=staging-eu-1');
    await shows(page, 'staging-eu-1');
    // What the desktop's preload script does for the menu and for a deep link.
    await page.evaluate(`{
      history.pushState(undefined, '', '/?tab=nodes');
      dispatchEvent(new PopStateEvent('popstate'));
    }`);
    await page.getByRole('table', { name: 'Nodes' }).waitFor();
    expect(targetIn(page)).toBe('staging-eu-1');
    await context.close();
  });

  it('says that the target of an address does not exist, and offers the others (RTE-035)', async () => {
    const { page, context, complaints, go, asked } = await prepared();
    await go('/?tab=namespaces&record=cockpit&target=prod-us-9');
    const gone = page.getByRole('region', { name: 'There is no target prod-us-9' });
    await gone.waitFor();
    await gone.getByText('No context of that name is in the kubeconfig', { exact: false }).waitFor();
    // The page does not wait for the targets to be listed; it may have asked once before it was known.
    const askedOfIt = () => asked.filter((path) => path.startsWith('/api/namespaces')).length;
    expect(askedOfIt()).toBeLessThanOrEqual(1);
    await expectSound(page, complaints);
    await gone.getByRole('link', { name: /^staging-eu-1/ }).click();
    await expect.poll(() => page.url()).toContain('target=staging-eu-1');
    expect(page.url()).toContain('record=cockpit');
    await expect.poll(() => asked.some((path) => path === '/api/namespaces?target=staging-eu-1')).toBe(true);
    await page.goBack();
    await gone.waitFor();
    await context.close();
  });

  it('says that the bundle of an address is not open, and still shows pages that read no cluster', async () => {
    const { page, context, go } = await prepared();
    await go('/?tab=overview&target=bundle%3Aabcd1234');
    await page.getByRole('region', { name: 'This bundle is not open' }).waitFor();
    await page.getByRole('button', { name: 'Open a bundle' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await page.getByRole('heading', { name: 'Access' }).waitFor();
    expect(targetIn(page)).toBe('bundle:abcd1234');
    await context.close();
  });

  it('keeps the target over a sign-in', async () => {
    const tab = await session.blank({ signedIn: false });
    await answerRoute(tab.page, 'targets.list', () => targetsOf([prod, staging]));
    await tab.page.goto(`${session.console.url}/?tab=nodes&target=staging-eu-1`);
    await tab.page.getByRole('heading', { name: /Sign in/ }).waitFor();
    const link = (await session.console.signInLink()) ?? '';
    await tab.page.goto(link);
    await expect.poll(() => targetIn(tab.page)).toBe('staging-eu-1');
    expect(new URL(tab.page.url()).searchParams.get('tab')).toBe('nodes');
    await tab.context.close();
  });
});
