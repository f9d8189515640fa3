import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import { answerRoute } from '../answers/answer-route.ts';
import { clusterReading, clusterSilent, noCluster } from '../answers/cluster-answers.ts';
import { answerPlatform, namespaceOf, namespaces } from '../answers/platform-answers.ts';

describe.skipIf(chromiumPath === undefined)(`the namespaces page (${chromiumPath ?? noChromium})`, () => {
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

  it('lists namespaces worst first, what was not read straight after what is degraded', async () => {
    const { page, context } = await opened('/?tab=namespaces');
    await page.getByRole('table', { name: 'Namespaces' }).waitFor();
    const names = await page.locator('table a[data-key]').allTextContents();
    expect(names).toEqual(['cockpit', 'tenant-orchard', 'tenant-willow', 'platform', 'voice']);
    const unread = page.getByRole('row').filter({ hasText: 'tenant-willow' });
    await unread.getByText('Forbidden: list pods in tenant-willow.').waitFor();
    expect(await unread.getByRole('img', { name: 'not read' }).count()).toBeGreaterThan(0);
    await context.close();
  });

  it('opens a namespace by key on why it fails, and its failing pod with its containers and log', async () => {
    const { page, context } = await opened('/?tab=namespaces');
    await page.getByRole('table', { name: 'Namespaces' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('complementary', { name: 'Namespace cockpit' });
    await drawer.getByText(/^3 pods wait for Secret/).waitFor();
    await drawer.getByRole('button', { name: /cockpit-api-7c9d-2kx4m/ }).click();
    await drawer.getByText('3 restarts, last ended: Error, exit code 1').waitFor();
    expect(await drawer.getByRole('link', { name: 'Previous container' }).getAttribute('href')).toBe(
      '/?tab=logs&target=prod-eu-1&namespace=cockpit&name=cockpit-api-7c9d-2kx4m&previous=true',
    );
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
    await context.close();
  });

  it('keeps the open part of a namespace in the address', async () => {
    const { page, context } = await opened('/?tab=namespaces&record=cockpit&panel=workloads');
    const drawer = page.getByRole('complementary');
    await drawer.getByRole('link', { name: 'cockpit-api' }).waitFor();
    await drawer.getByRole('link', { name: /^Warnings/ }).click();
    await drawer.getByText('secret "cockpit-db-credentials" not found').waitFor();
    expect(new URL(page.url()).searchParams.get('panel')).toBe('events');
    await context.close();
  });

  it('shows the YAML of an object above the namespace, and gives the namespace back on Esc', async () => {
    const { page, context } = await opened('/?tab=namespaces&record=cockpit&panel=workloads');
    await page.getByRole('complementary').getByRole('link', { name: 'cockpit-api' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deployment cockpit-api' });
    await dialog.getByText('kind: Pod').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('complementary', { name: 'Namespace cockpit' }).waitFor();
    await context.close();
  });

  it('says which cluster did not answer and why, and contacts it anew when asked', async () => {
    const { page, context } = await opened();
    let silent = true;
    let contacted = 0;
    await intercept(page, '/api/targets/retry', (request) => {
      contacted++;
      silent = false;
      return request.fulfill({ status: 500, json: { error: 'not of interest here' } });
    });
    await answerRoute(page, 'cluster.namespaces', () =>
      silent
        ? { items: [], ...clusterSilent('prod-eu-1 refused the connection.') }
        : { items: namespaces(), ...clusterReading() },
    );
    await page.goto(`${session.console.url}/?tab=namespaces`);
    await page.getByText('Namespaces in prod-eu-1 were not read').waitFor();
    await page.getByText('prod-eu-1 refused the connection.').waitFor();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => contacted).toBe(1);
    await page.keyboard.press('r');
    await page.getByRole('table', { name: 'Namespaces' }).waitFor();
    await context.close();
  });

  it('tells no cluster at all from a cluster that does not answer', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'cluster.namespaces', () => ({ items: [], ...noCluster() }));
    await page.goto(`${session.console.url}/?tab=namespaces`);
    await page.getByText('No cluster is attached', { exact: true }).waitFor();
    await context.close();
  });

  it('draws only the rows near the view of two thousand namespaces', async () => {
    const { page, context } = await opened();
    const many = Array.from({ length: 2000 }, (_, index) => namespaceOf(`tenant-${index}`));
    await answerRoute(page, 'cluster.namespaces', () => ({ items: many, ...clusterReading() }));
    await page.goto(`${session.console.url}/?tab=namespaces`);
    await page.getByText('worst first').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(120);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes, with a namespace open', async () => {
    const { page, context, complaints } = await opened('/?tab=namespaces&record=cockpit');
    await page.getByText('Pods needing attention').waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
