import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import { type Answer, answerRoute } from '../answers/answer-route.ts';

const at = new Date(Date.now() - 3_600_000).toISOString();
const reading = { source: 'console', complete: true, read_at: at, unmeasured: [] };
const evidence = [{ source: '/api/governance', fact: '2 of 3 namespaces name their tenant.' }];
const counted = 'Namespaces that are not of the cluster itself: those with the label of a tenant.';
const ownership = {
  id: 'ownership',
  title: 'Each namespace names its tenant',
  finding: '2 of 3 namespaces name their tenant. Not: lab.',
  counted,
  evidence,
};

describe.skipIf(chromiumPath === undefined)(`the pages of trust (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  it('Harness shows each finding with its next step and evidence, and acts only once it is confirmed', async () => {
    const tab = await session.blank();
    const { page } = tab;
    const finding: Answer<'intelligence.harness'>['items'][number] = {
      ...ownership,
      of: ['measures', 'compliance'],
      severity: 'warning',
      remediation: 'Label the namespaces that are named with their tenant.',
      revision: 'r1',
      action: {
        kind: 'dispatch',
        title: 'Send to my agent session',
        class: 'agents',
        command: 'Find out whose the namespaces are.',
      },
    };
    const acted = { state: 'done' as const, sentence: 'Queued.', by: 'mira', at, attempt: 1, ref: 'c1' };
    const asked: string[] = [];
    await answerRoute(page, 'intelligence.harness', () => ({
      ...reading,
      items: [asked.length === 0 ? finding : { ...finding, acted }],
    }));
    await intercept(
      page,
      (url) => url.pathname === '/api/harness/ownership/act',
      (route) => {
        asked.push(route.request().postData() ?? '');
        return route.fulfill({ json: { ...acted, repeated: false } });
      },
    );
    await page.goto(`${session.console.url}/?tab=harness`);
    const row = page.getByRole('list', { name: 'Findings' }).getByRole('listitem').first();
    await row.getByText('Next step:').waitFor();
    expect(await row.innerText()).toMatch(/Warning[\s\S]*lab[\s\S]*Counted[\s\S]*\/api\/governance/);
    await row.getByRole('button', { name: /^Send to my agent session/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Send to my agent session?' });
    await dialog.getByText('Find out whose the namespaces are.').waitFor();
    expect(asked).toEqual([]);
    await dialog.getByRole('button', { name: 'Send to my agent session' }).click();
    await row.getByText('Queued.').waitFor();
    expect(asked.map((body) => JSON.parse(body) as unknown)).toEqual([{ revision: 'r1' }]);
    expect(await row.getByRole('button').count()).toBe(0);
    await expectSound(page, tab.complaints);
    await tab.context.close();
  });

  it('Guardrails offer no more than a hard limit leaves, and save what was confirmed with its revision', async () => {
    const tab = await session.open('/?tab=guardrails');
    const { page } = tab;
    const deletion = page.getByRole('radiogroup', { name: 'Autonomy of deletion' });
    await deletion.waitFor();
    expect(await deletion.getByRole('radio', { name: 'Auto' }).isDisabled()).toBe(true);
    await page.getByText('A person approves every deletion.').waitFor();
    const agents = page.getByRole('radiogroup', { name: 'Autonomy of agents' });
    await agents.getByText('Auto').click();
    await page.getByText('not saved').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the guardrails?' });
    expect(await dialog.innerText()).toMatch(/Agents: Ask to Auto/);
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('Revision 1').waitFor();
    expect(await agents.getByRole('radio', { name: 'Auto' }).isChecked()).toBe(true);
    await expectSound(page, tab.complaints);
    await tab.context.close();
  });

  it('Compliance and Measures say what is unmeasured, and give it no figure', async () => {
    const unmeasured = {
      id: 'backup',
      title: 'The store is backed up',
      outcome: 'unmeasured' as const,
      finding: 'The console reads no backup system.',
      counted: 'Backups that the console can read.',
      evidence: [],
    };
    const failed = { ...ownership, outcome: 'fail' as const, share: { part: 2, whole: 3 } };
    const tab = await session.blank();
    const { page } = tab;
    await answerRoute(page, 'intelligence.compliance', () => ({
      ...reading,
      controls: [
        { ...unmeasured, area: 'backup' as const },
        { ...failed, area: 'ownership' as const },
      ],
      outcomes: { pass: 0, fail: 1, unmeasured: 1 },
    }));
    await answerRoute(page, 'intelligence.measures', () => ({
      ...reading,
      categories: [{ ...failed, remediation: 'Label them.' }, unmeasured],
      outcomes: { pass: 0, fail: 1, unmeasured: 1 },
    }));
    for (const name of ['compliance', 'measures']) {
      await page.goto(`${session.console.url}/?tab=${name}`);
      await page.getByText('The store is backed up').waitFor();
      const row = page.getByRole('listitem').filter({ hasText: 'The store is backed up' });
      expect(await row.innerText()).toMatch(/Unmeasured[\s\S]*None: it is not measured\.[\s\S]*Not measured/);
      expect(await row.innerText()).not.toMatch(/\d+ %/);
      await page.getByText('2 of 3', { exact: true }).waitFor();
      await expectSound(page, tab.complaints);
    }
    await tab.context.close();
  });

  it('Maturity shows no composite of fewer than five dimensions', async () => {
    const names = ['delivery', 'reliability', 'security', 'governance', 'autonomy'] as const;
    const measured = (count: number): Answer<'intelligence.maturity'> => ({
      ...reading,
      dimensions: names.map((name, index) =>
        index < count
          ? { name, counted, share: { part: 1, whole: 2 }, evidence }
          : { name, counted, unmeasured: 'Too few.', evidence: [] },
      ),
      ...(count === 5 ? { composite: 0.5 } : {}),
      counted: 'The composite is the mean of the five shares, each of the same weight.',
    });
    const tab = await session.blank();
    const { page } = tab;
    let count = 4;
    await answerRoute(page, 'intelligence.maturity', () => measured(count));
    await page.goto(`${session.console.url}/?tab=maturity`);
    const composite = page.getByRole('region', { name: 'Composite' });
    await composite.getByText('None. Not measured: Autonomy.').waitFor();
    count = 5;
    await page.reload();
    await composite.getByText('50 %').waitFor();
    await expectSound(page, tab.complaints);
    await tab.context.close();
  });

  it('Rules, Judgement and Swarm show what is declared, submitted and run, with what each rests on', async () => {
    const tab = await session.blank();
    const { page } = tab;
    await answerRoute(page, 'rulesRecon.read', () => ({
      ...reading,
      items: [
        {
          tenant: 'acme',
          id: 'refunds',
          title: 'Refunds are paid within 14 days',
          state: 'broken' as const,
          finding: 'What was observed does not meet the condition.',
          declared: {
            condition: 'facts.oldest_days <= 14.0',
            facts: { oldest_days: 'double' as const },
            repo: 'shop',
            url: 'https://code.example/shop/blob/abc/.platform/rules.yaml',
            line: 2,
          },
          observed: { at, facts: { oldest_days: 20.5 } },
          evidence: [{ source: 'connection:orders', fact: '3 refunds are open.' }],
        },
      ],
      states: { broken: 1, undeclared: 0, unmeasured: 0, holds: 0 },
      counted: 'Rules by their newest observation.',
      tenants: ['acme'],
      errors: [],
    }));
    await page.goto(`${session.console.url}/?tab=rules`);
    await page.getByText('oldest_days = 20.5').waitFor();
    await expectSound(page, tab.complaints);
    await answerRoute(page, 'judgement.findings', () => ({
      ...reading,
      items: [
        { platform: 'scanner', id: 'f-1', title: 'Open bucket', submitted_at: at },
        {
          platform: 'scanner',
          id: 'f-2',
          title: 'Weak cipher',
          submitted_at: at,
          judgement: { app: 'judge', verdict: 'rejected' as const, reason: 'Not reachable.', judged_at: at },
        },
      ],
    }));
    await page.goto(`${session.console.url}/?tab=judgement`);
    await page.getByText('2 findings: 1 not judged, 1 rejected').waitFor();
    await expectSound(page, tab.complaints);
    await page.goto(`${session.console.url}/?tab=swarm`);
    await page.getByRole('region', { name: 'Fleet' }).getByText('/api/agents').waitFor();
    await expectSound(page, tab.complaints);
    await tab.context.close();
  });
});
