import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import type { Answer } from '../answers/answer-route.ts';
import { clusterReading, deadService, serviceOf } from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';

const {
  ready: _ready,
  desired: _desired,
  endpoints: _endpoints,
  ...unread
} = serviceOf('willow', {
  namespace: 'tenant-willow',
  state: 'not_read',
  reason: 'forbidden: list pods in tenant-willow',
});

const some = (): Answer<'cluster.services'> => ({
  items: [
    serviceOf('campaign-web', { namespace: 'campaign' }),
    deadService(),
    unread,
    serviceOf('mailer', { readiness_probe: false }),
  ],
  ...clusterReading(),
});

describe.skipIf(chromiumPath === undefined)(`the services page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = (address: string, answer: () => Answer<'cluster.services'>, look: Look = {}) =>
    openedOn(session, 'cluster.services', address, answer, look);

  it('lists services worst first, what was not read straight after those that fail', async () => {
    const { page, context } = await opened('/?tab=services', some);
    const rows = page.getByRole('table', { name: 'Services' }).getByRole('row');
    await rows.nth(1).getByText('cockpit-api', { exact: true }).waitFor();
    await rows.nth(1).getByText('0/3').first().waitFor();
    await rows.nth(2).getByText('Not read').waitFor();
    expect(await rows.nth(2).getByRole('img', { name: 'not read' }).count()).toBe(2);
    await context.close();
  });

  it('opens a service with Enter, tells what no readiness probe means, and closes with Esc', async () => {
    const { page, context } = await opened('/?tab=services&q=mailer', some);
    await page.getByRole('status').filter({ hasText: '1 service, worst first' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Service mailer' });
    await panel.getByText('Without one a pod counts as ready the moment its process starts').waitFor();
    await expectAddress(page, 'record', 'cockpit/mailer');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.dataset.key')).toBe('cockpit/mailer');
    await context.close();
  });

  it('shows the object of a service as YAML, which the address opens too', async () => {
    const { page, context } = await opened('/?tab=services&record=cockpit%2Fcockpit-api', some);
    await intercept(
      page,
      (url) => url.pathname === '/api/objects/Service/cockpit-api',
      (request) => request.fulfill({ json: { yaml: 'kind: Service\n', ...clusterReading() } }),
    );
    await page.getByRole('link', { name: 'Read Service cockpit-api as YAML' }).click();
    const dialog = page.getByRole('dialog', { name: 'Service cockpit-api' });
    await dialog.getByText('kind:').waitFor();
    await expectAddress(page, 'section', 'yaml');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expectAddress(page, 'section', null);
    await expectAddress(page, 'record', 'cockpit/cockpit-api');
    await context.close();
  });

  it('keeps namespace and state in the address and takes them off together', async () => {
    const { page, context } = await opened('/?tab=services', some);
    await page
      .getByRole('search')
      .getByRole('button', { name: /^Namespace/ })
      .click();
    await page.getByRole('button', { name: 'campaign', exact: true }).click();
    await expectAddress(page, 'namespace', 'campaign');
    await page.getByRole('navigation', { name: 'Services by state' }).getByText('Failing').click();
    await page.getByText('No service matches').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.getByRole('status').filter({ hasText: '4 services' }).waitFor();
    await expectAddress(page, 'state', null);
    await context.close();
  });

  it('draws only the rows near the view of ten thousand services', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => serviceOf(`service-${index}`));
    const { page, context } = await opened('/?tab=services', () => ({ items: many, ...clusterReading() }));
    await page.getByText('10,000 services, worst first').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(120);
    await page.getByRole('button', { name: 'Service', exact: true }).click();
    await page.getByText('10,000 services, by service').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await expect
      .poll(() => page.evaluate('document.activeElement.closest("tr")?.getAttribute("aria-rowindex")'))
      .toBe('10001');
    expect(await page.getByRole('row').count()).toBeLessThan(120);
    await context.close();
  });

  it('tells a real zero from one that is not known', async () => {
    const zero = await opened('/?tab=services', () => ({ items: [], ...clusterReading() }));
    await zero.page.getByText('No results; everything was checked.').waitFor();
    await zero.context.close();
    const part = await opened('/?tab=services', () => ({
      items: [],
      ...clusterReading(),
      complete: false,
      unmeasured: ['Forbidden: list services in tenant-willow.'],
    }));
    await part.page.getByText('Not everything was read, so there may be some.').waitFor();
    await part.page.getByRole('note').filter({ hasText: 'list services in tenant-willow' }).waitFor();
    await part.context.close();
  });

  it('is free of accessibility faults and console errors in both themes, with a service open', async () => {
    const { page, context, complaints } = await opened('/?tab=services&record=cockpit%2Fcockpit-api', some);
    await page.getByRole('complementary', { name: 'Service cockpit-api' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
