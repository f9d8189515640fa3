import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import { sendBrief, studioFrame } from '../../support/studio-frame.ts';

const brief = 'Match supplier invoices to purchase orders. Differences above 2 % go to a person.';

describe.skipIf(chromiumPath === undefined)(`the studio page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  it('sends a brief, streams the answer, and shows the chat in the rail, the header and the address (CON-177, CON-201)', async () => {
    const { page, context, complaints } = await session.open('/?tab=forgeStudio');
    const frame = await studioFrame(page);
    await sendBrief(frame, brief);
    await frame
      .getByText(/planner/i)
      .first()
      .waitFor();
    await page.waitForURL(/[?&]chat=c-[0-9a-f]{16}/);
    await page.getByRole('heading', { level: 1, name: /invoices/i }).waitFor();
    const rail = page.getByRole('main').getByText(/Match supplier invoices/);
    await rail.first().waitFor();
    // The frame was not loaded anew when its own message changed the console's address.
    expect(frame.isDetached()).toBe(false);
    await frame.getByRole('button', { name: /^Send/ }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows each app with its live state and why, and names what was not read', async () => {
    const { page, context } = await session.open('/?tab=forgeStudio');
    const rail = page.getByRole('region', { name: 'Chats and apps' });
    const row = (name: string) => rail.getByRole('listitem').filter({ hasText: name });
    await row('rate-card').getByText('Building').waitFor();
    await row('rate-card').getByText('the platform is verifying the default branch').waitFor();
    await row('invoice-match').getByText('3 open jobs for the agent').waitFor();
    await row('tide-tables').getByText('Live').waitFor();
    await row('quay-metrics').getByText('CI could not run the checks, see the run').waitFor();
    // The others say so instead of showing an idle state.
    await page.getByRole('button', { name: '12 of 14 app states read' }).click();
    const popover = page.getByRole('dialog');
    await popover.getByText(/^Only the 12 most recently updated apps are read/).waitFor();
    await context.close();
  });

  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const) {
    it(`is free of accessibility faults and console errors in both themes at ${width}x${height}`, async () => {
      const { page, context, complaints } = await session.open('/?tab=forgeStudio', {
        width,
        height,
      });
      const frame = await studioFrame(page);
      await page
        .getByText(/Match supplier invoices/)
        .first()
        .click();
      await frame.page().waitForTimeout(1200);
      await expectSound(page, complaints);
      await context.close();
    });
  }

  it('opens a chat by deep link, and the chat of an app by the legacy link (CON-067)', async () => {
    const first = await session.open('/?tab=forgeStudio&chat=repo-invoice-desk');
    await first.page.locator('iframe[src="/studio/?chat=repo-invoice-desk"]').waitFor();
    await studioFrame(first.page);
    await first.context.close();
    const legacy = await session.open('/?tab=forgeStudio&app=invoice-desk&panel=details');
    await legacy.page.locator('iframe[src="/studio/?chat=repo-invoice-desk&panel=details"]').waitFor();
    const frame = await studioFrame(legacy.page);
    await frame.getByText('repo-invoice-desk').first().waitFor();
    await legacy.context.close();
  });

  it('never puts a command into the studio from its own address (CON-066)', async () => {
    const { page, context } = await session.open('/?tab=forgeStudio&chat=repo-a&cmd=delete%20everything');
    await studioFrame(page);
    expect(await page.locator('iframe').getAttribute('src')).not.toContain('cmd');
    await context.close();
  });

  it('ignores a studio.chat message from any window but the frame (CON-176)', async () => {
    const { page, context } = await session.open('/?tab=forgeStudio');
    await studioFrame(page);
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    const forged = JSON.stringify({ type: 'studio.chat', id: 'repo-evil', title: 'Evil', project: 'evil' });
    await page.evaluate(`postMessage(${JSON.stringify(forged)}, location.origin)`);
    await page.waitForTimeout(300);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(heading);
    expect(page.url()).not.toContain('repo-evil');
    await context.close();
  });

  it('prefills a command of a studio link, never sends it, and takes it out of the address (CON-066)', async () => {
    const { page, context } = await session.open('/studio/?chat=repo-prefill&cmd=make%20it%20blue');
    const box = page.getByRole('textbox').first();
    await box.waitFor();
    expect(await box.inputValue()).toBe('make it blue');
    expect(page.url()).not.toContain('cmd=');
    await page.waitForTimeout(500);
    expect(await box.inputValue()).toBe('make it blue');
    await context.close();
  });
});
