import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axeViolations,
  type BrowserSession,
  screenshot,
  startBrowserSession,
} from '../support/browser-session.ts';
import { chromiumPath, noChromium } from '../support/chromium.ts';
import { answerLogs, answerPlatform } from './platform-answers.ts';

const place = '/?tab=logs&namespace=cockpit&name=cockpit-api-7c9d-2kx4m';

describe.skipIf(chromiumPath === undefined)(`the logs page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = async (
    address: string,
    { lines = 300, look = {} }: { lines?: number; look?: Parameters<BrowserSession['open']>[1] } = {},
  ) => {
    const tab = await session.open('/?tab=settings', look);
    await answerPlatform(tab.page);
    await answerLogs(tab.page, lines);
    const asked: string[] = [];
    tab.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.endsWith('/logs')) asked.push(`${pathname}${search}`);
    });
    await tab.page.goto(`${session.console.url}${address}`);
    return { ...tab, asked };
  };

  it('begins in the namespace where something fails, and opens a pod by key', async () => {
    const { page, context, asked } = await opened('/?tab=logs');
    await page.getByText('Choose a pod to read its log').waitFor();
    expect(asked).toEqual([]);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'cockpit-api-7c9d-2kx4m' }).waitFor();
    await page.getByRole('status').filter({ hasText: '300 lines' }).waitFor();
    expect(asked).toEqual(['/api/pods/cockpit/cockpit-api-7c9d-2kx4m/logs?follow=true']);
    await context.close();
  });

  it('reads one container, or the run before the restart, by the address', async () => {
    const { page, context, asked } = await opened(place);
    await page.getByRole('status').filter({ hasText: '300 lines' }).waitFor();
    await page.getByRole('button', { name: /^Container/ }).click();
    await page.getByRole('button', { name: 'migrate' }).click();
    await expect.poll(() => asked.at(-1)).toContain('container=migrate&follow=true');
    await page.getByRole('button', { name: 'Before the restart' }).click();
    await expect.poll(() => asked.at(-1)).toContain('container=migrate&previous=true');
    expect(asked.at(-1)).not.toContain('follow');
    const parts = new URL(page.url()).searchParams;
    expect([parts.get('container'), parts.get('previous')]).toEqual(['migrate', 'true']);
    await context.close();
  });

  it('searches two hundred thousand lines and draws only those near the view', async () => {
    const { page, context } = await opened(place, { lines: 200_000 });
    await page.getByRole('status').filter({ hasText: '200,000 lines' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('request 150007');
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Line 150008', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: /^Line / }).count()).toBeLessThan(200);
    await context.close();
  });

  it('says why there is no log, in the words of the cluster', async () => {
    const { page, context } = await opened('/?tab=settings');
    await page.route(/\/logs\?/, (request) =>
      request.fulfill({
        status: 404,
        json: { error: 'previous terminated container "api" in pod "cockpit-api-7c9d-2kx4m" not found' },
      }),
    );
    await page.goto(`${session.console.url}${place}&previous=true`);
    await page.getByText('There is no log from before the last restart').waitFor();
    await page.getByText('previous terminated container "api"', { exact: false }).waitFor();
    await context.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`is free of accessibility faults and console errors, ${theme}`, async () => {
      const { page, context, complaints } = await opened(place, { look: { theme } });
      await page.getByRole('status').filter({ hasText: '300 lines' }).waitFor();
      await screenshot(page, `pod-logs-${theme}-1280x800`);
      expect(await axeViolations(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    });
  }
});
