import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';

const patience = { timeout: 10_000 };

describe.skipIf(chromiumPath === undefined)(`what is moved and said (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  it('nothing moves for who asked for reduced motion, and what was copied is said', async () => {
    const { page, context } = await session.open('/?tab=services&record=cockpit%2Fcockpit-api');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByRole('button', { name: /^Copy/ }).first().waitFor();
    const moving = `document.getAnimations().filter(({ playState }) => playState === 'running').length`;
    await expect.poll(() => page.evaluate(moving), patience).toBe(0);
    await page.getByRole('complementary').getByRole('button', { name: /^Copy/ }).first().click();
    await expect.poll(() => page.locator('body > [aria-live]').textContent(), patience).toMatch(/Copied/);
    await context.close();
  });
});
