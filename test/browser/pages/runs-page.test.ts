import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../../src-shared/api/runs.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept, stopIntercepting } from '../../support/intercepted-requests.ts';
import { axeViolations, expectSound } from '../../support/sound-page.ts';
import { answerOf, answerWith, read, unread } from '../answers/run-answers.ts';

/** How long a change of the page is waited for, in milliseconds. */
const patience = { timeout: 20_000 };
const runsPath = /\/api\/runs/;
const hour = 3_600_000;

const run = (number: number, more: Partial<Run> = {}): Run => ({
  id: `workflow:harbour:${number}`,
  kind: 'workflow',
  family: 'other',
  repo: 'harbour',
  name: `Build ${number}`,
  state: 'success',
  started: new Date(Date.now() - number * hour).toISOString(),
  took_seconds: 61,
  url: `https://code.example/northgate/harbour/actions/runs/${number}`,
  run_id: number,
  ...more,
});
const listOf = (items: readonly Run[]) =>
  answerOf('runs.list', {
    items: [...items],
    counts: { success: items.length },
    repos: ['harbour'],
    ...read,
  });

const table = (page: Page) => page.getByRole('table', { name: 'Runs' });
const links = (page: Page) => page.locator('table a[data-key]');
const focused = (page: Page): Promise<string | null> =>
  page.evaluate('document.activeElement.getAttribute("data-key")');
const part = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);

describe.skipIf(chromiumPath === undefined)(`the runs page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  /** Opens the page on an answer that never changes. */
  const open = async (body: string, address = '/?tab=runs') => {
    const opened = await session.blank();
    await answerWith(opened.page, runsPath, body);
    await opened.page.goto(`${session.console.url}${address}`);
    return opened;
  };

  it('shows the sandbox’s runs, what is under way first, and narrows them by a state of the strip', async () => {
    const { page, context, complaints } = await session.open('/?tab=runs');
    const strip = page.getByRole('navigation', { name: 'Runs by state' });
    await strip.getByRole('link', { name: /^Failed/ }).waitFor();
    expect(await table(page).locator('tbody tr').first().innerText()).toMatch(/^Under way/);
    const states = await strip.getByRole('link').allInnerTexts();
    expect(states[0]).toMatch(/^Failed/);
    const count = Number(/\d+/.exec(states[0] ?? '')?.[0]);
    await strip.getByRole('link', { name: /^Failed/ }).click();
    await page
      .getByRole('status')
      .filter({ hasText: `${count} runs` })
      .waitFor();
    await expect.poll(() => part(page, 'state'), patience).toBe('failure');
    expect(await links(page).count()).toBe(count);
    await strip.getByRole('link', { name: /^Failed/ }).click();
    await expect.poll(() => part(page, 'state'), patience).toBeNull();
    await page.getByText('Scheduled job').first().waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('keeps what it is narrowed to in the address, so that the link shows the same to somebody else', async () => {
    const first = await session.open('/?tab=runs');
    await links(first.page).first().waitFor();
    await first.page
      .getByRole('search')
      .getByRole('button', { name: /^Repository/ })
      .click();
    await first.page.getByRole('button', { name: 'cockpit', exact: true }).click();
    await first.page.keyboard.press('/');
    await first.page.keyboard.type('security');
    await first.page.waitForURL(/q=security/);
    const words = first.page.getByRole('status').filter({ hasText: /^\d+ runs$/ });
    await words.waitFor();
    const address = new URL(first.page.url());
    const shown = await words.innerText();
    await first.context.close();
    const second = await session.open(`${address.pathname}${address.search}`);
    await second.page.getByRole('status').filter({ hasText: shown }).waitFor();
    await second.page.getByRole('button', { name: 'Remove the filter Repository cockpit' }).click();
    await expect.poll(() => part(second.page, 'repo'), patience).toBeNull();
    await second.context.close();
  });

  it('moves by j and k, opens with Enter, lets the panel follow, and gives the focus back on Esc', async () => {
    const { page, context } = await open(listOf([run(1), run(2), run(3)]));
    await links(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => focused(page), patience).toBe('workflow:harbour:2');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Run Build 2' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: 'Run Build 3' }).waitFor();
    await expect.poll(() => part(page, 'run'), patience).toBe('workflow:harbour:3');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('complementary').count(), patience).toBe(0);
    await expect.poll(() => focused(page), patience).toBe('workflow:harbour:3');
    await context.close();
  });

  it('leads from a run to its code, its pull request, its findings, its log and whether it shipped', async () => {
    const sha = 'c'.repeat(40);
    const body = listOf([run(7, { family: 'review', event: 'pull_request', pull_request: 42, sha })]);
    const { page, context } = await open(body, '/?tab=runs&run=workflow%3Aharbour%3A7');
    const panel = page.getByRole('complementary', { name: 'Run Build 7' });
    const href = (name: string) => panel.getByRole('link', { name }).getAttribute('href');
    expect(await href('Open on code host')).toBe('https://code.example/northgate/harbour/actions/runs/7');
    expect(await href('Pull request #42')).toBe('https://code.example/northgate/harbour/pull/42');
    expect(await href('ccccccc')).toBe(`https://code.example/northgate/harbour/commit/${sha}`);
    expect(await href('Findings')).toBe('/?tab=reviews&run=7&target=sandbox');
    expect(await href('Did this ship?')).toBe(`/?tab=lineage&repo=harbour&sha=${sha}&target=sandbox`);
    await intercept(page, /\/api\/agent-runs\/logs/, (route) =>
      route.fulfill({ contentType: 'text/plain', body: 'the only line\n' }),
    );
    await page.keyboard.press('l');
    await page.getByText('the only line').waitFor();
    await expect.poll(() => part(page, 'section'), patience).toBe('log');
    await context.close();
  });

  it('counts the time of what runs, and takes up how it ended', async () => {
    const { page, context } = await open(listOf([run(0, { state: 'running', took_seconds: 5 })]));
    const took = table(page).locator('tr', { hasText: 'Build 0' }).locator('td').last();
    await took.waitFor();
    const before = await took.innerText();
    await expect.poll(() => took.innerText(), patience).not.toBe(before);
    stopIntercepting(page, runsPath);
    await answerWith(page, runsPath, listOf([run(0, { state: 'failure', took_seconds: 9 })]));
    await page.keyboard.press('r');
    await table(page).getByText('Failed').waitFor();
    expect(await took.innerText()).toBe('9 s');
    await context.close();
  });

  it('reads older runs as they are scrolled to, and draws only the rows near the view', async () => {
    const all = Array.from({ length: 600 }, (_, index) => run(index + 1));
    const { page, context } = await session.blank();
    await intercept(page, runsPath, (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? '0');
      const next = from + 200 < all.length ? { next_cursor: String(from + 200) } : {};
      const body = answerOf('runs.list', {
        items: all.slice(from, from + 200),
        ...next,
        counts: { success: all.length },
        repos: ['harbour'],
        ...read,
      });
      return route.fulfill({ contentType: 'application/json', body });
    });
    await page.goto(`${session.console.url}/?tab=runs`);
    await links(page).first().waitFor();
    await expect
      .poll(async () => {
        await page.evaluate(
          `(() => { const t = document.querySelector('table').parentElement; t.scrollTop = t.scrollHeight; })()`,
        );
        return page.locator('a[data-key="workflow:harbour:600"]').isVisible();
      }, patience)
      .toBe(true);
    await page.getByText('No older run matches. All 600 are shown.').waitFor();
    expect(await table(page).getByRole('row').count()).toBeLessThan(120);
    await context.close();
  });

  it('exports the runs that were read as a spreadsheet', async () => {
    const { page, context } = await open(listOf([run(1, { title: '=HYPERLINK("x")' })]));
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV, all fields' }).click(),
    ]);
    const [head, row] = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(head?.split(',').slice(0, 5)).toEqual(['id', 'kind', 'family', 'repo', 'name']);
    expect(row).toContain(`workflow:harbour:1,workflow,other,harbour,Build 1,"'=HYPERLINK(""x"")"`);
    await context.close();
  });

  it('sorts by a column with the keyboard, says so in the address, and goes back to its own order', async () => {
    const runs = [run(1, { took_seconds: 5 }), run(2, { took_seconds: 700 }), run(3, { took_seconds: 61 })];
    const { page, context } = await open(listOf(runs));
    await links(page).first().waitFor();
    const names = () => links(page).allInnerTexts();
    await table(page).getByRole('button', { name: 'Took' }).focus();
    await page.keyboard.press('Enter');
    const head = table(page).getByRole('columnheader', { name: 'Took' });
    await expect.poll(() => head.getAttribute('aria-sort'), patience).toBe('ascending');
    expect(await names()).toEqual(['Build 1', 'Build 3', 'Build 2']);
    await expect.poll(() => part(page, 'sort'), patience).toBe('took');
    await page.keyboard.press('Enter');
    await expect.poll(names, patience).toEqual(['Build 2', 'Build 3', 'Build 1']);
    const address = new URL(page.url());
    const second = await open(listOf(runs), `${address.pathname}${address.search}`);
    await links(second.page).first().waitFor();
    expect(await links(second.page).allInnerTexts()).toEqual(['Build 2', 'Build 3', 'Build 1']);
    expect(await axeViolations(second.page)).toEqual([]);
    await second.context.close();
    await page.keyboard.press('Enter');
    await expect.poll(names, patience).toEqual(['Build 1', 'Build 2', 'Build 3']);
    await expect.poll(() => part(page, 'sort'), patience).toBeNull();
    await context.close();
  });

  it('hides a column for the person, on the next visit too, and leaves it out of the spreadsheet', async () => {
    const { page, context } = await open(listOf([run(1)]));
    const heads = () => table(page).getByRole('columnheader').allInnerTexts();
    await links(page).first().waitFor();
    expect(await heads()).toContain('Repository');
    await page.getByRole('button', { name: 'Columns' }).click();
    const menu = page.getByRole('dialog', { name: 'Columns' });
    expect(await menu.getByRole('checkbox', { name: 'Run' }).isDisabled()).toBe(true);
    await menu.getByRole('checkbox', { name: 'Repository' }).focus();
    const saved = page.waitForResponse(/ProfileService\/UpdateProfile/);
    await page.keyboard.press('Space');
    await saved;
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.reload();
    await links(page).first().waitFor();
    await expect.poll(heads, patience).not.toContain('Repository');
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV, shown columns' }).click(),
    ]);
    const [head, row] = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(head).toBe('State,Run,Kind,Started by,Actor,Started,Took');
    expect(row).toMatch(/^Succeeded,Build 1,Workflow,,,\d{4}-.*,61$/);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Show all columns' }).click();
    await expect.poll(heads, patience).toContain('Repository');
    await context.close();
  });

  it('moves to the ends and by a view with the keys of a list, and copies the row that has the focus', async () => {
    const { page, context } = await open(listOf(Array.from({ length: 200 }, (_, index) => run(index + 1))));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await links(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await expect.poll(() => focused(page), patience).toBe('workflow:harbour:200');
    await page.keyboard.press('PageUp');
    const back = Number((await focused(page))?.split(':').at(-1));
    expect(back).toBeGreaterThan(170);
    expect(back).toBeLessThan(199);
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page), patience).toBe('workflow:harbour:1');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page), patience).toBe('workflow:harbour:2');
    await page.keyboard.press('Control+c');
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^Succeeded\tBuild 2\tWorkflow\tharbour\t/,
    );
    await context.close();
  });

  it('says which part of an address it did not understand, instead of quietly showing more', async () => {
    const { page, context } = await open(listOf([run(1)]), '/?tab=runs&state=good');
    await page.getByText('state=good').waitFor();
    await links(page).first().waitFor();
    await context.close();
  });

  it('says that nothing matches, or that nothing is there, and whether that is a real zero', async () => {
    const { page, context } = await open(listOf([]), '/?tab=runs&q=nothing');
    await page.getByRole('heading', { name: 'No run matches' }).waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor();
    await page.getByText('No results; everything was checked.').waitFor();
    await context.close();
  });

  it('says that a run a link names is not among those that were read, and still offers its log', async () => {
    const { page, context } = await open(listOf([run(1)]), '/?tab=runs&run=workflow%3Aharbour%3A99');
    await page.getByRole('heading', { name: 'This run is not one of those loaded' }).waitFor();
    await page.getByRole('complementary').getByRole('button', { name: 'Log' }).waitFor();
    await context.close();
  });

  it('says why nothing was read, tries again, and keeps what was read when that fails', async () => {
    const reason = 'The repositories were not read: the code host answered 502.';
    const silent = answerOf('runs.list', { items: [], counts: {}, repos: [], ...unread(reason) });
    const { page, context } = await open(silent);
    await page.getByRole('heading', { name: 'Runs were not read' }).waitFor();
    await page.getByText(reason).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    stopIntercepting(page, runsPath);
    await answerWith(page, runsPath, listOf([run(1)]));
    await page.getByRole('button', { name: 'Retry' }).click();
    await links(page).first().waitFor();
    stopIntercepting(page, runsPath);
    await answerWith(page, runsPath, silent);
    await page.keyboard.press('r');
    await page.getByRole('note').getByText(reason).waitFor();
    expect(await links(page).count()).toBe(1);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes, with a run open', async () => {
    const { page, context, complaints } = await session.open('/?tab=runs');
    await links(page).first().click();
    await page.getByRole('complementary').waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});

describe.skipIf(chromiumPath === undefined)(
  `the runs page of a console without a code host (${chromiumPath ?? noChromium})`,
  () => {
    let session: BrowserSession;
    beforeAll(async () => {
      session = await startBrowserSession({}, false);
    });
    afterAll(() => session?.close());

    it('says that none is attached, and where to attach it', async () => {
      const { page, context, complaints } = await session.open('/?tab=runs');
      await page.getByRole('heading', { name: 'No code host is attached' }).waitFor();
      await page.getByRole('link', { name: 'Attach the code host' }).click();
      await expect.poll(() => part(page, 'section'), patience).toBe('codeHost');
      expect(complaints).toEqual([]);
      await context.close();
    });
  },
);
