import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { semanticColors } from '../../../src-renderer/app/theme/tokens.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept, stopIntercepting } from '../../support/intercepted-requests.ts';
import { axeViolations, expectSound } from '../../support/sound-page.ts';

/** How long a change of the page is waited for, in milliseconds. */
const patience = { timeout: 20_000 };
const logPath = /\/api\/agent-runs\/logs/;
const place = '/?tab=runs&section=log&run=workflow%3Aharbour%3A8123';
const esc = '\u001b';
const stamp = '2026-11-21T07:00:00.1234567Z ';

/** Answers the log with this text. */
const giveLog = (page: Page, body: string, status = 200, headers: Record<string, string> = {}) =>
  intercept(page, logPath, (route) =>
    route.fulfill({
      status,
      headers,
      contentType: status === 200 ? 'text/plain; charset=utf-8' : 'application/json',
      body: status === 200 ? body : JSON.stringify({ error: body }),
    }),
  );

/** A log of 200,000 lines, with what a test looks for at places it knows. */
function longLog(): string {
  const lines = Array.from({ length: 200_000 }, (_, index) => `${stamp}step ${index + 1} of the long work`);
  lines[0] = '==> 0_build.txt <==';
  lines[4] = `${stamp}<img src=x onerror="globalThis.broken = true"><script>globalThis.broken = true</script>`;
  lines[5] = `${stamp}${esc}[31mred words${esc}[0m and ${esc}[1;32mgreen ones${esc}[0m`;
  lines[149_999] = `${stamp}##[error]Process completed with exit code 1.`;
  lines[199_999] = `${stamp}the needle lies here`;
  return `${lines.join('\n')}\n`;
}

const rows = (page: Page) => page.locator('ol > li');
const line = (page: Page, number: number) => page.locator(`ol > li:has(a[data-line="${number}"])`);
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search the log' });

describe.skipIf(chromiumPath === undefined)(`the log of a run (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  /** Opens a log with this text. */
  const open = async (text: string, address = place) => {
    const opened = await session.blank();
    await giveLog(opened.page, text);
    await opened.page.goto(`${session.console.url}${address}`);
    await rows(opened.page).first().waitFor();
    return opened;
  };

  it('opens 200,000 lines, goes to the end by key and draws only what is in view', async () => {
    const { page, context, complaints } = await open(longLog());
    await page.getByText('200,000 lines,').first().waitFor();
    expect(await rows(page).count()).toBeLessThan(150);
    await page.keyboard.press('End');
    await line(page, 200_000).waitFor();
    expect(await line(page, 200_000).innerText()).toContain('the needle lies here');
    expect(await rows(page).count()).toBeLessThan(150);
    await page.keyboard.press('Home');
    await line(page, 1).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('finds a needle in the last line, and the next and the one before of many', async () => {
    const { page, context } = await open(longLog());
    await page.keyboard.press('/');
    await page.keyboard.type('needle');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await line(page, 200_000).locator('mark', { hasText: 'needle' }).waitFor();
    await search(page).fill('step 77777 ');
    await line(page, 77_777).locator('mark').waitFor();
    await search(page).fill('RED words and');
    await line(page, 6).locator('mark').first().waitFor();
    expect(await line(page, 6).locator('mark').allInnerTexts()).toEqual(['red words', ' and']);
    await search(page).fill('of the long work');
    await page.getByText(/of 100,000\+/).waitFor();
    await page.keyboard.press('Control+f');
    await search(page).fill('step 1999');
    await page.getByText(/^\d of 111$/).waitFor();
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await line(page, 1).waitFor();
    await search(page).fill('step 19999');
    await page.getByText('1 of 11', { exact: true }).waitFor();
    await line(page, 19_999).locator('mark[data-hit="current"]').waitFor();
    await page.keyboard.press('Enter');
    await line(page, 199_990).locator('mark[data-hit="current"]').waitFor();
    await page.keyboard.press('Shift+Enter');
    await line(page, 19_999).locator('mark[data-hit="current"]').waitFor();
    await page.keyboard.press('Shift+Enter');
    await line(page, 199_999).locator('mark[data-hit="current"]').waitFor();
    await context.close();
  });

  it('shows what looks like HTML as the text it is, and colours as the theme has them', async () => {
    const { page, context } = await open(longLog());
    expect(await line(page, 5).innerText()).toContain(
      '<img src=x onerror="globalThis.broken = true"><script>globalThis.broken = true</script>',
    );
    expect(await page.locator('ol img, ol script').count()).toBe(0);
    expect(await page.evaluate('globalThis.broken')).toBeUndefined();
    expect(await line(page, 6).innerText()).toContain('red words and green ones');
    const colour = await page.evaluate(
      `getComputedStyle(document.querySelector('[data-colour="red"]')).color`,
    );
    const hex = semanticColors.light['failing-fg'];
    const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    expect(colour).toBe(`rgb(${channels.join(', ')})`);
    await context.close();
  });

  it('goes on working when an expression would never end, and says what is wrong with one', async () => {
    const { page, context } = await open(`${'a'.repeat(40)}!\nthe end\n`);
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await search(page).fill('(');
    await page.getByText(/^Not a regular expression/).waitFor();
    await search(page).fill('(a+)+$');
    await page.getByText(/^Stopped after 3 s at line 1/).waitFor();
    await search(page).fill('the (end|start)');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    expect(await line(page, 2).locator('mark').innerText()).toBe('the end');
    await context.close();
  });

  it('shows lines while they arrive, and keeps them when it is told to stop', async () => {
    const { page, context } = await session.blank();
    await page.addInitScript(`(() => {
      const ask = globalThis.fetch;
      globalThis.fetch = (url, init) => {
        if (!String(url).startsWith('/api/agent-runs/logs')) return ask(url, init);
        const body = new ReadableStream({
          start(controller) {
            globalThis.give = (text) => controller.enqueue(new TextEncoder().encode(text));
            init.signal.addEventListener('abort', () => controller.error(init.signal.reason));
          },
        });
        return Promise.resolve(new Response(body));
      };
    })()`);
    await page.goto(`${session.console.url}${place}`);
    await expect.poll(() => page.evaluate('globalThis.give !== undefined'), patience).toBe(true);
    await page.evaluate(`give('first line\\nsecond li')`);
    await line(page, 1).waitFor();
    expect(await line(page, 2).count()).toBe(0);
    await page.evaluate(`give('ne\\n')`);
    await line(page, 2).waitFor();
    await page.getByText('Reading, 2 lines, 23 B').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The rest was not read.').waitFor();
    expect(await line(page, 2).innerText()).toContain('second line');
    await page.getByRole('button', { name: 'Refresh log' }).click();
    await page.getByText('The rest was not read.').waitFor({ state: 'detached' });
    await context.close();
  });

  it('picks lines into the address, copies them, and shows them to whoever opens the link', async () => {
    const { page, context } = await open(longLog());
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await line(page, 8).getByRole('link').click();
    await line(page, 10)
      .getByRole('link')
      .click({ modifiers: ['Shift'] });
    await expect.poll(() => new URL(page.url()).searchParams.get('record'), patience).toBe('8-10');
    await page.keyboard.press('c');
    await page.locator('#root').getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'step 8 of the long work\nstep 9 of the long work\nstep 10 of the long work',
    );
    await page.goto(`${session.console.url}${place}&record=123456`);
    await line(page, 123_456).waitFor();
    expect(await line(page, 123_456).getAttribute('data-picked')).toBe('true');
    await page.keyboard.press('j');
    await expect.poll(() => new URL(page.url()).searchParams.get('record'), patience).toBe('123457');
    await context.close();
  });

  it('goes to the first error by key, and from the list of what is in the log', async () => {
    const { page, context } = await open(longLog());
    await page.getByText('200,000 lines,').first().waitFor();
    await page.keyboard.press('e');
    await line(page, 150_000).waitFor();
    expect(await line(page, 150_000).innerText()).toContain('Process completed with exit code 1.');
    const outline = page.getByRole('navigation', { name: 'In this log' });
    await outline.getByRole('button', { name: /build/ }).click();
    await line(page, 1).waitFor();
    await outline.getByRole('button', { name: /Process completed/ }).click();
    await line(page, 150_000).waitFor();
    await context.close();
  });

  it('folds groups, and unfolds the one a match lies in', async () => {
    const { page, context } = await open(
      ['##[group]Set up', 'hidden treasure', '##[endgroup]', 'after'].join('\n'),
    );
    await page.getByRole('button', { name: 'Group at line 1' }).click();
    expect(await line(page, 2).count()).toBe(0);
    await page.getByText('1 line folded').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('treasure');
    await line(page, 2).locator('mark').waitFor();
    await context.close();
  });

  it('wraps long lines and shows times when asked, and remembers it', async () => {
    const { page, context } = await open(`${stamp}${'word '.repeat(200)}\nlast\n`);
    const height = async () => (await line(page, 1).boundingBox())?.height ?? 0;
    expect(await height()).toBe(18);
    await page.keyboard.press('w');
    await expect.poll(height, patience).toBeGreaterThan(100);
    await page.keyboard.press('t');
    await page.getByText('07:00:00.123').waitFor();
    await page.reload();
    await page.getByText('07:00:00.123').waitFor();
    expect(await height()).toBeGreaterThan(100);
    await context.close();
  });

  it('saves what was read without asking for it again', async () => {
    const { page, context } = await open('one\ntwo\n');
    stopIntercepting(page, logPath);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('harbour-8123.log');
    expect(readFileSync(await download.path(), 'utf8')).toBe('one\ntwo\n');
    await context.close();
  });

  it('says that 50 MB of it are shown, in the words of the last line', async () => {
    const { page, context } = await open('one\n[The log goes on: 50 MB of 61 MB are shown.]\n');
    await page.getByRole('note').getByText('The log goes on: 50 MB of 61 MB are shown.').waitFor();
    await context.close();
  });

  for (const { status, error, title, again } of [
    { status: 404, error: 'It expired.', title: 'The code host has no log of this run', again: true },
    { status: 422, error: 'An entry climbs out.', title: 'The log’s archive was refused', again: false },
    { status: 503, error: 'The quota is spent.', title: 'The log was not read', again: true },
  ]) {
    it(`says why there is no log when the console answers ${status}`, async () => {
      const { page, context } = await session.blank();
      await giveLog(page, error, status);
      await page.goto(`${session.console.url}${place}`);
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText(error).waitFor();
      expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(again ? 1 : 0);
      expect(await axeViolations(page)).toEqual([]);
      await context.close();
    });
  }

  it('waits as long as a busy console says, then asks again by itself', async () => {
    const { page, context } = await session.blank();
    await giveLog(page, 'Two logs are being opened.', 429, { 'Retry-After': '2' });
    await page.goto(`${session.console.url}${place}`);
    await page.getByText(/Next try in \d s/).waitFor();
    await giveLog(page, 'here it is\n');
    await line(page, 1).waitFor();
    await context.close();
  });

  it('shows the long log of the sandbox from the list of runs, and Esc goes back to the run', async () => {
    const { page, context, complaints } = await session.open(
      '/?tab=runs&workflows=all&q=templates&repo=campaign',
    );
    await page.getByRole('link', { name: /^Build/ }).click();
    await page.getByRole('complementary').getByRole('button', { name: 'Log' }).click();
    await page.getByText(/^20\d,\d{3} lines, /).waitFor({ timeout: 50_000 });
    await page.keyboard.press('End');
    await expect
      .poll(async () => Number(await rows(page).locator('a').last().innerText()), patience)
      .toBeGreaterThan(200_000);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Run Build' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('section')).toBeNull();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('is free of accessibility faults in every colour a log can ask for in both themes', async () => {
    const colours = [30, 31, 32, 33, 34, 35, 36, 37, 90, 91, 92, 93, 94, 95, 96, 97];
    const text = [
      '==> 0_build.txt <==',
      `${stamp}##[group]Colours`,
      ...colours.map((code) => `${stamp}${esc}[${code}mcolour ${code}${esc}[0m and plain`),
      ...colours.map((code) => `${stamp}${esc}[${code + 10}mground ${code}${esc}[0m`),
      ...[31, 32, 33, 34, 35, 36].map((code) => `${stamp}${esc}[7;${code}mturned ${code}${esc}[0m`),
      `${stamp}##[endgroup]`,
      `${stamp}${esc}[2mdim${esc}[0m ${esc}[38;5;141mpalette${esc}[0m ${esc}[38;2;200;80;20mtrue${esc}[0m`,
      `${stamp}##[command]make`,
      `${stamp}##[warning]Old cache`,
      `${stamp}##[error]Process completed with exit code 1.`,
    ].join('\n');
    const { page, context, complaints } = await open(text, `${place}&record=6`);
    await page.keyboard.press('t');
    await page.keyboard.press('/');
    await page.keyboard.type('colour');
    await page.getByText('1 of', { exact: false }).first().waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
