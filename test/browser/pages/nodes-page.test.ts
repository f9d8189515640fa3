import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import { answerRoute } from '../answers/answer-route.ts';
import { clusterReading } from '../answers/cluster-answers.ts';
import { answerPlatform, nodeOf } from '../answers/platform-answers.ts';

describe.skipIf(chromiumPath === undefined)(`the nodes page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  /** Without an address nothing is loaded yet. */
  const opened = async (address?: string, look: Parameters<BrowserSession['open']>[1] = {}) => {
    const tab = await session.blank(look);
    await answerPlatform(tab.page);
    if (address !== undefined) await tab.page.goto(`${session.console.url}${address}`);
    return tab;
  };

  it('shows every node as a field by whom it is kept for, and opens it from there', async () => {
    const { page, context } = await opened('/?tab=nodes');
    const map = page.getByRole('region', { name: 'Nodes by load and dedication' });
    await map.getByRole('heading', { name: /^Dedicated to orchard/ }).waitFor();
    await map
      .getByRole('link', { name: /^worker-a-02, degraded: memory pressure for 12 min, requested 97 %/ })
      .click();
    await page
      .getByRole('complementary', { name: 'Node worker-a-02' })
      .getByText('58 GiB of 60 GiB')
      .waitFor();
    await context.close();
  });

  it('names who is on a node that is kept for somebody else, and leads there', async () => {
    const { page, context } = await opened('/?tab=nodes&record=tenant-orchard-01');
    const drawer = page.getByRole('complementary', { name: 'Node tenant-orchard-01' });
    await drawer.getByText('Not isolated: 1 pod on it belongs to somebody else.').waitFor();
    await drawer.getByText('kubelet has insufficient memory available').waitFor();
    await drawer.getByRole('link', { name: 'platform/report-builder-66d8-x2x2x' }).click();
    await page.getByRole('complementary', { name: 'Namespace platform' }).waitFor();
    await page.getByRole('dialog', { name: 'Pod report-builder-66d8-x2x2x' }).waitFor();
    await context.close();
  });

  it('never shows a load as zero that was not read', async () => {
    const { page, context } = await opened();
    const { requested: _requested, pods: _pods, ...unread } = nodeOf('worker-a-01');
    await answerRoute(page, 'cluster.nodes', () => ({
      items: [unread],
      ...clusterReading(),
      complete: false,
      unmeasured: ['Forbidden: list pods in all namespaces.'],
    }));
    await page.goto(`${session.console.url}/?tab=nodes`);
    await page.getByRole('note').filter({ hasText: 'Forbidden: list pods' }).waitFor();
    await page.getByRole('link', { name: /^worker-a-01, healthy, requested not read$/ }).waitFor();
    const row = page.getByRole('row').filter({ hasText: 'worker-a-01' });
    expect(await row.getByText('0 %').count()).toBe(0);
    expect(await row.getByRole('img', { name: 'not read' }).count()).toBe(3);
    await context.close();
  });

  it('marks figures as lower bounds where pods of a namespace are missing', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'cluster.nodes', () => ({
      items: [nodeOf('worker-a-01', { at_least: true })],
      ...clusterReading(),
      complete: false,
      unmeasured: ['Not collected: pods in shop.'],
    }));
    await page.goto(`${session.console.url}/?tab=nodes`);
    const row = page.getByRole('row').filter({ hasText: 'worker-a-01' });
    await row.getByText('≥').nth(2).waitFor();
    await page
      .getByRole('link', { name: /^worker-a-01, healthy, requested at least \d+ %, at least \d+ pods/ })
      .click();
    await page
      .getByRole('complementary', { name: 'Node worker-a-01' })
      .getByText(/^at least \S+ cores of/)
      .waitFor();
    await context.close();
  });

  it('draws five hundred nodes as fields without names, those in trouble with their sign', async () => {
    const { page, context } = await opened();
    const many = Array.from({ length: 500 }, (_, index) =>
      nodeOf(`worker-${index}`, index === 0 ? { state: 'failing', reason: 'kubelet is silent' } : {}),
    );
    await answerRoute(page, 'cluster.nodes', () => ({ items: many, ...clusterReading() }));
    await page.goto(`${session.console.url}/?tab=nodes`);
    const map = page.getByRole('region', { name: 'Nodes by load and dedication' });
    await map.getByRole('link', { name: /^worker-499,/ }).waitFor();
    expect(await map.getByRole('link').count()).toBe(500);
    expect(await map.locator('svg').count()).toBe(1);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes, with a node open', async () => {
    const { page, context, complaints } = await opened('/?tab=nodes&record=worker-a-02');
    await page.getByText('MemoryPressure True').waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
