import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningConsole, startConsole } from '../../../src-main/start/start-console.ts';
import { chromiumPath, launchChromium, noChromium } from '../../support/chromium.ts';
import { axeViolations } from '../../support/sound-page.ts';
import { putBuild } from '../../support/web-builds.ts';

describe.skipIf(chromiumPath === undefined)(
  `a window whose console goes, or comes back another (${chromiumPath ?? noChromium})`,
  () => {
    let browser: Browser;
    let folder: string;
    let running: RunningConsole;
    let port = '0';

    const start = async (): Promise<void> => {
      running = await startConsole({
        env: {
          CONSOLE_LOG_LEVEL: 'silent',
          CONSOLE_KEYCHAIN: 'off',
          CONSOLE_SESSION_ADMINS: 'operator@console.localhost',
          CONSOLE_DATA_DIR: join(folder, 'data'),
          CONSOLE_WEB_DIR: join(folder, 'web'),
          CONSOLE_LISTEN: `127.0.0.1:${port}`,
        },
        sandbox: false,
      });
      port = new URL(running.url).port;
    };
    const opened = async (address: string): Promise<Page> => {
      const page = await browser.newPage();
      const link = new URL((await running.signInLink()) ?? '');
      await page.goto(`${running.url}${link.pathname}${link.search}`);
      await page.goto(`${running.url}${address}`);
      await heading(page, 'Overview').waitFor();
      // Gone with a reload.
      await page.evaluate("globalThis.kept = 'kept'");
      return page;
    };
    const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
    const kept = (page: Page) => page.evaluate('globalThis.kept');
    const rail = (page: Page, name: string) =>
      page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name });

    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(() => browser?.close());
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'never-white-'));
      port = '0';
      putBuild(join(folder, 'web'), 'first');
      await start();
    });
    afterEach(async () => {
      for (const context of browser.contexts()) await context.close();
      await running.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('says which page it cannot load while the console is away, and loads it once it is back', async () => {
      const page = await opened('/?tab=overview');
      await running.close();
      await rail(page, 'Runs').click();
      await page.getByRole('heading', { name: 'This page was not loaded' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await rail(page, 'Overview').isVisible()).toBe(true);
      await start();
      await heading(page, 'Runs').waitFor();
      expect(await kept(page)).toBe('kept');
    });

    it('opens search while the console is away, although it was never opened before', async () => {
      const page = await opened('/?tab=overview');
      // Search and the list of keys are loaded ahead of need, in one file.
      const loaded =
        "performance.getEntriesByType('resource').filter(({ name }) => /palette-.*js$/.test(name)).length";
      await expect.poll(() => page.evaluate(loaded), { timeout: 10_000 }).toBe(1);
      await page.waitForTimeout(500);
      await running.close();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('settings');
      await page
        .getByRole('option', { name: /Settings/ })
        .first()
        .waitFor();
    });

    it('gives what is typed before search is loaded to search, and to no command of the page', async () => {
      const page = await browser.newPage();
      let send = () => {};
      const asked = new Promise<void>((resolve) => {
        send = resolve;
      });
      await page.route('**/assets/palette-*', async (route) => {
        await asked;
        await route.continue();
      });
      const link = new URL((await running.signInLink()) ?? '');
      await page.goto(`${running.url}${link.pathname}${link.search}`);
      await heading(page, 'Overview').waitFor();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('grafana');
      send();
      await page.getByRole('combobox').waitFor();
      expect(await page.getByRole('combobox').inputValue()).toBe('grafana');
      expect(await heading(page, 'Overview').count()).toBe(1);
    });

    it('reloads once at its address for a page of a build that is gone', async () => {
      const page = await opened('/?tab=overview');
      await running.close();
      putBuild(join(folder, 'web'), 'next');
      await start();
      await rail(page, 'Runs').click();
      await heading(page, 'Runs').waitFor();
      await expect.poll(() => kept(page).catch(() => 'reloading')).toBeUndefined();
      await heading(page, 'Runs').waitFor();
      expect(new URL(page.url()).searchParams.get('tab')).toBe('runs');
    });

    it('says that the console was updated, and reloads by itself when nobody looks', async () => {
      const page = await opened('/?tab=overview');
      await running.close();
      await page.getByText('The console does not answer.').waitFor({ timeout: 45_000 });
      putBuild(join(folder, 'web'), 'next');
      await start();
      await page.getByText('The console was updated.').waitFor();
      expect(await kept(page)).toBe('kept');
      await page.evaluate("Object.defineProperty(document, 'hidden', { value: true })");
      await expect.poll(() => kept(page).catch(() => 'reloading'), { timeout: 15_000 }).toBeUndefined();
      await heading(page, 'Overview').waitFor();
      expect(await page.getByText('The console was updated.').count()).toBe(0);
    });

    it('shows a fault of one page in its place, goes on elsewhere, and copies what to report', async () => {
      const page = await opened('/?tab=overview');
      await page.evaluate("Number.prototype.toLocaleString = () => { throw new Error('planted') }");
      await rail(page, 'Audit').click();
      await page.getByRole('heading', { name: 'This page failed' }).waitFor();
      await page.getByText('Error: planted').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy details' }).click();
      await page.locator('#root').getByText('Copied').waitFor();
      const report = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(report).toContain('Address: /?tab=audit');
      expect(report).toContain('planted');
      await rail(page, 'Access').click();
      await heading(page, 'Access').waitFor();
    });

    it('tells of an error that nothing in the window took', async () => {
      const page = await opened('/?tab=overview');
      await page.evaluate("setTimeout(() => { throw new Error('planted') })");
      await page.evaluate("void Promise.reject(new Error('planted, too'))");
      const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong in the window.' });
      await alert.getByRole('button', { name: 'Close' }).click();
      expect(await alert.count()).toBe(0);
    });
  },
);
