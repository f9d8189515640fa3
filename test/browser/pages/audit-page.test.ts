import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { axeViolations, expectSound } from '../../support/sound-page.ts';
import { forgeRecord, writeActs } from '../answers/audit-records.ts';
import { withoutSharedEvents } from '../answers/own-streams.ts';

const patience = { timeout: 20_000 };

const acts = 2500;
const operator = 'operator@console.localhost';

/** The number of the focused row's record. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate('document.activeElement.getAttribute("data-key")');

describe.skipIf(chromiumPath === undefined)(`the audit page (${chromiumPath ?? noChromium})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-page-'));
  let session: BrowserSession;
  beforeAll(async () => {
    await writeActs({ CONSOLE_DATA_DIR: folder }, acts);
    session = await startBrowserSession({ CONSOLE_DATA_DIR: folder, CONSOLE_SESSION_ADMINS: operator });
  });
  afterAll(async () => {
    await session?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows the chain newest first, draws only the rows near the view, and scrolls down to record 1', async () => {
    const { page, context, complaints } = await session.open('/?tab=audit');
    const table = page.getByRole('table', { name: 'Audit records' });
    await table.getByRole('row').nth(1).getByRole('cell', { name: operator }).waitFor();
    const numbers = await table.locator('a[data-key]').allInnerTexts();
    expect(numbers.map(Number)).toEqual([...numbers.map(Number)].sort((a, b) => b - a));
    const last = table.locator('a[data-key="1"]');
    await expect
      .poll(
        async () => {
          await page.evaluate(
            `(() => { const t = document.querySelector('table').parentElement; t.scrollTop = t.scrollHeight; })()`,
          );
          return last.isVisible();
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    await page.getByText('Record 1 is the first of the chain.').waitFor();
    expect(await table.getByRole('row').count()).toBeLessThan(120);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('moves by j and k, opens with Enter, lets the panel follow, and gives the focus back on Esc', async () => {
    const { page, context } = await session.open('/?tab=audit&actor=mira%40northgate.example');
    await page.locator(`a[data-key="${acts}"]`).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect.poll(() => focused(page), patience).toBe(String(acts - 1));
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: `Record ${acts - 1}` });
    await panel.getByText('the hash matches the content').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('record')).toBe(String(acts - 1));
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: `Record ${acts - 2}` }).waitFor();
    await page.keyboard.press('k');
    await panel.waitFor();
    await panel.getByRole('link', { name: `Record ${acts}` }).click();
    await page.getByRole('complementary', { name: `Record ${acts}` }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
    await expect.poll(() => focused(page), patience).toBe(String(acts));
    await context.close();
  });

  it('keeps what it is narrowed to in the address, so that the link shows the same to somebody else', async () => {
    const first = await session.open('/?tab=audit');
    await first.page
      .getByRole('search')
      .getByRole('button', { name: /^Outcome/ })
      .click();
    await first.page.getByRole('button', { name: 'Refused' }).click();
    await first.page.keyboard.press('/');
    await first.page.keyboard.type('agent-10');
    await first.page.waitForURL(/outcome=refused/);
    await first.page.waitForURL(/q=agent-10/);
    // agent-10, agent-100, and agent-1000 to agent-1090 by tens.
    await first.page.getByRole('status').filter({ hasText: '12 records' }).waitFor();
    const address = new URL(first.page.url());
    await first.context.close();
    const second = await session.open(`${address.pathname}${address.search}`);
    await second.page.getByRole('status').filter({ hasText: '12 records' }).waitFor();
    await second.page.getByRole('button', { name: 'Remove the filter Outcome Refused' }).click();
    await expect.poll(() => new URL(second.page.url()).searchParams.get('outcome')).toBeNull();
    await second.context.close();
  });

  it('says which part of an address it did not understand, instead of quietly showing more', async () => {
    const { page, context } = await session.open('/?tab=audit&outcome=good');
    await page.getByText('outcome=good').waitFor();
    await context.close();
  });

  it('shows what is written meanwhile, and what is looked at stays where it is', async () => {
    const { page, context } = await session.open('/?tab=audit');
    const top = page.locator('a[data-key]').first();
    const newest = Number(await top.innerText());
    const looked = page.locator(`a[data-key="${newest - 60}"]`);
    const scroll = (to: string) =>
      page.evaluate(`document.querySelector('table').parentElement.scrollTop = ${to}`);
    await scroll('1700');
    const before = await looked.boundingBox();
    const other = await session.open('/?tab=settings');
    await other.context.close();
    const read = page.waitForResponse(/\/api\/audit\?/);
    await page.keyboard.press('r');
    await read;
    await page.getByText(`${(newest + 1).toLocaleString('en')} records`, { exact: true }).waitFor();
    expect(await looked.boundingBox()).toEqual(before);
    await scroll('0');
    await expect.poll(async () => Number(await top.innerText())).toBe(newest + 1);
    await context.close();
  });

  it('verifies the whole chain from the palette and says what was found', async () => {
    const { page, context, complaints } = await session.open('/?tab=settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('verify the audit');
    await page.getByRole('option', { name: /Verify the audit chain/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Verified intact').waitFor();
    await page.getByText(/2,5\d\d records in/).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows a walk that goes on, stops it on Esc, and says how far it came', async () => {
    const { page, context } = await session.blank();
    await withoutResult(page, 'goes on');
    await page.goto(`${session.console.url}/?tab=audit`);
    await page.locator('a[data-key]').first().waitFor();
    await page.keyboard.press('v');
    await page.getByRole('progressbar', { name: 'Records verified' }).waitFor();
    await page.getByText(/no break so far/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText(/^Stopped /).waitFor();
    await page.getByRole('button', { name: 'Verify' }).waitFor();
    await context.close();
  });

  it('never takes a walk that ended without a result for one that found nothing', async () => {
    const { page, context } = await session.blank();
    await withoutResult(page, 'ends');
    await page.goto(`${session.console.url}/?tab=audit`);
    await page.locator('a[data-key]').first().waitFor();
    await page.keyboard.press('v');
    await page.getByText(/^The last verification did not finish/).waitFor();
    expect(await page.getByText('Verified intact').count()).toBe(0);
    await context.close();
  });

  it('offers the whole chain as a download that holds every record', async () => {
    const { page, context } = await session.open('/?tab=audit');
    await page.locator('a[data-key]').first().waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /Every record/ }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ seq: 1, actor: 'mira@northgate.example' });
    expect(lines.length).toBeGreaterThan(acts);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes, with a record open', async () => {
    const { page, context, complaints } = await session.open(`/?tab=audit&record=${acts}`);
    await page.getByText('the hash matches the content').waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});

describe.skipIf(chromiumPath === undefined)(
  `the audit page of a chain that was tampered with (${chromiumPath ?? noChromium})`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'audit-page-'));
    let session: BrowserSession;
    beforeAll(async () => {
      await writeActs({ CONSOLE_DATA_DIR: folder }, 40);
      await forgeRecord({ CONSOLE_DATA_DIR: folder }, 23);
      session = await startBrowserSession({ CONSOLE_DATA_DIR: folder, CONSOLE_SESSION_ADMINS: operator });
    });
    afterAll(async () => {
      await session?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('names the record, what it means and what to do, and the record says so itself', async () => {
      const { page, context, complaints } = await session.open('/?tab=audit');
      const verdict = page.getByRole('region', { name: 'State of the chain' });
      await verdict.getByText('The chain breaks at record 23: edited').waitFor();
      await verdict.getByText('Records 1 to 22 are valid').waitFor();
      await verdict.getByText('operator-console audit export -o audit.ndjson').waitFor();
      await page.locator('tr[data-mark="broken"] a[data-key="23"]').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await verdict.getByRole('button', { name: 'Open record 23' }).click();
      await page.getByText('the hash does not match the content').waitFor();
      expect(complaints).toEqual([]);
      await context.close();
    });
  },
);

describe.skipIf(chromiumPath === undefined)(
  `the audit page for who may not read it (${chromiumPath ?? noChromium})`,
  () => {
    let session: BrowserSession;
    beforeAll(async () => {
      // Without the sandbox, which names its operator as session admin.
      session = await startBrowserSession({}, false);
    });
    afterAll(() => session?.close());

    const watched = (page: Page): string[] => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      return asked;
    };

    it('says that nobody may while the list is unset, offers the holder of the link to name somebody, and asks for no record', async () => {
      const { page, context, complaints } = await session.blank();
      const asked = watched(page);
      await page.goto(`${session.console.url}/?tab=audit`);
      await page.getByText('Nobody may read the audit trail yet').waitFor();
      await page.getByText('CONSOLE_SESSION_ADMINS').first().waitFor();
      await page.getByRole('button', { name: `Make ${operator} the first session admin` }).waitFor();
      expect(asked).toContain('/api/access');
      expect(asked.filter((path) => path.startsWith('/api/audit'))).toEqual([]);
      expect(await axeViolations(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    });

    it('lets the person at the desktop window become the first session admin, which is the newest record then', async () => {
      const { page, context } = await session.open('/', { signedIn: false });
      await signInAsWindow(session, context);
      await page.addInitScript('globalThis.operatorConsole = {}');
      await page.goto(`${session.console.url}/?tab=audit`);
      await page.getByRole('button', { name: `Make ${operator} the first session admin` }).click();
      await page.getByRole('row').filter({ hasText: 'session_admins.set' }).waitFor();
      await context.close();
    });
  },
);

/** Lets the walk tell of some progress, and then go on or end, without a result. */
async function withoutResult(page: Page, then: 'goes on' | 'ends'): Promise<void> {
  await withoutSharedEvents(page);
  await page.addInitScript(`{
    const ask = globalThis.fetch;
    globalThis.fetch = (address, init) => {
      if (!String(address).startsWith('/api/audit/verify')) return ask(address, init);
      const body = new ReadableStream({
        start(events) {
          events.enqueue(new TextEncoder().encode('event: progress\\ndata: {"checked":1000,"total":2500}\\n\\n'));
          if (${then === 'ends'}) events.close();
          init.signal.addEventListener('abort', () => events.error(init.signal.reason));
        },
      });
      return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    };
  }`);
}

/** Gives a browser the session that the desktop window gets from the main process. */
async function signInAsWindow(session: BrowserSession, context: BrowserContext): Promise<void> {
  const own = await session.console.startOperatorSession();
  if (own === undefined) throw new Error('the local operator is off in this console');
  await context.addCookies([{ name: 'console_session', value: own.token, url: session.console.url }]);
}
