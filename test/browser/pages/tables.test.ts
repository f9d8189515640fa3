import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import type { Answer } from '../answers/answer-route.ts';
import { clusterReading, serviceOf } from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';

const some = (): Answer<'cluster.services'> => ({
  items: [
    serviceOf('alder', { namespace: 'campaign' }),
    serviceOf('birch', { namespace: 'campaign' }),
    serviceOf('cedar', { namespace: 'cockpit' }),
    serviceOf('downy', { namespace: 'cockpit' }),
  ],
  ...clusterReading(),
});

const table = (page: Page) => page.getByRole('table', { name: 'Services' });
const patience = { timeout: 10_000 };
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()');
const widthOf = (page: Page, column: string): Promise<number> =>
  table(page)
    .getByRole('columnheader', { name: column })
    .evaluate((head: { offsetWidth: number }) => head.offsetWidth);

describe.skipIf(chromiumPath === undefined)(`tables (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = async (address = '/?tab=services', answer = some) => {
    const tab = await openedOn(session, 'cluster.services', address, answer);
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await table(tab.page).getByRole('link').first().waitFor();
    return tab;
  };

  it('select rows by a click with Ctrl and with Shift, and copy them as text', async () => {
    const { page, context } = await opened();
    await row(page, 'alder')
      .getByRole('cell')
      .nth(1)
      .click({ modifiers: ['ControlOrMeta'] });
    await row(page, 'cedar')
      .getByRole('cell')
      .nth(1)
      .click({ modifiers: ['Shift'] });
    await page.getByText('3 rows selected').waitFor();
    expect(await table(page).locator('tr[aria-selected="true"]').count()).toBe(3);
    await page.keyboard.press('Control+c');
    expect(
      String(await clipboard(page))
        .split('\n')
        .map((line) => line.split('\t')[0]),
    ).toEqual(['alder', 'birch', 'cedar']);
    await page.getByText('Copied 3 rows').waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByText('rows selected').count()).toBe(0);
    await context.close();
  });

  it('select rows by key: Space, Shift with an arrow, all with Ctrl+A', async () => {
    const { page, context } = await opened();
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 rows selected').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByText('4 rows selected').waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect.poll(() => table(page).locator('tr[aria-selected="true"]').count()).toBe(0);
    await context.close();
  });

  it('copy as JSON, and as the kubectl command for the context that gets what is selected', async () => {
    const { page, context } = await opened();
    await row(page, 'birch')
      .getByRole('cell')
      .nth(1)
      .click({ modifiers: ['ControlOrMeta'] });
    await row(page, 'cedar')
      .getByRole('cell')
      .nth(1)
      .click({ modifiers: ['ControlOrMeta'] });
    await page.getByRole('button', { name: 'Copy as' }).click();
    const menu = page.getByRole('dialog', { name: 'Copy as' });
    await menu.getByText('Asks the context sandbox.').waitFor();
    await menu.getByRole('button', { name: 'kubectl command' }).click();
    expect(await clipboard(page)).toBe(
      'kubectl --context sandbox get service birch --namespace campaign\n' +
        'kubectl --context sandbox get service cedar --namespace cockpit',
    );
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('dialog', { name: 'Copy as' }).getByRole('button', { name: 'JSON' }).click();
    const copied: unknown = JSON.parse(String(await clipboard(page)));
    expect(copied).toMatchObject([{ name: 'birch' }, { name: 'cedar' }]);
    await context.close();
  });

  it('copy the command that prints all they show, and by names what a filter leaves', async () => {
    const { page, context } = await opened();
    const command = async () => {
      await page.getByRole('button', { name: 'Copy rows' }).click();
      await page
        .getByRole('dialog', { name: 'Copy rows' })
        .getByRole('button', { name: 'kubectl command' })
        .click();
      return clipboard(page);
    };
    expect(await command()).toBe('kubectl --context sandbox get service --all-namespaces');
    await page.getByRole('searchbox', { name: 'Filter services' }).fill('alder');
    await page.getByText('1 service, worst first').waitFor();
    expect(await command()).toBe('kubectl --context sandbox get service alder --namespace campaign');
    await context.close();
  });

  it('resize a column by mouse and by key, on the next visit too, and back to its own width', async () => {
    const { page, context } = await opened();
    const own = await widthOf(page, 'Service');
    const head = table(page).getByRole('columnheader', { name: 'Service', exact: true });
    const box = await head.boundingBox();
    if (box === null) throw new Error('The head is not shown.');
    await page.mouse.move(box.x + box.width - 3, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 57, box.y + 10, { steps: 4 });
    await page.mouse.up();
    expect(await widthOf(page, 'Service')).toBe(own + 60);
    await expectAddress(page, 'sort', null);
    const saved = page.waitForResponse(/ProfileService\/UpdateProfile/);
    await head.getByRole('button').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => widthOf(page, 'Service')).toBe(own + 76);
    await saved;
    await page.reload();
    await expect.poll(() => widthOf(page, 'Service'), patience).toBe(own + 76);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Narrow Service' }).click();
    await expect.poll(() => widthOf(page, 'Service')).toBe(own + 60);
    const reset = page.waitForResponse(/ProfileService\/UpdateProfile/);
    await page.getByRole('button', { name: 'Reset widths' }).click();
    await expect.poll(() => widthOf(page, 'Service')).toBe(own);
    await reset;
    await context.close();
  });

  it('keep columns and order in the address, for whom it is sent to, and remember them for the person', async () => {
    const { page, context } = await opened('/?tab=services&sort=-name&hide=type');
    const names = () => table(page).getByRole('link').allInnerTexts();
    expect((await names())[0]).toBe('downy');
    expect(await table(page).getByRole('columnheader', { name: 'Type' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Namespace' }).click();
    await expectAddress(page, 'hide', 'type,namespace');
    await page.keyboard.press('Escape');
    await page.goto(`${session.console.url}/?tab=services`);
    await expect.poll(async () => (await names())[0], patience).toBe('downy');
    expect(await table(page).getByRole('columnheader', { name: 'Namespace' }).count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expectAddress(page, 'sort', '-name');
    await page.getByRole('button', { name: 'Columns' }).first().click();
    await page.getByRole('button', { name: 'Show all columns' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Service', exact: true }).click();
    await expectAddress(page, 'sort', null);
    await context.close();
  });

  it('are one stop of the Tab key, however many rows they have', async () => {
    const many = () => ({
      items: Array.from({ length: 10_000 }, (_, index) => serviceOf(`service-${index}`)),
      ...clusterReading(),
    });
    const { page, context } = await opened('/?tab=services', many);
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("tbody")')).toBeNull();
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement.dataset.key')).toMatch(/service-1$/);
    await page.keyboard.press('Control+a');
    await page.getByText('10,000 rows selected').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(120);
    await context.close();
  });

  it('are free of accessibility faults with rows selected and the copy menu open', async () => {
    const { page, context, complaints } = await opened();
    await page.keyboard.press('j');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Copy as' }).click();
    await page.getByRole('dialog', { name: 'Copy as' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
