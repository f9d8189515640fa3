import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

const operator = 'operator@console.localhost';
const keys = '/?tab=settings&section=keys';
const configuration = '/?tab=settings&section=configuration';

describe.skipIf(chromiumPath === undefined)(`keys in the settings (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession(
      {
        CONSOLE_SESSION_ADMINS: operator,
        CONSOLE_STORE_KEY: randomBytes(32).toString('base64'),
        CONSOLE_KEYCHAIN: 'off',
        CONSOLE_ADMIN_PASSWORD: 'correct horse',
      },
      false,
    );
  });
  afterAll(() => session?.close());

  const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

  it('takes a secret hidden, keeps it, and never shows it or gets it back', async () => {
    const secret = `sk_test_${randomBytes(12).toString('hex')}`;
    const { page, context, complaints } = await session.open(keys);
    const answers: string[] = [];
    page.on('response', (response) => {
      response.text().then(
        (text) => answers.push(text),
        () => undefined,
      );
    });
    await row(page, 'STRIPE_SECRET_KEY').getByText('Not set').waitFor();
    await page.getByRole('button', { name: 'Set Stripe secret key' }).click();
    const field = page.getByLabel('The secret, pasted in full');
    await field.fill(secret);
    const look = `getComputedStyle(document.querySelector('textarea')).getPropertyValue('-webkit-text-security')`;
    expect(await page.evaluate(look)).toBe('disc');
    await page.getByRole('button', { name: 'Save and apply now' }).click();
    await row(page, 'STRIPE_SECRET_KEY').getByText('Set, from the store, sealed').waitFor();
    await page.getByRole('button', { name: 'Replace Stripe secret key' }).click();
    expect(await field.inputValue()).toBe('');
    await page.keyboard.press('Escape');
    expect(await page.content()).not.toContain(secret);
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.join('\n')).not.toContain(secret);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('generates the studio’s key after asking, and says how to hand it over without showing it', async () => {
    const { page, context } = await session.open(keys);
    await page.getByRole('button', { name: 'Generate Studio identity key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Generate' }).click();
    await row(page, 'CONSOLE_STUDIO_IDENTITY_KEY').getByText('Set, from the store, sealed').waitFor();
    await page.getByText('The studio needs the same key now').waitFor();
    await page.getByText(/operator-console keys secret CONSOLE_STUDIO_IDENTITY_KEY --namespace/).waitFor();
    await page.getByText('operator-console keys show CONSOLE_STUDIO_IDENTITY_KEY').waitFor();
    await context.close();
  });

  it('deletes a key only after it was asked', async () => {
    const { page, context } = await session.open(keys);
    await page.getByRole('button', { name: 'Set Text-to-speech token' }).click();
    await page.getByLabel('The secret, pasted in full').fill('speech-key-for-the-test');
    await page.getByRole('button', { name: 'Save and apply now' }).click();
    await page.getByRole('button', { name: 'Delete Text-to-speech token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await row(page, 'TTSD_API_KEY').getByText('Set, from').waitFor();
    await page.getByRole('button', { name: 'Delete Text-to-speech token' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row(page, 'TTSD_API_KEY').getByText('Not set').waitFor();
    await context.close();
  });

  it('explains a key that the environment holds, and offers no way to change it', async () => {
    const { page, context } = await session.open(keys);
    await row(page, 'CONSOLE_ADMIN_PASSWORD').getByText('Set, from the environment').waitFor();
    await row(page, 'CONSOLE_ADMIN_PASSWORD').getByText('change it there').waitFor();
    expect(await page.getByRole('button', { name: /Operator password/ }).count()).toBe(0);
    await context.close();
  });

  it('refuses a value that is no such key, in words, and keeps the dialog', async () => {
    const { page, context } = await session.open(keys);
    await page.getByRole('button', { name: 'Replace Studio identity key' }).click();
    await page.getByLabel('The secret, pasted in full').fill('short');
    await page.getByRole('button', { name: 'Save and apply now' }).click();
    await page.getByRole('alert').filter({ hasText: 'The key was not saved.' }).waitFor();
    await context.close();
  });

  it('keeps a changed setting for the next start, says so, and takes it back', async () => {
    const { page, context, complaints } = await session.open(configuration);
    const setting = row(page, 'CONSOLE_SESSION_HOURS');
    await page.getByRole('button', { name: 'Edit Longest session' }).click();
    await page.getByLabel('Value (hours)').fill('8');
    await page.getByRole('button', { name: 'Save for the next start' }).click();
    await setting.getByText('from the next start').waitFor();
    await page.getByText('1 change waits for the next start.').waitFor();
    await page.getByRole('button', { name: 'Edit Longest session' }).click();
    await page.getByRole('button', { name: 'Reset to default' }).click();
    await expect.poll(() => setting.getByText('from the next start').count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type('longest life');
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says what is wrong with a value that a start would refuse', async () => {
    const { page, context } = await session.open(configuration);
    await page.getByRole('button', { name: 'Edit Longest session' }).click();
    await page.getByLabel('Value (hours)').fill('soon');
    await page.getByRole('button', { name: 'Save for the next start' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Nothing was changed.*CONSOLE_SESSION_HOURS/ })
      .waitFor();
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    for (const address of [keys, configuration]) {
      const { page, context, complaints } = await session.open(address);
      await page.getByRole('main').getByRole('listitem').first().waitFor();
      await expectSound(page, complaints);
      await context.close();
    }
  });
});

describe.skipIf(chromiumPath === undefined)(
  `settings of a console that keeps no secrets (${chromiumPath ?? noChromium})`,
  () => {
    let session: BrowserSession;
    beforeAll(async () => {
      session = await startBrowserSession(
        { CONSOLE_SESSION_ADMINS: 'lena@northgate.example', CONSOLE_KEYCHAIN: 'off' },
        false,
      );
    });
    afterAll(() => session?.close());

    it('says where the store’s key lies and what to set', async () => {
      const { page, context } = await session.open(keys);
      await page.getByText('The store’s key is not well protected.').waitFor();
      await page.getByText('Switched off').waitFor();
      await page
        .getByText(/This console cannot store secrets/)
        .first()
        .waitFor();
      await context.close();
    });

    it('offers nothing to change to who is not on the list, and says which list that is', async () => {
      const { page, context } = await session.open(configuration);
      await page.getByText('Changing settings requires membership of').waitFor();
      expect(await page.getByRole('button', { name: /^Edit/ }).count()).toBe(0);
      await context.close();
    });
  },
);
