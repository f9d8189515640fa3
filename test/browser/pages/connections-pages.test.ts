import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession, type Tab } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { goWithin } from '../../support/go-within.ts';
import { expectSound } from '../../support/sound-page.ts';
import { answerRoute } from '../answers/answer-route.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** A secret that must not be seen anywhere after it was given. */
const password = 'canary-9f2c41';

describe.skipIf(chromiumPath === undefined)(`connections (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  let tab: Tab;
  beforeAll(async () => {
    // Without the sandbox, which has connections of its own.
    session = await startBrowserSession({ CONSOLE_STORE_KEY: randomBytes(32).toString('base64') }, false);
    tab = await session.open('/?tab=connections');
    tab.page.setDefaultTimeout(10_000);
  });
  afterAll(() => session?.close());

  it('are added in steps, with what is wrong said by field, and tested', async () => {
    const { page } = tab;
    await page.getByText('No connections yet').waitFor();
    await button(page, 'Add connection').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^PostgreSQL/ }).click();
    await dialog.getByLabel('Port').fill('99999');
    await button(page, 'Add').click();
    await dialog.getByText('A connection needs a name.').waitFor();
    await dialog.getByText('Must be a port from 1 to 65535.').waitFor();
    expect(await dialog.getByText('This is required.').count()).toBe(3);
    await expectSound(page, tab.complaints);
    for (const [label, value] of [
      ['Name', 'orders'],
      ['Tenant', 'aspen'],
      ['Host', 'not a host'],
      ['Port', '5433'],
      ['Database', 'orders'],
      ['User', 'console'],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(page, 'Add').click();
    // Only the console knows every rule of a host: its refusal stands at the field.
    await dialog.getByText('The setting "host" must be a host name or address.').waitFor();
    await dialog.getByLabel('Host').fill('db.nowhere.invalid');
    await button(page, 'Add').click();
    await button(page, 'Test now').click();
    await dialog.getByText('DNS failed').first().waitFor();
    await dialog.getByText(/does not resolve/).waitFor();
    expect(await dialog.getByText('Not reached.').count()).toBe(4);
    await button(page, 'Done').click();
  });

  it('show which step failed and which credentials are set, are changed and deleted by name', async () => {
    const { page } = tab;
    const row = page.getByRole('table', { name: 'Connections' }).getByRole('row').nth(1);
    expect(await row.innerText()).toMatch(/orders[\s\S]*DNS failed/);
    const drawer = page.getByRole('complementary', { name: 'Connection orders' });
    await drawer.getByRole('region', { name: 'Credentials' }).getByText('Set', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(password);
    await expectSound(page, tab.complaints);

    await button(page, 'Edit').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Host').fill('169.254.169.254');
    await button(page, 'Save').click();
    // A credential is not sent to another endpoint than it was given for.
    await dialog.getByText(/kept credentials of orders are not moved/).waitFor();
    await dialog.getByRole('button', { name: 'Replace Password' }).click();
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password);
    await button(page, 'Save').click();
    await drawer.getByText('The connection was changed after this test.').waitFor();
    await drawer.getByRole('button', { name: 'Test' }).click();
    await drawer.getByText('Address refused').first().waitFor();

    await drawer.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete orders?' }).waitFor();
    await button(page, 'Delete orders').click();
    await page.getByText('No connections yet').waitFor();
    expect(tab.complaints).toEqual([]);
  });

  it('say which list names who may change them, to whoever is not on it', async () => {
    const other = await session.blank();
    await answerRoute(other.page, 'access.list', () => ({
      items: [
        {
          name: 'CONSOLE_CONNECTION_ADMINS',
          guards: 'Changing connections and runners.',
          configured: true,
          size: 1,
          member: false,
          rule_when_unset: 'everyone admitted' as const,
        },
      ],
    }));
    await other.page.goto(`${session.console.url}/?tab=connections`);
    await other.page.getByText('CONSOLE_CONNECTION_ADMINS').waitFor();
    expect(await button(other.page, 'Add connection').count()).toBe(0);
    await other.context.close();
  });

  it('are reached through runners: enrolled with a ticket shown once, given a listener, and revoked', async () => {
    const { page } = tab;
    const made = await page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch('/api/connections', { method: 'POST', headers, body })).status;
      },
      JSON.stringify({
        name: 'lake',
        type: 'http',
        tenant: 'aspen',
        settings: { url: 'https://lake.nowhere.invalid' },
      }),
    );
    expect(made).toBe(200);
    await goWithin(page, '/?tab=runners');
    await button(page, 'Enrol runner').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('edge-1');
    await dialog.getByLabel('Labels').fill('region');
    await button(page, 'Enrol').click();
    await dialog.getByText('Each label is written as name=value.').waitFor();
    await dialog.getByLabel('Labels').fill('region=eu');
    await button(page, 'Enrol').click();
    const command = await dialog.getByText(/operator-console runner/).innerText();
    const id = /--id (\S+)/.exec(command)?.[1] ?? '';
    const secret = await dialog.getByText(/^ticket_/).innerText();
    await expectSound(page, tab.complaints);
    await button(page, 'Done').click();
    expect(await page.content()).not.toContain(secret);

    const redeemed = await fetch(`${session.console.url}/api/runners/${id}/connect`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret, version: '1.0' }),
    });
    expect(redeemed.status).toBe(200);
    await page.getByRole('link', { name: 'edge-1' }).click();
    const drawer = page.getByRole('complementary', { name: 'Runner edge-1' });
    await drawer.getByRole('button', { name: 'Add listener' }).click();
    await dialog.getByLabel('Name').fill('lake-port');
    await dialog.getByLabel('Port').fill('80');
    await button(page, 'Add').click();
    await dialog.getByText('Must be a port from 1024 to 65535.').waitFor();
    await dialog.getByLabel('Port').fill('15432');
    await button(page, 'Add').click();
    await drawer.getByText('lake-port: port 15432 to lake').waitFor();
    await drawer.getByText('Connected', { exact: true }).waitFor();
    await expectSound(page, tab.complaints);

    await drawer.getByRole('button', { name: 'Revoke', exact: true }).click();
    await dialog.getByText(/its 1 listener/).waitFor();
    await button(page, 'Revoke edge-1').click();
    await drawer.getByText('Revoked', { exact: true }).first().waitFor();
    expect(await drawer.getByRole('button', { name: 'New ticket' }).count()).toBe(0);
    expect(tab.complaints).toEqual([]);
  });
});
