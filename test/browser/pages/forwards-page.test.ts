import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

describe.skipIf(chromiumPath === undefined)(`port forwards (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  it('are opened from a service, answer, are stopped, started at the same port, and deleted', async () => {
    const { page, complaints } = await session.open('/?tab=services');
    await page.getByRole('link', { name: 'aspen-cockpit', exact: true }).first().click();
    await page.getByRole('button', { name: 'Forward a port' }).click();
    const dialog = page.getByRole('dialog', { name: 'Forward a port' });
    await dialog.getByRole('button', { name: 'Forward', exact: true }).click();
    const done = page.getByRole('dialog', { name: /^Forwarding / });
    const address = (await done.locator('code').textContent()) ?? '';
    expect(address).toMatch(/^127\.0\.0\.1:\d+$/);
    expect((await fetch(`http://${address}/livez`)).status).toBe(200);
    await done.getByRole('button', { name: 'Done' }).click();

    await page.goto(`${session.console.url}/?tab=forwards`);
    await page.getByText('Listening').first().waitFor();
    await page.getByRole('link', { name: /^aspen-cockpit-/ }).click();
    const drawer = page.getByRole('complementary', { name: /^Port forward aspen-cockpit/ });
    await drawer.getByText('since it was started').waitFor();
    await expectSound(page, complaints);
    await drawer.getByRole('button', { name: 'Stop' }).click();
    await drawer.getByText('Stopped').waitFor();
    await expect(fetch(`http://${address}/livez`)).rejects.toThrow();
    await drawer.getByRole('button', { name: 'Start' }).click();
    await drawer.getByText(address).waitFor();
    expect((await fetch(`http://${address}/livez`)).status).toBe(200);
    await drawer.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: /^Delete aspen-cockpit-/ }).click();
    await page.getByText('No port forwards yet').waitFor();
    expect(complaints).toEqual([]);
  });
});
