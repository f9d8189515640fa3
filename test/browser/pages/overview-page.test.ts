import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { axeViolations, expectSound } from '../../support/sound-page.ts';
import { type Answer, answerRoute } from '../answers/answer-route.ts';
import { clusterSilent } from '../answers/cluster-answers.ts';
import { answerPlatform, dashboard, targetOf, targetsOf } from '../answers/platform-answers.ts';

describe.skipIf(chromiumPath === undefined)(`the overview (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  let undiagnosed: Answer<'cluster.dashboard'>;
  beforeAll(async () => {
    session = await startBrowserSession();
    // The first read, before anything is diagnosed: what needs a person leads to the page of each thing.
    const { context } = await session.blank();
    // `answerRoute` reads it by the shape of its route.
    undiagnosed = await (await context.request.get(`${session.console.url}/api/dashboard`)).json();
    await context.close();
  });
  afterAll(() => session?.close());

  /** Without an address nothing is loaded yet. */
  const opened = async (address?: string, look: Parameters<BrowserSession['open']>[1] = {}) => {
    const tab = await session.blank(look);
    await answerPlatform(tab.page);
    if (address !== undefined) await tab.page.goto(`${session.console.url}${address}`);
    return tab;
  };

  it('begins with what needs a person, and opens its place with j and Enter', async () => {
    const { page, context } = await opened('/?tab=overview');
    await page.getByText('prod-eu-1, 3 need attention').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Node worker-a-02' }).waitFor();
    await context.close();
  });

  it('counts ages in a bundle from when it was taken, not from now', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'targets.list', () =>
      targetsOf([
        targetOf('support.tar.gz', {
          id: 'bundle:abcd1234',
          kind: 'bundle',
          taken_at: '2024-10-24T14:00:00.000Z',
        }),
      ]),
    );
    await answerRoute(page, 'cluster.dashboard', () => ({
      ...dashboard(),
      attention: dashboard().attention.map((item) => ({ ...item, since: '2024-10-24T13:20:00.000Z' })),
    }));
    await page.goto(`${session.console.url}/?tab=overview`);
    const list = page.getByRole('region', { name: /^Needs attention/ });
    await list.getByText('40 min ago').first().waitFor();
    expect(await list.getByText(/\d d ago/).count()).toBe(0);
    await context.close();
  });

  it('counts all workloads and says how many of them are tracked', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'cluster.dashboard', () => ({
      ...dashboard(),
      workload_counts: { failing: 2, degraded: 1, healthy: 300 },
    }));
    await page.goto(`${session.console.url}/?tab=overview`);
    await page.getByRole('link', { name: /^Workloads 303 2 failing, 1 degraded, 14 tracked$/ }).waitFor();
    await context.close();
  });

  it('says how workloads, instances and nodes stand, and that a workload was not read', async () => {
    const { page, context } = await opened('/?tab=overview');
    await page.getByRole('link', { name: /^Workloads 14 1 failing, 1 degraded$/ }).waitFor();
    await page.getByRole('link', { name: /^Nodes 4 1 failing, 2 degraded$/ }).waitFor();
    const row = page
      .getByRole('table', { name: 'Tracked workloads' })
      .getByRole('row')
      .filter({ hasText: 'ops-doctor' });
    expect(await row.getByRole('img', { name: 'not read' }).count()).toBe(2);
    await context.close();
  });

  it('opens the very thing that needs a person, on whichever page that is', async () => {
    const { page, context } = await session.blank();
    await answerRoute(page, 'cluster.dashboard', () => undiagnosed);
    const tabs = ['controlPlanes', 'namespaces', 'nodes', 'services', 'security'];
    for (const tab of tabs) {
      const matter = undiagnosed.attention.find(({ place }) => place.tab === tab);
      if (matter === undefined) throw new Error(`nothing of the sandbox leads to ${tab}`);
      await page.goto(`${session.console.url}/?tab=overview`);
      await page.getByRole('region', { name: 'Needs attention now' }).getByText(matter.title).click();
      const { object, place } = matter;
      const named = tab === 'security' || tab === 'namespaces' ? object?.namespace : object?.name;
      await page
        .getByRole('complementary')
        .or(page.getByRole('region', { name: /^The open / }))
        .getByText(named ?? '', { exact: true })
        .first()
        .waitFor();
      expect(new URL(page.url()).searchParams.get('record')).toBe(place.record);
      expect(await page.getByText(/^There is no such/).count()).toBe(0);
    }
    await context.close();
  });

  it('keeps the target of the address in every way on', async () => {
    const { page, context } = await opened('/?tab=overview&target=staging-eu-1');
    const attention = page.getByRole('link', { name: /cockpit-api cannot start/ });
    expect(await attention.getAttribute('href')).toBe('/?tab=namespaces&record=cockpit&target=staging-eu-1');
    await context.close();
  });

  it('shows runs though the cluster does not answer, and says what was not read', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'cluster.dashboard', () => ({
      ...dashboard(),
      workloads: [],
      instances: [],
      attention: [],
      ...clusterSilent('prod-eu-1 has not answered since 10:00.'),
    }));
    await page.goto(`${session.console.url}/?tab=overview`);
    await page.getByText('prod-eu-1 has not answered since 10:00.').waitFor();
    await page
      .getByRole('region', { name: 'Runs, last 24 h' })
      .getByText(/passed/)
      .waitFor();
    await context.close();
  });

  it('tells nothing wrong from nothing read', async () => {
    const { page, context } = await opened();
    let complete = true;
    await answerRoute(page, 'cluster.dashboard', () => ({
      ...dashboard(),
      attention: [],
      complete,
      unmeasured: complete ? [] : ['Forbidden: list pods in tenant-willow.'],
    }));
    await page.goto(`${session.console.url}/?tab=overview`);
    await page.getByText('Nothing needs attention', { exact: true }).waitFor();
    complete = false;
    await page.keyboard.press('r');
    await page.getByText('Not everything was read, so there may be something.').waitFor();
    await context.close();
  });

  it('offers a cluster, a bundle and the sandbox when there is nothing to read yet', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'targets.list', () => targetsOf([]));
    await page.goto(`${session.console.url}/?tab=overview`);
    await page.getByText('What would you like to look at?').waitFor();
    await page.getByText('No kubeconfig was found.', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Open the sandbox' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await page.getByRole('dialog', { name: 'Open a bundle' }).waitFor();
    await context.close();
  });

  it('names the only cluster of a kubeconfig on the button that connects to it', async () => {
    const { page, context } = await opened();
    await answerRoute(page, 'targets.list', () => {
      const { chosen: _none, ...rest } = targetsOf([targetOf('kind-local', { state: 'unread' })]);
      return rest;
    });
    const asked: string[] = [];
    await intercept(page, '/api/targets/select', (request) => {
      asked.push(request.request().postData() ?? '');
      return request.fulfill({ json: { chosen: 'kind-local' } });
    });
    await page.goto(`${session.console.url}/?tab=overview`);
    await page.getByRole('button', { name: 'Connect to kind-local' }).click();
    await expect.poll(() => asked).toEqual(['{"target":"kind-local"}']);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened('/?tab=overview');
    await page.getByRole('table', { name: 'Tracked workloads' }).waitFor();
    await page
      .getByRole('region', { name: 'Runs, last 24 h' })
      .getByText(/passed/)
      .waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
