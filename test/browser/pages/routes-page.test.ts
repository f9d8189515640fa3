import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import type { Answer } from '../answers/answer-route.ts';
import { brokenRoute, clusterReading, routeOf, studioRoute } from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';

const broken = brokenRoute();

const some = (): Answer<'cluster.routes'> => ({
  items: [routeOf('campaign.northgate.example', '/'), broken, studioRoute()],
  ...clusterReading(),
});

const ofBroken = `/?tab=routes&record=${encodeURIComponent(broken.id)}`;

describe.skipIf(chromiumPath === undefined)(`the routes page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = (address: string, answer: () => Answer<'cluster.routes'>, look: Look = {}) =>
    openedOn(session, 'cluster.routes', address, answer, look);

  it('shows the studio first, then the broken routes, then those that hold', async () => {
    const { page, context } = await opened('/?tab=routes', some);
    const rows = page.getByRole('list', { name: 'Routes' }).getByRole('listitem');
    await rows.nth(0).getByText('/studio/').first().waitFor();
    await rows.nth(1).getByText('api.cockpit.northgate.example/v1').waitFor();
    await rows.nth(2).getByText('campaign.northgate.example/', { exact: true }).waitFor();
    await context.close();
  });

  it('marks the hop that fails and says that those after it were not reached', async () => {
    const { page, context } = await opened('/?tab=routes', some);
    const row = page.getByRole('list', { name: 'Routes' }).getByRole('listitem').nth(1);
    await row.getByText('Endpoints broken: cockpit-api').waitFor();
    await row.getByText('Workload not reached: cockpit-api').waitFor();
    await row.getByText('Service cockpit-api has 3 endpoints and none is ready.').waitFor();
    expect(await row.getByText('broken:').count()).toBe(1);
    await context.close();
  });

  it('opens a route hop by hop and leads on to its service', async () => {
    const { page, context } = await opened('/?tab=routes', some);
    await page.getByRole('list', { name: 'Routes' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Route api.cockpit.northgate.example/v1' });
    await panel.getByText('0 of 3 ready.').waitFor();
    await panel.getByRole('link', { name: 'Open the service' }).click();
    await expectAddress(page, 'tab', 'services');
    await expectAddress(page, 'record', 'cockpit/cockpit-api');
    await context.close();
  });

  it('draws only the routes near the view of a thousand', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => routeOf(`tenant-${index}.example`, '/'));
    const { page, context } = await opened('/?tab=routes', () => ({ items: many, ...clusterReading() }));
    await page.getByText('1,000 routes').waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(120);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes, with a route open', async () => {
    const { page, context, complaints } = await opened(ofBroken, some);
    await page.getByRole('complementary').waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
