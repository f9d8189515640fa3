import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Environment } from '../../src-main/config/index.ts';
import { type RunningConsole, startConsole } from '../../src-main/start/start-console.ts';
import { browserProfiles } from './browser-profiles.ts';
import { launchChromium } from './chromium.ts';
import { repoRoot } from './repo-root.ts';

const shots = join(repoRoot, 'test/screenshots');

export type Look = {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Start signed in, through a one-time link; on by default. */
  readonly signedIn?: boolean;
};

export type BrowserSession = {
  readonly console: RunningConsole;
  /** A page in an empty browser profile on the console, and everything it complained about. */
  open(address: string, look?: Look): Promise<Tab>;
  /** The same with a page that has loaded nothing yet, for a test that first says what a route answers. */
  blank(look?: Look): Promise<Tab>;
  close(): Promise<void>;
};

export type Tab = { readonly page: Page; readonly context: BrowserContext; readonly complaints: string[] };

/** A real console on the sandbox platform with the built web app, and a real Chromium on it. */
export async function startBrowserSession(env: Environment = {}, sandbox = true): Promise<BrowserSession> {
  const folder = mkdtempSync(join(tmpdir(), 'browser-'));
  const running = await startConsole({
    env: { CONSOLE_LOG_LEVEL: 'warn', CONSOLE_DATA_DIR: folder, ...env },
    sandbox,
  });
  const browser: Browser = await launchChromium();
  const profiles = browserProfiles(browser, running.url);
  const blank: BrowserSession['blank'] = async (look = {}) => {
    const { theme = 'light', width = 1280, height = 800, signedIn = true } = look;
    const context = await profiles.lend();
    const page = await context.newPage();
    await page.emulateMedia({ colorScheme: theme });
    if (width !== 1280 || height !== 800) await page.setViewportSize({ width, height });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    if (signedIn) {
      const link = new URL((await running.signInLink()) ?? '');
      // Without a page: the one it leads to would be loaded and read for nothing.
      await context.request.get(`${running.url}${link.pathname}${link.search}`, { maxRedirects: 0 });
    }
    return { page, context, complaints };
  };
  return {
    console: running,
    blank,
    async open(address, look) {
      const tab = await blank(look);
      await tab.page.goto(`${running.url}${address}`);
      return tab;
    },
    async close() {
      await browser.close();
      await running.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Saves a picture into the git-ignored folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`) });
}
