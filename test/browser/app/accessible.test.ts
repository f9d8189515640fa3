import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tabs } from '../../../src-renderer/core/tabs.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { goWithin } from '../../support/go-within.ts';
import { untilSettled, walkByTab } from '../../support/keyboard-walk.ts';
import { axeViolations } from '../../support/sound-page.ts';

let session: BrowserSession;
let page: Page;

const title = chromiumPath === undefined ? noChromium : 'by keyboard alone';

/** WCAG 2.2, 2.5.8, with its exceptions: axe leaves this rule out unless it is named. */
const targetSize = { iframes: false, resultTypes: ['violations'], runOnly: ['target-size'] };

/** So many links of one list at most are stops of their own. */
const mostInList = 12;

describe.skipIf(chromiumPath === undefined)(title, () => {
  beforeAll(async () => {
    session = await startBrowserSession();
    ({ page } = await session.open('/?tab=overview'));
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  });
  afterAll(() => session?.close());

  it('begins with a way past the rail', async () => {
    await page.keyboard.press('Tab');
    const skip = page.getByRole('button', { name: 'Skip to the page' });
    await expectFocus(skip);
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN');
  });

  it.each(tabs.map(({ tab }) => tab))('every stop of %s is seen, named, ringed and in order', async (tab) => {
    await goWithin(page, `/?tab=${tab}`);
    await untilSettled(page);
    const stops = await walkByTab(page);
    expect(stops.length).toBeGreaterThan(0);
    expect(stops.filter(({ faults }) => faults.length > 0)).toEqual([]);
    const perList = Map.groupBy(
      stops.filter(({ list }) => list !== undefined),
      ({ list }) => list ?? '',
    );
    const long = [...perList].filter(([list, of]) => of.length > (list.startsWith('table') ? 1 : mostInList));
    expect(long).toEqual([]);
    expect(await axeViolations(page, targetSize)).toEqual([]);
  });

  it('goes through a list by arrow keys, and leaves it by Tab', async () => {
    await goWithin(page, '/?tab=troubleshoot');
    const rows = page.getByRole('navigation', { name: 'Findings' }).getByRole('listitem').getByRole('link');
    await rows.nth(2).waitFor();
    await rows.first().focus();
    await page.keyboard.press('ArrowDown');
    await expectFocus(rows.nth(1));
    await page.keyboard.press('End');
    await expectFocus(rows.last());
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expectFocus(rows.last());
    await page.keyboard.press('Home');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("nav") === null')).toBe(true);
  });

  it('comes from a row of a table to its links, and follows the first by Enter', async () => {
    await goWithin(page, '/?tab=overview');
    const row = page.getByRole('table', { name: 'Workloads' }).locator('tbody tr[data-key]').first();
    await row.focus();
    await page.keyboard.press('ArrowRight');
    await expectFocus(row.getByRole('link').first());
    await page.keyboard.press('ArrowLeft');
    await expectFocus(row);
    await page.keyboard.press('Enter');
    await page.waitForURL(/tab=namespaces/);
  });

  it('says what was copied, how a diagnosis goes on, and that the console is away and back', async () => {
    await goWithin(page, '/?tab=troubleshoot');
    const said = page.locator('body > [aria-live=polite]');
    const again = page.getByRole('button', { name: /^Diagnose again/ });
    await again.waitFor();
    await page.evaluate(`globalThis.heard = []; new MutationObserver(() =>
      heard.push(document.querySelector('body > [aria-live=polite]').textContent)
    ).observe(document.querySelector('body > [aria-live=polite]'), { childList: true })`);
    await again.click();
    // What was said before the click does not count: the page diagnoses as it opens, too.
    const heard = () => page.evaluate<string[]>('heard');
    await expect
      .poll(async () => (await heard()).at(-1), { timeout: 30_000 })
      .toMatch(/^Diagnosis done: \d+ findings/);
    expect((await heard()).filter((text) => !text.startsWith('Diagnosis done')).length).toBeGreaterThan(0);
    await page.getByRole('button', { name: /^Copy the link to this finding/ }).click();
    await expect.poll(() => said.textContent()).toMatch(/[Cc]opied/);
    await page.context().setOffline(true);
    await page.keyboard.press('Escape');
    await goWithin(page, '/?tab=nodes');
    await expect
      .poll(() => page.getByRole('alert').textContent(), { timeout: 15_000 })
      .toContain('does not answer');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    await expect.poll(() => said.textContent(), { timeout: 15_000 }).toBe('The console answers again.');
  });

  describe.each([
    ['the person menu', 'overview', 'button', /^Signed in as/, 'menu'],
    ['the target picker', 'overview', 'button', /^Target/, 'dialog'],
    ['the columns of a table', 'services', 'button', /^Columns$/, 'dialog'],
    ['a bundle to open', 'troubleshoot', 'button', /^Open bundle$/, 'dialog'],
    ['a text to paste', 'troubleshoot', 'button', /^Paste text$/, 'dialog'],
    ['the search', 'overview', 'button', /^Search or run/, 'dialog'],
    ['the keys', 'overview', 'button', /^Keys$/, 'dialog'],
  ] as const)('%s', (_layer, tab, role, name, layer) => {
    it('holds the focus, and gives it back after Escape', async () => {
      await goWithin(page, `/?tab=${tab}`);
      const opener = page.getByRole(role, { name }).first();
      await opener.focus();
      await page.keyboard.press('Enter');
      const opened = page.getByRole(layer).first();
      await opened.waitFor();
      // It takes the focus a moment after it is drawn; a menu when an arrow is pressed.
      await expect
        .poll(async () => {
          if (layer === 'menu' && !(await holdsFocus(opened))) await page.keyboard.press('ArrowDown');
          return holdsFocus(opened);
        })
        .toBe(true);
      for (let press = 0; press < 8; press += 1) {
        if (layer === 'dialog') await page.keyboard.press('Tab');
        else await page.keyboard.press('ArrowDown');
        await expect.poll(() => holdsFocus(opened)).toBe(true);
      }
      await page.keyboard.press('Escape');
      await opened.waitFor({ state: 'detached' });
      await expectFocus(opener);
    });
  });
});

const holdsFocus = async (within: Locator): Promise<boolean> =>
  (await within
    .locator(':focus')
    .or(within.and(page.locator(':focus')))
    .count()) > 0;

async function expectFocus(on: Locator): Promise<void> {
  await expect.poll(() => on.and(page.locator(':focus')).count()).toBe(1);
}
