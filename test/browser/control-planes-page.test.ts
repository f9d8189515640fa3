import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../support/browser-session.ts';
import { chromiumPath, noChromium } from '../support/chromium.ts';
import { clusterReading, clusterSilent, controlPlaneOf, failingPlane, noCluster } from './cluster-answers.ts';
import { expectAddress, expectSound, openedOn } from './cluster-pages.ts';
import type { Answer } from './delivery-answers.ts';

const some = (): Answer<'cluster.controlPlanes'> => ({
  items: [
    controlPlaneOf('cockpit'),
    failingPlane(),
    controlPlaneOf('orchard', {
      kind: 'ClientInstance',
      backend: 'instance',
      namespace: 'tenant-orchard',
      tenant: 'orchard',
      probes_disabled: true,
      effective_probes: {},
    }),
  ],
  ...clusterReading(),
});

describe.skipIf(chromiumPath === undefined)(`the control planes page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = (address: string, answer: () => Answer<'cluster.controlPlanes'>, look: Look = {}) =>
    openedOn(session, 'cluster.controlPlanes', address, answer, look);

  it('opens the worst one first, with its failing check, its refused probe and its drift', async () => {
    const { page, context } = await opened('/?tab=controlPlanes', some);
    const reading = page.getByRole('region', { name: 'The open control plane' });
    await reading.getByRole('heading', { name: 'harbour-cockpit' }).waitFor();
    const readyz = reading.getByRole('region', { name: '/readyz' });
    await readyz.getByRole('row', { name: /^consensus Fails no leader since/ }).waitFor();
    await readyz.getByRole('row', { name: /^mesh_ca Passes certificate valid until 30 Nov 2026/ }).waitFor();
    await reading.getByText('spec.probes.livenessPath must not be /readyz').waitFor();
    await reading.getByRole('row', { name: 'spec.replicas 2 3 kubectl-scale' }).waitFor();
    await context.close();
  });

  it('marks the live settings that differ from the specified ones, and only those', async () => {
    const { page, context } = await opened('/?tab=controlPlanes', some);
    const readiness = page.getByRole('table', { name: 'Readiness probe, setting by setting' });
    await readiness.getByRole('row', { name: /^Path \/readyz \/auth\/config ?, differs$/ }).waitFor();
    await readiness.getByRole('row', { name: /^Timeout 5 s 2 s ?, differs$/ }).waitFor();
    expect(await readiness.getByText('differs').count()).toBe(2);
    const startup = page.getByRole('table', { name: 'Startup probe, setting by setting' });
    expect(await startup.getByText('differs').count()).toBe(0);
    await context.close();
  });

  it('says that a probe which is disabled and still there should not be', async () => {
    const { page, context } = await opened(
      '/?tab=controlPlanes&record=ClientInstance%2Ftenant-orchard%2Forchard',
      some,
    );
    await page.getByRole('note').filter({ hasText: 'Probes are disabled.' }).waitFor();
    const liveness = page.getByRole('region', { name: 'Liveness probe' });
    await liveness.getByText('should not be there').waitFor();
    await context.close();
  });

  it('moves by j and k through the rail, and the reading and the address follow', async () => {
    const { page, context } = await opened('/?tab=controlPlanes', some);
    await page.getByRole('heading', { name: 'harbour-cockpit' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'cockpit', exact: true }).waitFor();
    await expectAddress(page, 'record', 'CockpitControlPlane/cockpit/cockpit');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'harbour-cockpit' }).waitFor();
    await context.close();
  });

  it('says which cluster did not answer and why, and reads again when asked', async () => {
    let silent = true;
    const { page, context } = await opened('/?tab=controlPlanes', () =>
      silent
        ? { items: [], ...clusterSilent('The API server at 10.0.0.1:6443 did not answer in 5 s.') }
        : some(),
    );
    const panel = page.getByRole('region', { name: 'Control planes in prod-eu-1 were not read' });
    await panel.getByText('The API server at 10.0.0.1:6443 did not answer in 5 s.').waitFor();
    silent = false;
    await panel.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'harbour-cockpit' }).waitFor();
    await context.close();
  });

  it('says that no cluster is attached, and leads to where one can be', async () => {
    const { page, context } = await opened('/?tab=controlPlanes', () => ({ items: [], ...noCluster() }));
    await page
      .getByRole('region', { name: 'No cluster is attached' })
      .getByRole('link', { name: 'Attach a cluster' })
      .click();
    await expectAddress(page, 'tab', 'overview');
    await context.close();
  });

  it('reads the cluster that the address names', async () => {
    const asked: (string | null)[] = [];
    const tab = await session.blank();
    await tab.page.route(
      (url) => url.pathname === '/api/control-planes',
      (request) => {
        asked.push(new URL(request.request().url()).searchParams.get('target'));
        return request.fulfill({ json: some() });
      },
    );
    await tab.page.goto(`${session.console.url}/?tab=controlPlanes&target=bundle%3Aab12`);
    await tab.page.getByRole('heading', { name: 'harbour-cockpit' }).waitFor();
    await tab.page.keyboard.press('j');
    await expectAddress(tab.page, 'target', 'bundle:ab12');
    expect([...new Set(asked)]).toEqual(['bundle:ab12']);
    await tab.context.close();
  });

  for (const theme of ['light', 'dark'] as const) {
    it(`is free of accessibility faults and console errors, ${theme}`, async () => {
      const { page, context, complaints } = await opened('/?tab=controlPlanes', some, { theme });
      await page.getByRole('table', { name: 'Drift' }).waitFor();
      await expectSound(page, complaints, `control-planes-${theme}-1280x800`);
      await context.close();
    });
  }
});
