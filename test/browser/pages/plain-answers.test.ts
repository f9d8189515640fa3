import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteId } from '../../../src-shared/api/index.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { stopIntercepting } from '../../support/intercepted-requests.ts';
import { failRoute, holdRoute, routeRequests } from '../answers/answer-route.ts';

const patience = { timeout: 20_000 };

const title = `what stands in place of an answer (${chromiumPath ?? noChromium})`;

describe.skipIf(chromiumPath === undefined)(title, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession({}, false);
  });
  afterAll(() => session?.close());

  it.each<readonly [RouteId, string, string, string]>([
    ['access.list', '/?tab=access', 'the access lists', 'CONSOLE_AGENT_ADMINS'],
    ['system.platform', '/?tab=settings&section=about', 'the facts about this console', 'OpenAPI document'],
    ['requirements.list', '/?tab=troubleshoot&panel=requirements', 'the requirements', 'CON-001'],
  ])('%s: loading, then failing, then its content', async (id, address, what, content) => {
    const slow = await session.blank();
    await holdRoute(slow.page, id);
    await slow.page.goto(`${session.console.url}${address}`);
    await slow.page.getByText(`Reading ${what}`).waitFor();
    await slow.context.close();

    const { page, context } = await session.blank();
    await failRoute(page, id, 'The disk is full.');
    await page.goto(`${session.console.url}${address}`);
    const failed = page.getByRole('region', { name: new RegExp(`^${what} were not read$`, 'i') });
    await failed.getByText('The disk is full.').waitFor();
    const retry = failed.getByRole('button', { name: 'Retry' });
    stopIntercepting(page, routeRequests(id));
    // Focus may have had it read again meanwhile: then there is nothing left to try.
    await expect
      .poll(async () => {
        if ((await failed.count()) > 0) await retry.click({ timeout: 500 }).catch(() => undefined);
        return failed.count();
      }, patience)
      .toBe(0);
    await page.getByText(content).first().waitFor();
    await context.close();
  });
});

describe.skipIf(chromiumPath === undefined)(`facts in a panel (${chromiumPath ?? noChromium})`, () => {
  it('have a line between them and none above the edge of the panel', async () => {
    const session = await startBrowserSession();
    try {
      const { page, context } = await session.open('/?tab=doctor');
      const facts = page.getByRole('region', { name: 'The doctor' }).locator('dl');
      await facts.waitFor();
      expect(
        await page.evaluate(`getComputedStyle(document.querySelector('main dl')).borderBottomWidth`),
      ).toBe('0px');
      await context.close();
    } finally {
      await session.close();
    }
  });
});
