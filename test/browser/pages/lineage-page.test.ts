import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { goWithin } from '../../support/go-within.ts';
import { axeViolations, expectSound } from '../../support/sound-page.ts';
import { type Answer, answerRoute } from '../answers/answer-route.ts';
import { attachment, noReading, wholeReading } from '../answers/delivery-answers.ts';
import { imageOf, reviews, someImages } from '../answers/lineage-answers.ts';

const patience = { timeout: 20_000 };

const sha = '4f1c9ae0'.repeat(5);
const partOf = (page: Page, part: string) => new URL(page.url()).searchParams.get(part);

describe.skipIf(chromiumPath === undefined)(`the lineage page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = async (
    address: string,
    answer: (query: URLSearchParams) => Answer<'delivery.lineage'>,
    look: Parameters<BrowserSession['open']>[1] = {},
  ) => {
    const tab = await session.blank(look);
    await answerRoute(tab.page, 'delivery.lineage', answer);
    await tab.page.goto(`${session.console.url}${address}`);
    return tab;
  };

  it('shows the way of an image of the sandbox, and answers whether its commit shipped', async () => {
    const { page, context, complaints } = await session.open('/?tab=lineage');
    const table = page.getByRole('table', { name: 'Images' });
    await table.getByRole('link', { name: 'harbour-board', exact: true }).click();
    await page.getByRole('region', { name: 'Path of harbour-board' }).waitFor();
    const answer: Answer<'delivery.lineage'> = await page.evaluate(
      `fetch('/api/lineage').then((response) => response.json())`,
    );
    const image = answer.images.find(({ repo }) => repo === 'harbour-board');
    await page.keyboard.press('/');
    await page.keyboard.type(image?.sha.slice(0, 10) ?? '');
    await page.keyboard.press('Enter');
    const box = page.getByRole('region', { name: 'Did this commit ship?' });
    await box.getByText(/of harbour-board shipped: it runs\./).waitFor();
    await page.getByText('the requested commit').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('says of a commit that some workloads run in how many, and draws no line from what was not reached', async () => {
    const { page, context } = await session.open('/?tab=lineage');
    await page.getByRole('table', { name: 'Images' }).waitFor();
    const answer: Answer<'delivery.lineage'> = await page.evaluate(
      `fetch('/api/lineage').then((response) => response.json())`,
    );
    const image = answer.images.find(({ repo }) => repo === 'campaign');
    await goWithin(page, `/?tab=lineage&sha=${image?.sha}`);
    const box = page.getByRole('region', { name: 'Did this commit ship?' });
    await box.getByText('3 of 5', { exact: true }).waitFor();
    await box.getByText(/runs in 3 of 5 workloads; the others run another version\./).waitFor();
    expect(await box.getByText(/shipped/i).count()).toBe(0);
    const path = page.getByRole('region', { name: 'Path of campaign' });
    await path.getByRole('heading', { name: /^Running 3 of 5/ }).waitFor();
    // Two workloads run another version: nothing leads from those to Running.
    expect(
      await path
        .locator('svg:has(path[data-state])')
        .last()
        .locator('path[data-state="not_reached"]')
        .count(),
    ).toBe(2);
    expect(
      await path.locator('svg:has(path[data-state])').last().locator('path[data-state="done"]').count(),
    ).toBe(3);
    await context.close();
  });

  it('says once that no cluster was read, instead of hatching every row', async () => {
    const { page, context } = await opened('/?tab=lineage', someImages);
    await page
      .getByRole('button', { name: 'Rolled out and running not read: no cluster is attached' })
      .waitFor();
    const table = page.getByRole('table', { name: 'Images' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
      'Image',
      'Merged',
      'Agents',
      'Built',
      'Registry',
      'Where it is',
    ]);
    expect(await page.getByText('Partly read.').count()).toBe(0);
    await context.close();
  });

  it('goes through images by j and k, and through the nodes of one by the arrow keys', async () => {
    const { page, context } = await opened(
      '/?tab=lineage&image=registry.example/northgate/cockpit-api',
      someImages,
    );
    const way = (name: string) => page.getByRole('region', { name: `Path of ${name}` });
    await way('cockpit-api').waitFor();
    await page.keyboard.press('j');
    await way('operator-console').waitFor();
    await expect.poll(() => partOf(page, 'image')).toBe('registry.example/northgate/operator-console');
    await page.keyboard.press('k');
    await way('cockpit-api').waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    await way('cockpit-api')
      .getByRole('link', { name: /#640 to main/ })
      .focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(), patience).toContain('Security');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused(), patience).toContain('Quality');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(), patience).toMatch(/Built.*Build 2217.*Failed/);
    expect(await page.evaluate('document.activeElement.href')).toBe(
      'https://code.example/northgate/cockpit-api/actions/runs/2217',
    );
    await context.close();
  });

  it('takes the address of a commit, asks in its repository, and keeps the question in the address', async () => {
    const asked: string[] = [];
    const { page, context } = await opened('/?tab=lineage', (query) => {
      if (query.get('sha') === null) return someImages();
      asked.push(`${query.get('repo')} ${query.get('sha')}`);
      return {
        sha,
        shipped: 'unknown',
        stopped_at: 'rolled',
        answer: 'It is in the registry; whether it runs was not read: no cluster is attached.',
        images: [imageOf('campaign-worker', {}, { where: 'In the registry', parts: reviews, sha })],
        ...wholeReading(),
      };
    });
    const input = page.getByRole('textbox', { name: 'Commit id or address' });
    await input.fill('not a commit');
    await input.press('Enter');
    await page.getByText(/Enter a commit id of at least 7 characters/).waitFor();
    expect(asked).toEqual([]);
    await input.fill(`https://code.example/northgate/campaign-worker/commit/${sha}`);
    await input.press('Enter');
    await page.getByText('It is in the registry; whether it runs was not read').waitFor();
    expect(asked[0]).toBe(`campaign-worker ${sha}`);
    expect([partOf(page, 'sha'), partOf(page, 'repo')]).toEqual([sha, 'campaign-worker']);
    await page.getByRole('region', { name: 'Path of campaign-worker' }).waitFor();
    await context.close();
  });

  it('folds the parts of a step past the sixth, and unfolds them in the address', async () => {
    const parts = Array.from({ length: 9 }, (_, index) => ({
      name: `Review ${index}`,
      state: 'done' as const,
      detail: 'no findings',
    }));
    const { page, context } = await opened('/?tab=lineage', () => ({
      images: [imageOf('harbour', {}, { where: 'In the registry', parts })],
      ...wholeReading(),
    }));
    await page.getByRole('button', { name: /4 more/ }).click();
    await page.getByText('Review 8').waitFor();
    await expect.poll(() => partOf(page, 'section')).toBe('all');
    await context.close();
  });

  it('says that no code host is attached and leads to where it is', async () => {
    const tab = await session.blank();
    await answerRoute(tab.page, 'delivery.lineage', () => ({
      images: [],
      ...noReading('It is not attached.'),
    }));
    await answerRoute(tab.page, 'codeHost.read', () => attachment(false));
    await tab.page.goto(`${session.console.url}/?tab=lineage`);
    const link = tab.page.getByRole('link', { name: 'Attach the code host' });
    expect(await link.getAttribute('href')).toBe('/?tab=settings&section=codeHost&target=sandbox');
    expect(await axeViolations(tab.page)).toEqual([]);
    await tab.context.close();
  });

  it('says why nothing was read when the code host did not answer, and tries again', async () => {
    let broken = true;
    const tab = await session.blank();
    await answerRoute(tab.page, 'delivery.lineage', () =>
      broken
        ? { images: [], ...noReading('The repositories were not read: the code host answered 502.') }
        : someImages(),
    );
    await answerRoute(tab.page, 'codeHost.read', () => attachment(true));
    await tab.page.goto(`${session.console.url}/?tab=lineage`);
    await tab.page.getByText('The repositories were not read: the code host answered 502.').waitFor();
    broken = false;
    await tab.page.getByRole('button', { name: 'Retry' }).click();
    await tab.page.getByRole('table', { name: 'Images' }).waitFor();
    await tab.context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened('/?tab=lineage', someImages);
    await page.getByRole('table', { name: 'Images' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
