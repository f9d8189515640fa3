import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import type { Answer } from '../answers/answer-route.ts';
import { certificateOf, clusterReading, meshCaOf } from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';

const some = (): Answer<'cluster.security'> => ({
  items: [
    meshCaOf('cockpit', 212),
    meshCaOf('tenant-harbor', 9.4),
    meshCaOf('tenant-willow', -2.5),
    meshCaOf('inference', 340, { chain_ok: false, state: 'failing', reason: 'its chain does not verify' }),
  ],
  certificates: [],
  ...clusterReading(),
});

describe.skipIf(chromiumPath === undefined)(`the certificates page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = (address: string, answer: () => Answer<'cluster.security'>, look: Look = {}) =>
    openedOn(session, 'cluster.security', address, answer, look);

  it('puts each certificate into the span of time it expires in, and those that have first', async () => {
    const { page, context } = await opened('/?tab=security', some);
    const timeline = page.getByRole('region', { name: 'When certificates expire' });
    await timeline.getByRole('heading', { name: 'Expired 1' }).waitFor();
    await timeline.getByRole('heading', { name: 'Within 30 days 1' }).waitFor();
    await timeline.getByRole('heading', { name: 'Within a year 2' }).waitFor();
    await timeline.getByRole('link', { name: 'Failing: mesh ca tenant-willow 2 days ago' }).waitFor();
    await timeline.getByRole('link', { name: 'Degraded: mesh ca tenant-harbor 9 days' }).click();
    await page.getByRole('complementary', { name: 'Certificate mesh ca tenant-harbor' }).waitFor();
    await context.close();
  });

  it('copies the fingerprint, and says that a chain does not verify', async () => {
    const { page, context } = await opened('/?tab=security&q=inference', some);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('table', { name: 'Certificates' }).getByRole('link').click();
    const panel = page.getByRole('complementary');
    await panel.getByText('Does not verify', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Copy the fingerprint' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(meshCaOf('inference', 340).fingerprint);
    await expectAddress(page, 'q', 'inference');
    await context.close();
  });

  it('lists certificates of TLS Secrets, bundles and kubeconfigs, many of one issuer as one mark', async () => {
    const { page, context } = await opened('/?tab=security', () => ({
      items: [meshCaOf('cockpit', 212)],
      certificates: [
        certificateOf('web', -3, { use: 'tls', found_in: 'Secret web, key tls.crt', namespace: 'shop' }),
        certificateOf('robot', 9, { use: 'kubeconfig', found_in: 'Secret robot, key kubeconfig' }),
        ...['one', 'three', 'fifteen', 'of seven', 'of eleven', 'of seventeen'].map((name, index) =>
          certificateOf(name, 700 + index, {
            place_count: 31,
            places: Array.from({ length: 5 }, (_, at) => ({
              namespace: `team-${at}`,
              found_in: 'ConfigMap trust, key ca.crt',
            })),
          }),
        ),
      ],
      ...clusterReading(),
      complete: false,
      unmeasured: [
        'Certificates of 18 Secrets were left out when the bundle was captured: they were not judged.',
      ],
    }));
    const table = page.getByRole('table', { name: 'Certificates' });
    await table.getByRole('link', { name: 'web', exact: true }).waitFor();
    // Worst first, then what expires first.
    expect(await table.getByRole('link').allTextContents()).toEqual([
      'web',
      'robot',
      'mesh ca cockpit',
      'one',
      'three',
      'fifteen',
      'of seven',
      'of eleven',
      'of seventeen',
    ]);
    await page.getByRole('note').filter({ hasText: 'Certificates of 18 Secrets were left out' }).waitFor();
    const timeline = page.getByRole('region', { name: 'When certificates expire' });
    await timeline.getByRole('heading', { name: 'Later 6' }).waitFor();
    await timeline.getByRole('link', { name: 'Healthy: 6 certificates of root of shops' }).click();
    await expectAddress(page, 'q', 'root of shops');
    await table.getByRole('link', { name: 'fifteen' }).click();
    const panel = page.getByRole('complementary', { name: 'Certificate fifteen' });
    await panel.getByText('team-4: ConfigMap trust, key ca.crt').waitFor();
    await panel.getByText('and 26 more').waitFor();
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened('/?tab=security', some);
    await page.getByRole('table', { name: 'Certificates' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
