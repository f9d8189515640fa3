import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import { type Answer, minutesAgo } from '../answers/answer-route.ts';
import { agentOf, clusterReading, scheduleOf, tierOf } from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';

const { next_run: _next, ...disarmed } = scheduleOf('judge', { enabled: false });

const schedules = (): Answer<'fleet.schedules'> => ({
  items: [
    scheduleOf('governance-sweep'),
    disarmed,
    scheduleOf('lineage-recon', {
      schedule: '7 3 1-7 * 1',
      editable: false,
      not_editable_because: 'You are not on the list CONSOLE_AGENT_ADMINS.',
    }),
  ],
  ...clusterReading(),
});

const agents = (): Answer<'fleet.agents'> => ({
  items: [
    agentOf('governance-sweep'),
    agentOf('ops-doctor', {
      schedule: '*/15 * * * *',
      state: 'failing',
      reason: 'its last run failed: exit code 2',
      last_run: { state: 'failure', started: minutesAgo(10), took_seconds: 41, detail: 'exit code 2' },
    }),
    {
      name: 'companion',
      workload: { kind: 'Deployment', name: 'companion', namespace: 'campaign' },
      enabled: true,
      state: 'healthy',
      reported: { app: 'campaign', state: 'ok', at: minutesAgo(2) },
    },
  ],
  tiers: [
    tierOf('large', { state: 'failing', reason: 'killed for memory 3 times in 1 h', replicas_ready: 1 }),
  ],
  ...clusterReading(),
});

/** Answers the change of a schedule and tells what was asked for. */
async function answerChange(page: Page, status: number, body: unknown): Promise<string[]> {
  const asked: string[] = [];
  await intercept(
    page,
    (url) => url.pathname.startsWith('/api/agent-schedules/'),
    (request) => {
      const { pathname, search } = new URL(request.request().url());
      asked.push(`${request.request().method()} ${pathname}${search} ${request.request().postData()}`);
      return request.fulfill({ status, json: body });
    },
  );
  return asked;
}

describe.skipIf(chromiumPath === undefined)(`the agents' pages (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const roster = (address: string, look: Look = {}) =>
    openedOn(session, 'fleet.agents', address, agents, look);
  const opened = (address: string, look: Look = {}) =>
    openedOn(session, 'fleet.schedules', address, schedules, look);

  it('shows when each agent runs in words beside the expression, and how its last run ended', async () => {
    const { page, context } = await roster('/?tab=agents');
    const row = page.getByRole('table', { name: 'Agents' }).getByRole('row').nth(1);
    await row.getByText('every 15 min').waitFor();
    await row.getByText('*/15 * * * *').waitFor();
    await row.getByText('Failed', { exact: true }).waitFor();
    await page
      .getByRole('list', { name: 'Inference tiers' })
      .getByText('1 of 2, killed for memory 3 times in 1 h')
      .waitFor();
    await context.close();
  });

  it('tells what an app reported of its agent, and that it never ran as a Job', async () => {
    const { page, context } = await roster('/?tab=agents&q=companion');
    await page.getByRole('table', { name: 'Agents' }).getByRole('link').click();
    const panel = page.getByRole('complementary', { name: 'Agent companion' });
    await panel.getByText('It reported ok').waitFor();
    await panel.getByText('None in the data read.').waitFor();
    await context.close();
  });

  it('disarms an agent only after a question, with what the person saw, and closes when it is done', async () => {
    const { page, context } = await opened('/?tab=schedules');
    const asked = await answerChange(page, 200, scheduleOf('governance-sweep', { enabled: false }));
    await page.getByRole('button', { name: 'Disarm governance-sweep' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disarm governance-sweep?' });
    await dialog.getByText('starts no run until it is armed again').waitFor();
    expect(asked).toEqual([]);
    await dialog.getByRole('button', { name: 'Disarm', exact: true }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(asked).toEqual([
      'PUT /api/agent-schedules/governance-sweep?target=sandbox&namespace=agents {"enabled":false,"was_enabled":true}',
    ]);
    await context.close();
  });

  it('changes nothing when the question is cancelled', async () => {
    const { page, context } = await opened('/?tab=schedules');
    const asked = await answerChange(page, 200, scheduleOf('judge'));
    await page.getByRole('button', { name: 'Arm judge' }).click();
    await page.getByRole('dialog').getByText('runs every day at 02:30 from now on').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(asked).toEqual([]);
    await context.close();
  });

  for (const [status, sentence] of [
    [409, 'Somebody changed judge meanwhile: it is armed now. Look again before you change it.'],
    [422, 'The target prod-eu-1 is read-only. CONSOLE_WRITABLE_TARGETS names the targets that are not.'],
  ] as const) {
    it(`says in words why an agent was not armed, ${status}`, async () => {
      const { page, context } = await opened('/?tab=schedules&record=agents%2Fjudge');
      await answerChange(page, status, { error: sentence });
      await page.getByRole('complementary').getByRole('button', { name: 'Arm', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Arm', exact: true }).click();
      const alert = page.getByRole('dialog').getByRole('alert');
      await alert.getByText('It was not armed.').waitFor();
      await alert.getByText(sentence).waitFor();
      await context.close();
    });
  }

  it('does not let a person change what they may not, and says why', async () => {
    const { page, context } = await opened('/?tab=schedules&record=agents%2Flineage-recon');
    const panel = page.getByRole('complementary', { name: 'Schedule lineage-recon' });
    await panel.getByText('You are not on the list CONSOLE_AGENT_ADMINS.').waitFor();
    expect(await panel.getByRole('button', { name: 'Disarm' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Disarm lineage-recon' }).isDisabled()).toBe(true);
    await context.close();
  });

  it('keeps armed and disarmed in the address', async () => {
    const { page, context } = await opened('/?tab=schedules');
    await page.getByRole('navigation', { name: 'Schedules by state' }).getByText('Disarmed').click();
    await page.getByRole('status').filter({ hasText: '1 schedule, armed first' }).waitFor();
    await expectAddress(page, 'state', 'idle');
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const first = await roster('/?tab=agents&record=CronJob%2Fagents%2Fops-doctor');
    await first.page.getByRole('complementary', { name: 'Agent ops-doctor' }).waitFor();
    await expectSound(first.page, first.complaints);
    await first.context.close();
    const second = await opened('/?tab=schedules');
    await second.page.getByRole('table', { name: 'Schedules' }).waitFor();
    await expectSound(second.page, second.complaints);
    await second.context.close();
  });
});
