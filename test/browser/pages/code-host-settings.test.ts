import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { repository, startCodeHost, type TestCodeHost, world } from '../../support/code-host.ts';
import { axeViolations } from '../../support/sound-page.ts';

const address = '/?tab=settings&section=codeHost';

describe.skipIf(chromiumPath === undefined)(
  `the code host in the settings (${chromiumPath ?? noChromium})`,
  () => {
    let session: BrowserSession;
    let host: TestCodeHost;
    beforeAll(async () => {
      host = await startCodeHost({
        world: world([repository({ name: 'harbour', topics: ['studio-app'] })]),
        quota: 4000,
      });
      session = await startBrowserSession(
        {
          CONSOLE_SESSION_ADMINS: 'operator@console.localhost',
          CONSOLE_STORE_KEY: randomBytes(32).toString('base64'),
          CONSOLE_KEYCHAIN: 'off',
        },
        false,
      );
    });
    afterAll(async () => {
      await session?.close();
      await host?.close();
    });

    it('attaches by an App and its key, and tells why when the code host does not accept them', async () => {
      const { page, context, complaints } = await session.open(address);
      await page.getByText('Not attached').waitFor();
      await page.getByRole('button', { name: 'Attach an App' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('App', { exact: true }).fill('999');
      await dialog.getByLabel('Address of the REST API').fill(host.sandbox.url);
      await dialog.getByLabel(/^Private key/).fill(host.sandbox.privateKey);
      await dialog.getByRole('button', { name: 'Test and attach' }).click();
      await dialog.getByText('Not attached.').waitFor();
      await dialog.getByText(/^.*Nothing was changed: /).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByLabel('App', { exact: true }).fill(host.sandbox.appId);
      await dialog.getByRole('button', { name: 'Test and attach' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('northgate every repository').waitFor();
      // The refused try is the browser's own line about the 422 it met.
      expect(complaints.filter((line) => !line.includes('422'))).toEqual([]);
      expect(await page.content()).not.toContain('PRIVATE KEY');
      await context.close();
    });

    it('shows what is left of the quota and what of it is reserved for the agents', async () => {
      const { page, context } = await session.open(address);
      await page
        .getByText(/of 4,000 requests left this hour: .* 1,000 reserved for the agent fleet/)
        .waitFor();
      host.sandbox.setQuota(900);
      // The next read of what is not kept yet tells the console.
      await page.goto(`${session.console.url}/api/agent-runs?repo=harbour`);
      await page.goto(`${session.console.url}${address}`);
      await page.getByText(/all reserved for the agent fleet/).waitFor();
      await page.getByText('Attached, remaining quota reserved for agents').waitFor();
      await context.close();
    });

    it('names permissions that are missing and what cannot be read without them', async () => {
      const installation = host.sandbox.world.organisations[0]?.installation;
      if (installation !== undefined) delete installation.permissions.checks;
      const { page, context } = await session.open(address);
      await page.route('**/api/github', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        body.installation.missing = [{ permission: 'checks', without: 'findings of reviews' }];
        await route.fulfill({ json: body });
      });
      await page.reload();
      await page.getByText('findings of reviews cannot be read').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await context.close();
    });

    it('says what the console is told when the code host does not answer as it should', async () => {
      const { page, context } = await session.open(address);
      await page.route('**/api/github', async (route) => {
        const answer = await route.fetch();
        const { app: _app, installation: _installation, ...body } = await answer.json();
        await route.fulfill({
          json: {
            ...body,
            source: 'unavailable',
            complete: false,
            unmeasured: ["The code host was not read: the App's installation is suspended."],
          },
        });
      });
      await page.reload();
      await page.getByText("The code host was not read: the App's installation is suspended.").waitFor();
      await page.getByRole('button', { name: 'Change' }).waitFor();
      await context.close();
    });

    it('creates an App with what the console reads, and has it when the code host leads back', async () => {
      const own = await startBrowserSession(
        {
          CONSOLE_SESSION_ADMINS: 'operator@console.localhost',
          CONSOLE_STORE_KEY: randomBytes(32).toString('base64'),
          CONSOLE_KEYCHAIN: 'off',
          CONSOLE_GITHUB_API_URL: host.sandbox.url,
        },
        false,
      );
      try {
        const { page, complaints } = await own.open(address);
        await page.getByRole('button', { name: 'Create an App' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Organisation').fill('northgate');
        await dialog.getByRole('button', { name: 'Continue' }).click();
        const go = dialog.getByRole('button', { name: /^Go to 127/ });
        await go.waitFor();
        expect(await axeViolations(page)).toEqual([]);
        await go.click();
        await page.getByRole('link', { name: /^Create GitHub App/ }).click();
        await page.getByText(/^The App .* was created, and its key is kept\.$/).waitFor();
        await page.getByText('northgate every repository').waitFor();
        // A reload, or a link that is copied from here, takes nothing again.
        expect(new URL(page.url()).searchParams.has('code')).toBe(false);
        expect(complaints).toEqual([]);
        await page.screenshot({ path: process.env.SHOT ?? '/dev/null', type: 'png' });
      } finally {
        await own.close();
      }
    });
  },
);
