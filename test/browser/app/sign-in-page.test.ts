import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { axeViolations, expectSound } from '../../support/sound-page.ts';

describe.skipIf(chromiumPath === undefined)(`signing in (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession({
      CONSOLE_ADMIN_PASSWORD: 'correct horse',
      CONSOLE_ADMIN_EMAIL: 'mira@northgate.example',
    });
  });
  afterAll(() => session?.close());

  it('by name and password, with a refusal told in words, lands where the person wanted to go', async () => {
    const { page, context } = await session.open('/?tab=settings', { signedIn: false });
    await page.getByLabel('Email').fill('mira@northgate.example');
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'is wrong' }).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await session.open('/', { signedIn: false });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });

  it('says that a used link no longer works', async () => {
    const { page, context } = await session.open('/auth/link?token=used', { signedIn: false });
    await page.getByText('That sign-in link no longer works.').waitFor();
    await context.close();
  });

  it('keeps appearance in the profile: another browser of the same person sees it', async () => {
    const one = await session.open('/?tab=settings');
    await one.page.getByText('Dark', { exact: true }).first().click();
    await expect.poll(() => one.page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    await one.context.close();
    const two = await session.open('/?tab=settings');
    await two.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await expect.poll(() => two.page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await axeViolations(two.page)).toEqual([]);
    expect(two.complaints).toEqual([]);
    await two.context.close();
  });

  it('ends at sign-out, and the sign-in page stands where the person was', async () => {
    const { page, context } = await session.open('/?tab=settings');
    await page.getByRole('button', { name: /Signed in as/ }).click();
    await page.getByRole('menuitem', { name: /Sign out$/ }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await context.close();
  });
});
