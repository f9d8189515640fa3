import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageTitles } from '../../../src-shared/page-titles.ts';
import { type BrowserSession, startBrowserSession, type Tab } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const views = (page: Page) => page.getByRole('dialog', { name: 'Views' });
const query = (page: Page) => new URL(page.url()).searchParams;

describe.skipIf(chromiumPath === undefined)(`the workspace (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  let tab: Tab;
  beforeAll(async () => {
    session = await startBrowserSession();
    tab = await session.open('/?tab=workspace');
    tab.page.setDefaultTimeout(10_000);
  });
  afterAll(() => session?.close());

  const open = (address: string) => tab.page.goto(`${session.console.url}${address}`);

  it('says how to make the first view, pin and note', async () => {
    const { page } = tab;
    for (const name of ['Views', 'Pins', 'Notes'])
      await page.getByRole('region', { name }).getByText('None yet').waitFor();
    await expectSound(page, tab.complaints);
  });

  it('has every list save its filters, order and columns as a view, and open it again from its head', async () => {
    const { page } = tab;
    await open('/?tab=namespaces');
    const table = page.getByRole('table', { name: 'Namespaces' });
    await table.getByRole('button', { name: 'Namespace', exact: true }).first().click();
    await expect.poll(() => query(page).get('sort')).not.toBeNull();
    const sort = query(page).get('sort');
    await button(page, 'Columns').first().click();
    const [second] = (await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox').all()).slice(
      -1,
    );
    await second?.uncheck();
    await page.keyboard.press('Escape');
    await expect.poll(() => query(page).get('hide')).not.toBeNull();
    const hide = query(page).get('hide');
    await page.getByRole('searchbox', { name: 'Filter namespaces' }).fill('tenant');
    await expect.poll(() => query(page).get('q')).toBe('tenant');
    await button(page, 'Views').click();
    await views(page).getByText('None saved').waitFor();
    await views(page).getByLabel('Save what is shown as').fill('Tenants by name');
    await button(page, 'Save view').click();
    await views(page).waitFor({ state: 'hidden' });

    await open('/?tab=namespaces');
    // What the profile kept meanwhile is not the view's affair.
    await table.getByRole('button', { name: 'Namespace', exact: true }).first().click();
    await button(page, 'Views').click();
    await views(page).getByRole('link', { name: 'Tenants by name' }).click();
    await expect
      .poll(() => ['q', 'sort', 'hide'].map((part) => query(page).get(part)))
      .toEqual(['tenant', sort, hide]);
    await button(page, 'Views').click();
    const chosen = views(page).getByRole('link', { name: 'Tenants by name' });
    await expect.poll(() => chosen.getAttribute('aria-current')).toBe('true');
    await expectSound(page, tab.complaints);
    await page.keyboard.press('Escape');
  });

  it('opens a view of an unarranged list as it was, whatever the profile has since', async () => {
    const { page } = tab;
    await open('/?tab=services');
    const table = page.getByRole('table', { name: 'Services' });
    const heads = () => table.getByRole('columnheader').allInnerTexts();
    await table.waitFor();
    const before = await heads();
    await button(page, 'Views').click();
    await views(page).getByLabel('Save what is shown as').fill('All of it');
    await button(page, 'Save view').click();
    await views(page).waitFor({ state: 'hidden' });
    await button(page, 'Columns').first().click();
    const boxes = await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox').all();
    await boxes.at(-1)?.uncheck();
    await page.keyboard.press('Escape');
    await expect.poll(heads).not.toEqual(before);
    await button(page, 'Views').click();
    await views(page).getByRole('link', { name: 'All of it' }).click();
    await expect.poll(heads).toEqual(before);
  });

  it('pins the open thing and selected rows, and takes a pin off', async () => {
    const { page } = tab;
    await open('/?tab=namespaces');
    const table = page.getByRole('table', { name: 'Namespaces' });
    const links = table.getByRole('link');
    const first = await links.first().innerText();
    await links.first().click();
    await button(page, 'Pin this namespace').click();
    await button(page, 'Unpin this namespace').waitFor();
    await page.keyboard.press('Escape');
    for (const row of [1, 2])
      await table
        .getByRole('row')
        .nth(row + 1)
        .click({ modifiers: ['Control'], position: { x: 400, y: 8 } });
    await page.getByRole('group', { name: 'Selected rows' }).getByRole('button', { name: 'Pin' }).click();
    await page.getByRole('group', { name: 'Selected rows' }).waitFor({ state: 'hidden' });

    await open('/?tab=workspace');
    const pins = page.getByRole('region', { name: 'Pins' });
    await pins.getByText('3 pins').waitFor();
    await pins.getByRole('link', { name: first, exact: true }).click();
    await expect.poll(() => query(page).get('record')).toContain(first);
    await button(page, 'Unpin this namespace').click();
    await button(page, 'Pin this namespace').waitFor();
    await open('/?tab=workspace');
    await pins.getByText('2 pins').waitFor();
    await expectSound(page, tab.complaints);
  });

  it('keeps notes, renames and shares what is kept, and deletes it after a question', async () => {
    const { page } = tab;
    await open('/?tab=workspace');
    await button(page, 'Add note').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add note' }).click();
    await dialog.getByText('A note needs a title.').waitFor();
    await dialog.getByLabel('Title').fill('Failover drill');
    await dialog.getByLabel('Text').fill('Thursday 10:00 UTC\nBirch first.');
    await expectSound(page, tab.complaints);
    await dialog.getByRole('button', { name: 'Add note' }).click();
    const note = page.getByRole('region', { name: 'Notes' }).getByRole('listitem');
    await note.getByText('Birch first.').waitFor();
    await button(page, 'Edit Tenants by name').click();
    await dialog.getByLabel('Name').fill('Tenants A to Z');
    await dialog.getByLabel('Share with everyone').check();
    await button(page, 'Save').click();
    const row = page.getByRole('table', { name: 'Views' }).getByRole('row', { name: /Tenants A to Z/ });
    await row.getByText('Everyone').waitFor();
    await button(page, 'Delete Failover drill').click();
    await dialog.getByText('Its text is lost.').waitFor();
    await button(page, 'Delete note').click();
    await page.getByRole('region', { name: 'Notes' }).getByText('None yet').waitFor();
  });

  it('is found by the palette: a view opens as it was saved', async () => {
    const { page } = tab;
    await open('/?tab=overview');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('tenants a to z');
    await page
      .getByRole('group', { name: 'Saved' })
      .getByRole('option', { name: /Tenants A to Z/ })
      .click();
    await expect.poll(() => [query(page).get('tab'), query(page).get('q')]).toEqual(['namespaces', 'tenant']);
  });

  it('is offered in the head of every page that lists', async () => {
    const { page } = tab;
    const listless = ['forgeStudio', 'settings', 'workspace'];
    for (const name of Object.keys(pageTitles)) {
      await open(`/?tab=${name}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect
        .poll(() => button(page, 'Views').count(), { message: name })
        .toBe(listless.includes(name) ? 0 : 1);
    }
  });
});
