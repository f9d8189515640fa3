import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import { type Answer, minutesAgo } from '../answers/answer-route.ts';
import { clusterReading } from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';

const some = (): Answer<'fleet.doctor'> => ({
  state: 'degraded',
  reason: 'its last run found 2 problems',
  workload: { name: 'ops-doctor', namespace: 'platform' },
  schedule: '*/15 * * * *',
  enabled: true,
  next_run: minutesAgo(-6),
  last_runs: [
    {
      name: 'ops-doctor-2',
      state: 'failure',
      started: minutesAgo(9),
      took_seconds: 62,
      detail: 'exit code 2',
    },
    { name: 'ops-doctor-1', state: 'success', started: minutesAgo(24), took_seconds: 38 },
  ],
  tracking_issue: {
    number: 418,
    title: 'Ops doctor: 2 problems',
    url: 'https://code.example/northgate/platform/issues/418',
    state: 'open',
    updated_at: minutesAgo(9),
    repo: 'platform',
  },
  ...clusterReading(),
});

describe.skipIf(chromiumPath === undefined)(`the doctor page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = (answer: () => Answer<'fleet.doctor'>, look: Look = {}) =>
    openedOn(session, 'fleet.doctor', '/?tab=doctor', answer, look);

  it('shows how the doctor is, its last runs newest first, and the issue it keeps', async () => {
    const { page, context } = await opened(some);
    await page.getByText('Its last run found 2 problems.').waitFor();
    const rows = page.getByRole('table', { name: 'Last runs of the doctor' }).getByRole('row');
    await rows.nth(1).getByText('Failed').waitFor();
    await rows.nth(1).getByText('1 min 2 s').waitFor();
    await rows.nth(2).getByText('Succeeded').waitFor();
    expect(
      await page.getByRole('link', { name: 'Open the issue on the code host' }).getAttribute('href'),
    ).toBe('https://code.example/northgate/platform/issues/418');
    await page.getByRole('link', { name: 'Schedule', exact: true }).click();
    await expectAddress(page, 'record', 'platform/ops-doctor');
    await context.close();
  });

  it('says that a cluster has no doctor, and what would be one', async () => {
    const { page, context } = await opened(() => ({ state: 'idle', last_runs: [], ...clusterReading() }));
    await page.getByRole('region', { name: 'This cluster has no ops doctor' }).waitFor();
    await page.getByText('platform.dev/agent: ops-doctor').waitFor();
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened(some);
    await page.getByRole('table', { name: 'Last runs of the doctor' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
