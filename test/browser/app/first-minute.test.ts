import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStudio } from '../../../src-main/backends/studio/index.ts';
import { type BrowserSession, screenshot, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { startTestCluster, type TestCluster } from '../../support/kube-api.ts';
import { type OidcIssuer, startOidcIssuer } from '../../support/oidc-issuer.ts';
import { expectSound } from '../../support/sound-page.ts';

const operator = 'operator@console.localhost';
const mira = 'mira@northgate.example';

describe.skipIf(chromiumPath === undefined)(
  `the first admin of a headless console (${chromiumPath ?? noChromium})`,
  () => {
    let session: BrowserSession;
    beforeAll(async () => {
      session = await startBrowserSession({ CONSOLE_KEYCHAIN: 'off' }, false);
    });
    afterAll(() => session?.close());

    it('is named by whoever holds the sign-in link, on Access, for others and themselves', async () => {
      const { page, context, complaints } = await session.open('/?tab=access');
      await page.getByText('You are the local operator of this console').waitFor();
      await page.getByRole('button', { name: 'Name others' }).click();
      await page.getByLabel('First session admins').fill(`${mira}, ${operator}`);
      await expectSound(page, complaints);
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Session admins' }).getByText(mira).waitFor();
      await page.goto(`${session.console.url}/?tab=settings&section=configuration`);
      await page.getByRole('heading', { name: 'Configuration' }).waitFor();
      expect(await page.getByRole('button', { name: /first session admin/ }).count()).toBe(0);
      await page.goto(`${session.console.url}/?tab=audit`);
      await page.getByRole('row').filter({ hasText: 'session_admins.set' }).waitFor();
      await context.close();
    });
  },
);

describe.skipIf(chromiumPath === undefined)(`the first minute (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startTestCluster([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }]);
    session = await startBrowserSession({ CONSOLE_KEYCHAIN: 'off', CONSOLE_KUBECONFIG: 'none' }, false);
  });
  afterAll(async () => {
    await session?.close();
    await cluster?.close();
  });

  it('leads from the loopback address to the host of the link, whose command names the data folder and copies', async () => {
    const { page, context, complaints } = await session.open('/?tab=nodes', { signedIn: false });
    await page.getByText('To make a new one, run this on this machine').waitFor();
    const address = new URL(page.url());
    expect([address.hostname, address.search]).toEqual(['console.localhost', '?tab=nodes']);
    const command = await page.getByText('sign-in-link --data-dir').innerText();
    expect(command).toMatch(/^npm --prefix \S+ run -s console -- sign-in-link --data-dir \/\S+$/);
    await page.getByRole('button', { name: 'Copy the command' }).waitFor();
    await screenshot(page, 'sign-in-command-light');
    await expectSound(page, complaints);
    await context.close();
  });

  it('begins at three choices, and shows what is not set up in grey with its step', async () => {
    const { page, context, complaints } = await session.open('/');
    await page.getByText('What would you like to look at?').waitFor();
    await page.getByRole('button', { name: 'Start the sandbox' }).waitFor();
    await screenshot(page, 'first-run-light-1280');
    await expectSound(page, complaints);
    await page.goto(`${session.console.url}/?tab=forgeStudio`);
    await page.getByText('No studio is attached yet').waitFor();
    expect(await page.locator('main [data-state="failing"]').count()).toBe(0);
    await page.getByRole('link', { name: 'Set up the studio' }).click();
    await page.getByRole('heading', { name: 'Set-up' }).waitFor();
    await context.close();
  });

  it('attaches a pasted kubeconfig: its contexts first, then tried, then shown, and never its content', async () => {
    const { page, context, complaints } = await session.open('/?tab=overview');
    await page.getByRole('button', { name: 'Add a kubeconfig' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a kubeconfig' });
    await dialog.getByText('Paste', { exact: true }).click();
    await dialog.getByRole('textbox').fill('x: [');
    await dialog.getByRole('button', { name: 'Show its contexts' }).click();
    await dialog.getByText('It cannot be used.').waitFor();
    await dialog.getByRole('textbox').fill(readFileSync(cluster.kubeconfig, 'utf8'));
    await dialog.getByRole('button', { name: 'Show its contexts' }).click();
    await dialog.getByRole('radiogroup', { name: 'Context to try' }).waitFor();
    await screenshot(page, 'first-run-kubeconfig-light');
    await expectSound(
      page,
      complaints.filter((text) => !text.includes('400')),
    );
    await dialog.getByRole('button', { name: 'Try and attach' }).click();
    await page.getByText('Tracked workloads').first().waitFor();
    await page.goto(`${session.console.url}/?tab=namespaces&target=test`);
    await page.getByText('shop').first().waitFor();
    await page.goto(`${session.console.url}/?tab=settings&section=setUp`);
    await page.getByRole('button', { name: 'Detach test' }).click();
    await page.getByText('None added here').waitFor();
    await context.close();
  });

  it('starts the sandbox with one click without a restart, and stops it in the same place', async () => {
    const { page, context } = await session.open('/?tab=overview');
    await page.getByRole('button', { name: 'Start the sandbox' }).click();
    await page.getByText('Tracked workloads').first().waitFor();
    await page.goto(`${session.console.url}/?tab=settings&section=setUp`);
    await page.getByRole('button', { name: 'Stop the sandbox' }).click();
    await page.getByRole('button', { name: 'Start the sandbox' }).waitFor();
    await page.goto(`${session.console.url}/?tab=overview`);
    await page.getByText('What would you like to look at?').waitFor();
    await context.close();
  });
});

describe.skipIf(chromiumPath === undefined)(`the guided steps (${chromiumPath ?? noChromium})`, () => {
  const identityKey = randomBytes(32);
  const key = identityKey.toString('base64');
  let session: BrowserSession;
  let studio: Awaited<ReturnType<typeof startStudio>>;
  let issuer: OidcIssuer;
  beforeAll(async () => {
    studio = await startStudio({
      listen: { host: '127.0.0.1', port: 0 },
      identityKey,
      storeFile: ':memory:',
    });
    issuer = await startOidcIssuer(['the-client']);
    session = await startBrowserSession(
      {
        CONSOLE_KEYCHAIN: 'off',
        CONSOLE_KUBECONFIG: 'none',
        CONSOLE_STORE_KEY: randomBytes(32).toString('base64'),
      },
      false,
    );
  });
  afterAll(async () => {
    await session?.close();
    await studio?.close();
    await issuer?.close();
  });

  it('set up studio and sign-in after the first admin is named, each tested before it is kept', async () => {
    const { page, context, complaints } = await session.open('/?tab=settings&section=setUp');
    await page
      .getByRole('button', { name: `Make ${operator} the first session admin` })
      .first()
      .click();
    const step = (name: string) => page.getByRole('listitem', { name });
    await step('Studio').getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up the studio' });
    await dialog.getByLabel('Address of the studio').fill(studio.url);
    await dialog.getByRole('button', { name: 'Make a new one' }).click();
    await dialog.getByText('Give it to the studio first.').waitFor();
    await dialog.getByRole('button', { name: 'Test and keep' }).click();
    await dialog.getByText('does not accept what was signed').waitFor();
    await screenshot(page, 'set-up-studio-light');
    await dialog.getByRole('textbox', { name: 'Identity key' }).fill(key);
    await dialog.getByRole('button', { name: 'Test only' }).click();
    await dialog.getByText('The studio accepts it.').waitFor();
    await dialog.getByRole('button', { name: 'Test and keep' }).click();
    await step('Studio').getByText('Answers').waitFor();

    await step('Sign-in').getByRole('button', { name: 'Set up' }).click();
    const signIn = page.getByRole('dialog', { name: 'Set up sign-in' });
    await signIn.getByText(`${session.console.url}/auth/callback`).waitFor();
    await signIn.getByLabel('Issuer').fill(issuer.issuer);
    await signIn.getByLabel('Client id').fill('the-client');
    await signIn.getByLabel('Who may sign in').fill(mira);
    await screenshot(page, 'set-up-sign-in-light');
    await signIn.getByRole('button', { name: 'Test and keep' }).click();
    await step('Sign-in').getByText('With a provider').waitFor();
    await screenshot(page, 'set-up-light-1280');
    await expectSound(
      page,
      complaints.filter((text) => !text.includes('422')),
    );
    await context.close();
  });

  it('read well in both themes and in a narrow window', async () => {
    for (const [theme, width] of [
      ['light', 900],
      ['dark', 900],
      ['dark', 1280],
      ['light', 1920],
      ['dark', 1920],
    ] as const) {
      const { page, context } = await session.open('/?tab=settings&section=setUp', { theme, width });
      await page.getByRole('listitem', { name: 'Sandbox' }).waitFor();
      await screenshot(page, `set-up-${theme}-${width}`);
      await page.goto(`${session.console.url}/?tab=overview`);
      await page.getByText('What would you like to look at?').waitFor();
      await screenshot(page, `first-run-${theme}-${width}`);
      const wider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(wider).toBe(false);
      await context.close();
    }
  });
});
