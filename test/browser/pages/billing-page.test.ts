import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';

describe.skipIf(chromiumPath === undefined)(`the billing page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession({});
  });
  afterAll(() => session?.close());

  it('shows the subscription and its invoices, and gives a seat away and takes it back (CON-150)', async () => {
    const { page, context, complaints } = await session.open('/?tab=billing');
    const subscription = page.getByRole('table', { name: 'Subscriptions' });
    await subscription.getByText('Team').waitFor();
    await subscription.getByText('Active').waitFor();
    await page.getByRole('table', { name: 'Invoices' }).getByText('NG-0003').waitFor();
    await page.getByText('0 of 5 seats taken, 5 free').waitFor();
    await page.getByLabel('Give a seat to').fill('Grace@Northgate.example');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Seat holders' }).getByText('grace@northgate.example').waitFor();
    await page.getByText('1 of 5 seats taken, 4 free').waitFor();
    await page.getByRole('button', { name: 'Take the seat of grace@northgate.example back' }).click();
    await page.getByText('0 of 5 seats taken, 5 free').waitFor();
    await expectSound(page, complaints);
    await context.close();
  });

  it('sells a plan: quote, the page of the payment provider, and the subscription it leads to (CON-149)', async () => {
    const { page, context, complaints } = await session.open('/?tab=billing');
    await page.getByRole('radio', { name: /^Business/ }).check();
    await page.getByText('€245.00').waitFor();
    await page.getByRole('button', { name: 'Prepare checkout' }).click();
    const pay = page.getByRole('link', { name: 'Pay €245.00 at the payment provider' });
    const [provider] = await Promise.all([context.waitForEvent('page'), pay.click()]);
    await provider.getByRole('button', { name: 'Pay with the test card' }).click();
    await provider.waitForURL(/checkout=done/);
    // The provider's events and nothing else bring it here.
    await page.getByRole('table', { name: 'Subscriptions' }).getByText('Business').waitFor();
    await expect.poll(() => page.getByText('an order that is not paid').count(), { timeout: 15_000 }).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('signs somebody up without a session (CON-148)', async () => {
    const { page, context, complaints } = await session.open('/?tab=signUp', { signedIn: false });
    await page.getByLabel('Email').fill('buyer@northgate.example');
    await page.getByRole('textbox', { name: 'Seats' }).fill('3');
    await page.getByText('€87.00').waitFor();
    await expectSound(page, complaints);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('link', { name: 'Pay €87.00 at the payment provider' }).click();
    await page.getByRole('button', { name: 'Pay with the test card' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
