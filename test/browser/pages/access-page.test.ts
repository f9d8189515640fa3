import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

const operator = 'operator@console.localhost';
const mira = 'mira@northgate.example';

describe.skipIf(chromiumPath === undefined)(`the access page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession(
      { CONSOLE_AGENT_ADMINS: `${mira}, lena@northgate.example`, CONSOLE_ADMIN_PASSWORD: 'correct horse' },
      false,
    );
  });
  afterAll(() => session?.close());

  it('tells the person their own membership of every list, the size of each, and no names', async () => {
    const { page, context, complaints } = await session.open('/?tab=access');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('CONSOLE_AGENT_ADMINS').getByText('You are not on it').waitFor();
    await row('CONSOLE_AGENT_ADMINS').getByText('2 people, from the environment').waitFor();
    await row('CONSOLE_CONNECTION_ADMINS').getByText('Allowed (list not set)').waitFor();
    await row('CONSOLE_SESSION_ADMINS').getByText('Not allowed (list not set)').waitFor();
    await page.getByText('There are no session admins').waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain(mira);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('has the session admins added and removed, asks before, and keeps the last one', async () => {
    const { page, context, complaints } = await session.open('/', { signedIn: false });
    const own = await session.console.startOperatorSession();
    if (own === undefined) throw new Error('the local operator is off in this console');
    await context.addCookies([{ name: 'console_session', value: own.token, url: session.console.url }]);
    await page.addInitScript('globalThis.operatorConsole = {}');
    await page.goto(`${session.console.url}/?tab=access`);
    await page.getByRole('button', { name: `Make ${operator} the first session admin` }).click();
    const people = page.getByRole('list', { name: 'Session admins' });
    await people.getByText(operator).waitFor();
    expect(await page.getByRole('button', { name: `Remove ${operator}` }).isDisabled()).toBe(true);

    await page.getByLabel('Add a session admin').fill(`  ${mira.toUpperCase()} `);
    await page.keyboard.press('Enter');
    await people.getByText(mira).waitFor();
    await page.getByRole('row').filter({ hasText: 'CONSOLE_SESSION_ADMINS' }).getByText('2 people').waitFor();

    await page.getByRole('button', { name: `Remove ${mira}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await people.getByText(mira).waitFor();
    await page.getByRole('button', { name: `Remove ${mira}` }).click();
    await dialog.getByRole('button', { name: 'Remove from the list' }).click();
    await expect.poll(() => people.getByText(mira).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('shows both lists when somebody else changed them meanwhile, and makes the change on the new one', async () => {
    const { page, context } = await session.open('/', { signedIn: false });
    const own = await session.console.startOperatorSession();
    if (own === undefined) throw new Error('the local operator is off in this console');
    const cookie = `console_session=${own.token}`;
    const put = (admins: string[]) =>
      fetch(`${session.console.url}/api/session-admins`, {
        method: 'PUT',
        headers: { cookie, 'content-type': 'application/json' },
        body: JSON.stringify({ admins }),
      });
    await put([operator]);
    await context.addCookies([{ name: 'console_session', value: own.token, url: session.console.url }]);
    await page.addInitScript('globalThis.operatorConsole = {}');
    await page.goto(`${session.console.url}/?tab=access`);
    const people = page.getByRole('list', { name: 'Session admins' });
    await people.getByText(operator).waitFor();
    await put([operator, 'grace@northgate.example']);
    await page.getByLabel('Add a session admin').fill(mira);
    await page.keyboard.press('Enter');
    const told = page.getByRole('alert').filter({ hasText: 'Somebody else changed the list' });
    await told.getByText(`${operator}, ${mira}`).waitFor();
    await told.getByText(`grace@northgate.example, ${operator}`).waitFor();
    await told.getByRole('button', { name: `Add ${mira} to the list now` }).click();
    await people.getByText(mira).waitFor();
    await people.getByText('grace@northgate.example').waitFor();
    expect(await told.count()).toBe(0);
    await put([operator]);
    await context.close();
  });

  it('says in one sentence each who may do what, with the addresses under it', async () => {
    const { page, context } = await session.open('/?tab=access');
    await page.getByText('A program with the route’s shared token').click();
    await page.getByText('POST /api/agent-health').waitFor();
    await page.getByText('CONSOLE_HEALTH_INGEST_TOKEN').waitFor();
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await session.open('/?tab=access');
    await page.getByRole('list', { name: 'Session admins' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});

describe.skipIf(chromiumPath === undefined)(
  `session admins named by the environment (${chromiumPath ?? noChromium})`,
  () => {
    it('are shown with where to change them, and cannot be changed here', async () => {
      const session = await startBrowserSession({ CONSOLE_SESSION_ADMINS: operator }, false);
      try {
        const { page } = await session.open('/?tab=access');
        await page.getByRole('list', { name: 'Session admins' }).getByText(operator).waitFor();
        await page.getByText('They are set by CONSOLE_SESSION_ADMINS').waitFor();
        expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
        expect(await page.getByLabel('Add a session admin').count()).toBe(0);
      } finally {
        await session.close();
      }
    });
  },
);
