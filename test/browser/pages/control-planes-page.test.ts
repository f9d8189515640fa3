import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import { type Answer, answerRoute } from '../answers/answer-route.ts';
import {
  clusterReading,
  clusterSilent,
  controlPlaneOf,
  failingPlane,
  noCluster,
} from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';
import { targetOf, targetsOf } from '../answers/platform-answers.ts';

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
    await readyz.getByRole('row', { name: /^consensus Fails No leader since/ }).waitFor();
    await readyz.getByRole('row', { name: /^mesh_ca Passes Certificate valid until 30 Nov 2026/ }).waitFor();
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

  it('shows the specified values where some are refused, and does not call the rest drift', async () => {
    const probe = { path: '/auth/config', port: '7100', period_seconds: 10, timeout_seconds: 5 };
    const { page, context } = await opened('/?tab=controlPlanes', () => ({
      items: [
        controlPlaneOf('rowan', {
          state: 'degraded',
          reason: '1 probe setting is not allowed',
          effective_probes: {},
          specified_probes: { startup: probe, readiness: probe, liveness: { ...probe, path: '/readyz' } },
          refused_settings: ['liveness.path'],
          probe_refusals: ['The liveness probe must not ask /readyz.'],
          live_probes: { startup: probe, readiness: probe, liveness: probe },
          drift: [],
        }),
      ],
      ...clusterReading(),
    }));
    const settings = (name: string) => page.getByRole('table', { name: `${name} probe, setting by setting` });
    await settings('Liveness').getByRole('row', { name: 'Path /readyz refused /auth/config' }).waitFor();
    await settings('Startup').getByRole('row', { name: 'Path /auth/config /auth/config' }).waitFor();
    expect(await page.getByText('refused', { exact: true }).count()).toBe(1);
    expect(await page.getByText('differs').count()).toBe(0);
    await page.getByText(/^Everything but the probes is as specified/).waitFor();
    expect(await page.getByText('The live Deployment is as specified.').count()).toBe(0);
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

  /** A control plane whose mesh CA ends in so many days, a few minutes more. */
  const endingIn = (days: number, status: 'pass' | 'fail' = 'pass') => {
    const expires_at = new Date(Date.now() + days * 86_400_000 + 300_000).toISOString();
    const check = { name: 'mesh_identity', status, expires_at };
    const plane = controlPlaneOf('cockpit', {
      health: {
        readyz: {
          path: '/readyz',
          state: status,
          status: status === 'pass' ? 200 : 503,
          detail: '/readyz answered 200 ready',
          asked_at: new Date(Date.now() - 4000).toISOString(),
          checks: [status === 'pass' ? check : { ...check, detail: 'The mesh leaf is unhealthy' }],
        },
      },
    });
    return { expires_at, answer: () => ({ items: [plane], ...clusterReading() }) };
  };

  it.each([
    [339, 'CA expires in 339 days', 'healthy'],
    [12, 'CA expires in 12 days', 'degraded'],
    [0.5, 'CA expires in 12 h', 'degraded'],
    [-3, 'CA expired 2 days ago', 'failing'],
  ] as const)('says of a mesh CA of %d days "%s", %s', async (days, words, state) => {
    const { expires_at, answer } = endingIn(days);
    const { page, context } = await opened('/?tab=controlPlanes', answer);
    const row = page.getByRole('table', { name: 'Checks of /readyz' }).getByRole('row');
    const expiry = row.locator('time');
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
    expect(await expiry.innerText()).toBe(`${words} (${day.format(new Date(expires_at))})`);
    expect(await expiry.getAttribute('data-state')).toBe(state);
    expect(await expiry.getAttribute('datetime')).toBe(expires_at);
    // The exact time, to the second.
    expect(await expiry.getAttribute('title')).toMatch(/\d{2}:\d{2}:\d{2}, /);
    // Colour is not its only sign.
    expect(await expiry.locator('svg').count()).toBe(state === 'healthy' ? 0 : 1);
    await context.close();
  });

  it('counts to the end of a CA from when a bundle was taken', async () => {
    const { items } = endingIn(-20).answer();
    const read_at = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const answer = () => ({ items, ...clusterReading(), source: 'bundle' as const, read_at });
    const { page, context } = await opened('/?tab=controlPlanes', answer);
    const checks = page.getByRole('table', { name: 'Checks of /readyz' });
    await checks.getByText(/^CA expires in 10 days/).waitFor();
    await context.close();
  });

  it('tells the fault of a failing check before the date of its CA, and when it was asked', async () => {
    const { page, context } = await opened('/?tab=controlPlanes', endingIn(40, 'fail').answer);
    await page
      .getByRole('row', { name: /^mesh_identity Fails The mesh leaf is unhealthy\. CA expires in 40 days/ })
      .waitFor();
    await page
      .getByRole('region', { name: 'Health endpoints' })
      .getByText(/^checked \d+ (s|min) ago$/)
      .waitFor();
    await context.close();
  });

  it('lists the reasons where there are several, and finds a control plane by each', async () => {
    const reasons = ['its mesh CA expires in 11 days', '2 fields of its live Deployment will be put back'];
    const several = controlPlaneOf('willow', { state: 'degraded', reason: reasons.join('; '), reasons });
    const [reason = ''] = reasons;
    const single = controlPlaneOf('alder', { state: 'degraded', reason, reasons: [reason] });
    const { page, context } = await opened(
      '/?tab=controlPlanes&record=CockpitControlPlane%2Fcockpit%2Fwillow',
      () => ({
        items: [several, single],
        ...clusterReading(),
      }),
    );
    const list = page.getByRole('list', { name: 'Reasons, worst first' });
    await list.waitFor();
    expect(await list.getByRole('listitem').allInnerTexts()).toEqual([
      'Its mesh CA expires in 11 days.',
      '2 fields of its live Deployment will be put back.',
    ]);
    // One reason is a sentence under the name.
    await page.goto(page.url().replace('willow', 'alder'));
    await page.getByRole('heading', { name: 'alder' }).waitFor();
    await page.getByText('Its mesh CA expires in 11 days.').waitFor();
    expect(await list.count()).toBe(0);
    await page.getByLabel('Filter control planes', { exact: true }).fill('put back');
    await page.getByText('1 control plane, worst first').waitFor();
    await context.close();
  });

  it.each([
    [true, 'A model is ready: its model endpoint lists one.'],
    [false, 'No model is ready: its model endpoint lists none, or INFERENCE_REMOTE_URL is not set.'],
  ])('says of a campaign backend whose model_ready is %s what that is', async (model_ready, words) => {
    const campaign = controlPlaneOf('campaign', {
      kind: 'CampaignControlPlane',
      backend: 'campaign',
      health: {
        livez: {
          path: '/health',
          state: 'pass',
          status: 200,
          detail: '/health answered 200 ok',
          model_ready,
        },
      },
    });
    const { page, context } = await opened('/?tab=controlPlanes', () => ({
      items: [campaign],
      ...clusterReading(),
    }));
    const health = page.getByRole('region', { name: '/health' });
    await health.getByText(words).waitFor();
    await health.getByText('the process serves, and says whether a model is ready').waitFor();
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
    await panel.getByRole('button', { name: 'Retry' }).click();
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
    await intercept(
      tab.page,
      (url) => url.pathname === '/api/control-planes',
      (request) => {
        asked.push(new URL(request.request().url()).searchParams.get('target'));
        return request.fulfill({ json: some() });
      },
    );
    await answerRoute(tab.page, 'targets.list', () =>
      targetsOf([targetOf('support.tar.gz', { id: 'bundle:ab12', kind: 'bundle' })]),
    );
    await tab.page.goto(`${session.console.url}/?tab=controlPlanes&target=bundle%3Aab12`);
    await tab.page.getByRole('heading', { name: 'harbour-cockpit' }).waitFor();
    await tab.page.keyboard.press('j');
    await expectAddress(tab.page, 'target', 'bundle:ab12');
    expect([...new Set(asked)]).toEqual(['bundle:ab12']);
    await tab.context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened('/?tab=controlPlanes', some);
    await page.getByRole('table', { name: 'Drift' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
