import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { axeViolations, expectSound } from '../../support/sound-page.ts';
import { answerRoute } from '../answers/answer-route.ts';
import { attachment } from '../answers/delivery-answers.ts';
import { devexAnswer } from '../answers/devex-answers.ts';

describe.skipIf(chromiumPath === undefined)(`the DevEx page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = async (
    address: string,
    covered: number,
    look: Parameters<BrowserSession['open']>[1] = {},
  ) => {
    const asked: string[] = [];
    const tab = await session.blank(look);
    await answerRoute(tab.page, 'delivery.devex', (query) => {
      const days = Number(query.get('days'));
      asked.push(`${days} ${query.get('repo') ?? 'all'}`);
      return devexAnswer({ days, covered: Math.min(days, covered) });
    });
    await tab.page.goto(`${session.console.url}${address}`);
    return { ...tab, asked };
  };

  it('shows the indicators of the sandbox and draws its days', async () => {
    const { page, context, complaints } = await session.open('/?tab=devex');
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Deploy frequency' })
      .getByText(/^from \d+ deliveries/)
      .waitFor();
    await page.getByRole('img', { name: /^Deliveries a day over 28 days/ }).waitFor();
    await expect.poll(() => page.locator('.recharts-bar-rectangle path').count()).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says of an indicator with too few observations how many are missing, and of each what it is', async () => {
    const { page, context } = await opened('/?tab=devex', 28);
    const restore = page.getByRole('listitem').filter({ hasText: 'Time to restore' });
    await restore.getByText('1 more needed').waitFor();
    await restore.getByText('4 of 5 restored failures').waitFor();
    await page.getByRole('button', { name: /^What lead time is/ }).focus();
    await page
      .getByRole('tooltip')
      .getByText(/^From the time of a commit to the end/)
      .waitFor();
    await context.close();
  });

  it('hatches the days before the series, and says in the table that they are none of it', async () => {
    for (const days of ['28', '90']) {
      const { page, context } = await opened(`/?tab=devex&days=${days}`, 20);
      await page
        .getByText(/before the series, not a zero/)
        .first()
        .waitFor();
      await expect.poll(() => page.locator('.recharts-reference-area path').count()).toBe(2);
      await page.getByText('Table', { exact: true }).click();
      const rows = page.getByRole('table', { name: 'Deliveries by day' }).getByRole('row');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(Number(days) + 1);
      expect(await rows.filter({ hasText: 'before the series' }).count()).toBe(Number(days) - 20);
      await expect.poll(() => new URL(page.url()).searchParams.get('section')).toBe('table');
      await context.close();
    }
  });

  it('asks for another window and one repository, and keeps them in the address', async () => {
    const { page, context, asked } = await opened('/?tab=devex', 90);
    await page.getByText('90 days', { exact: true }).click();
    await page.getByText('The last 90 days, all repositories').waitFor();
    await page.getByRole('button', { name: /^Repository/ }).click();
    await page.getByRole('button', { name: 'quay' }).click();
    await page.getByText('The last 90 days, quay').waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('days'), searchParams.get('repo')]).toEqual(['90', 'quay']);
    await expect.poll(() => asked.at(-1)).toBe('90 quay');
    await context.close();
  });

  it('exports the days as CSV, one line each', async () => {
    const { page, context } = await opened('/?tab=devex&days=7', 7);
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^CSV/ }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines[0]).toBe('day,deploys,failed_deploys,runs,failed_runs,lead_time_seconds');
    expect(lines).toHaveLength(8);
    await context.close();
  });

  it('says of an empty series what will fill it', async () => {
    const { page, context } = await opened('/?tab=devex', 0);
    await page.getByText('The series is empty').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  it('says of an empty series without a code host that none is attached', async () => {
    const { page, context } = await session.blank();
    await answerRoute(page, 'delivery.devex', () => devexAnswer({ days: 28, covered: 0 }));
    await answerRoute(page, 'codeHost.read', () => attachment(false));
    await page.goto(`${session.console.url}/?tab=devex`);
    const link = page.getByRole('link', { name: 'Attach the code host' });
    expect(await link.getAttribute('href')).toBe('/?tab=settings&section=codeHost&target=sandbox');
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened('/?tab=devex', 20);
    await page.getByRole('img', { name: /^Median lead time/ }).waitFor();
    await expect.poll(() => page.locator('.recharts-line-dot').count()).toBeGreaterThan(3);
    await expectSound(page, complaints);
    await context.close();
  });
});
