import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longestText, type Report, report } from '../../../src-shared/api/troubleshoot.ts';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { expectSound } from '../../support/sound-page.ts';
import { answerRoute } from '../answers/answer-route.ts';
import { clusterReading, clusterSilent } from '../answers/cluster-answers.ts';
import { expectAddress } from '../answers/cluster-pages.ts';
import { answerPlatform, targetOf, targetsOf } from '../answers/platform-answers.ts';
import {
  answerCatalogue,
  answerDiagnosis,
  answerEndlessDiagnosis,
  missingKey,
  missingSecret,
  plainFinding,
  reportOf,
  symptomOf,
} from '../answers/troubleshoot-answers.ts';

const some = () => reportOf([plainFinding('campaign-control-plane'), missingSecret(), missingKey()]);

const catalogue = () => [
  symptomOf('secret-missing', {
    severity: 'critical',
    title: '{workload} cannot start: a Secret is missing',
  }),
  symptomOf('probe-drift', { area: 'health' }),
  symptomOf('out-of-memory', { area: 'workloads', look_for: [{ container: { ended: ['OOMKilled'] } }] }),
];

const findings = (page: Page) => page.getByRole('navigation', { name: 'Findings' });
const reading = (page: Page) => page.getByRole('region', { name: 'The open finding' });
const copied = (page: Page) => page.evaluate('navigator.clipboard.readText()');

describe.skipIf(chromiumPath === undefined)(`the troubleshoot page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = async (address: string, answer: () => Report = some, look: Look = {}) => {
    const tab = await session.open('/?tab=settings', look);
    await answerPlatform(tab.page);
    await answerCatalogue(tab.page, catalogue());
    const asked = await answerDiagnosis(tab.page, answer);
    await tab.page.goto(`${session.console.url}${address}`);
    return { ...tab, asked };
  };

  it('diagnoses the sandbox, and lists what the console reports of it', async () => {
    const { page, context } = await session.open('/?tab=troubleshoot');
    await reading(page).getByRole('region', { name: 'Evidence' }).waitFor();
    await page
      .getByRole('button', { name: /^Diagnose again/ })
      .and(page.locator(':enabled'))
      .waitFor();
    const told = report.parse(
      await (await context.request.get(`${session.console.url}/api/troubleshoot`)).json(),
    );
    expect(told.findings.length).toBeGreaterThan(0);
    expect(await findings(page).getByRole('link').count()).toBe(told.findings.length);
    await context.close();
  });

  it('opens the gravest finding with its cause, its steps and its evidence, the match marked', async () => {
    const { page, context } = await opened('/?tab=troubleshoot');
    await page.getByText('prod-eu-1, 3 findings').waitFor();
    const open = reading(page);
    await open.getByRole('heading', { name: /^cockpit-api cannot start: Secret/ }).waitFor();
    await open.getByText('All 3 pods wait in').waitFor();
    await open.getByText('2 of 5 places').waitFor();
    const evidence = open.getByRole('figure', { name: 'Evidence in events/cockpit.json:118' });
    expect(await evidence.locator('mark').innerText()).toBe('secret "cockpit-db-credentials" not found');
    expect(await evidence.getByRole('listitem').count()).toBe(3);
    await evidence.getByText('117').waitFor();
    await context.close();
  });

  it('says first what could not be checked, why, and which symptoms hang on it', async () => {
    const { page, context } = await opened('/?tab=troubleshoot');
    const side = page.getByRole('complementary', { name: 'What was checked' });
    await side.getByText('metrics.k8s.io did not answer in 5 s.').waitFor();
    await side.getByText('1 check skipped').click();
    await side.getByRole('link', { name: 'out-of-memory' }).click();
    await expectAddress(page, 'panel', 'catalogue');
    await page.getByRole('heading', { name: '‹workload› shows out-of-memory' }).waitFor();
    await context.close();
  });

  it('folds what was checked into one row above the evidence in a narrow window', async () => {
    const { page, context } = await opened('/?tab=troubleshoot', some, { width: 1100, height: 700 });
    const row = reading(page).getByText('1 not checked');
    await row.waitFor();
    expect(await page.getByRole('complementary', { name: 'What was checked' }).count()).toBe(0);
    await row.click();
    await reading(page).getByText('metrics.k8s.io did not answer in 5 s.').waitFor();
    await context.close();
  });

  it('moves by j and k, copies by c and a number, and jumps to the evidence by e', async () => {
    const { page, context } = await opened('/?tab=troubleshoot');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await reading(page)
      .getByRole('heading', { name: /Secret/ })
      .first()
      .waitFor();
    await page.keyboard.press('c');
    await expect.poll(() => copied(page)).toBe('kubectl --context prod-eu-1 -n cockpit get secrets');
    await page.keyboard.press('3');
    await expect
      .poll(() => copied(page))
      .toBe('kubectl --context prod-eu-1 -n cockpit rollout status deployment/cockpit-api');
    await page.keyboard.press('e');
    await expect
      .poll(() => page.evaluate('document.activeElement?.getAttribute("aria-label")'))
      .toBe('Evidence');
    await page.keyboard.press('j');
    await expectAddress(page, 'record', missingKey().id);
    await page.keyboard.press('j');
    await reading(page).getByRole('heading', { name: 'campaign-control-plane is not ready' }).waitFor();
    await page.keyboard.press('k');
    await expectAddress(page, 'record', missingKey().id);
    await context.close();
  });

  it('leads to a competing cause, to the log a line stands in, and to the rule in the catalogue', async () => {
    const { page, context } = await opened('/?tab=troubleshoot&target=prod-eu-1');
    const open = reading(page);
    const log = open.getByRole('link', { name: /^Open the log/ });
    expect(await log.getAttribute('href')).toBe(
      '/?tab=logs&target=prod-eu-1&namespace=cockpit&name=cockpit-api-7c9d-2kx4m&container=api&previous=true',
    );
    await open
      .getByRole('region', { name: 'Competing causes' })
      .getByRole('link', { name: /a key of its Secret is missing/ })
      .click();
    await expectAddress(page, 'record', missingKey().id);
    await page.goBack();
    await open.getByRole('link', { name: 'secret-missing' }).click();
    await expectAddress(page, 'record', 'secret-missing');
    await page.getByRole('region', { name: 'How it is detected' }).waitFor();
    await context.close();
  });

  it('narrows by the words of the address, and says so when no finding is about them', async () => {
    const { page, context } = await opened('/?tab=troubleshoot&q=cockpit-api-7c9d-2kx4m&namespace=cockpit');
    await reading(page)
      .getByRole('heading', { name: /Secret/ })
      .first()
      .waitFor();
    expect(await findings(page).getByRole('link').count()).toBe(2);
    await page.keyboard.press('/');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('vllm-large');
    await page
      .getByRole('heading', { name: 'No finding is about “vllm-large” in namespace cockpit' })
      .waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await expect.poll(() => findings(page).getByRole('link').count()).toBe(3);
    await context.close();
  });

  it('compares with the run before: what is new, what is gone', async () => {
    let now = some();
    const { page, context, asked } = await opened('/?tab=troubleshoot', () => now);
    await page.getByText('prod-eu-1, 3 findings').waitFor();
    now = reportOf([missingKey(), plainFinding('vllm-large')]);
    await page.keyboard.press('r');
    await page.getByText('prod-eu-1, 2 findings').waitFor();
    expect(asked).toEqual(['prod-eu-1', 'prod-eu-1']);
    const rail = findings(page);
    await rail.getByRole('button', { name: '1 new' }).waitFor();
    await rail.getByRole('button', { name: '1 same' }).waitFor();
    await rail.getByRole('button', { name: '2 gone' }).click();
    await expectAddress(page, 'state', 'gone');
    await rail.getByRole('region', { name: 'Not found again' }).waitFor();
    expect(await rail.getByRole('link').count()).toBe(2);
    await context.close();
  });

  it('says that nothing is wrong any more when all that was found is gone', async () => {
    let now = reportOf([missingSecret()], { not_checked: [] });
    const { page, context } = await opened('/?tab=troubleshoot', () => now);
    await reading(page).getByRole('region', { name: 'Evidence' }).waitFor();
    now = reportOf([], { not_checked: [] });
    await page.keyboard.press('r');
    await reading(page).getByRole('region', { name: 'No known problems' }).waitFor();
    await findings(page)
      .getByRole('link', { name: /^Gone: cockpit-api cannot start/ })
      .click();
    await reading(page).getByText('it was fixed, or its object is gone').waitFor();
    await context.close();
  });

  it('can be cancelled, says so, and begins again when asked', async () => {
    const { page, context } = await session.open('/?tab=settings');
    await answerPlatform(page);
    await answerCatalogue(page, catalogue());
    await answerEndlessDiagnosis(page);
    await page.goto(`${session.console.url}/?tab=troubleshoot`);
    await page
      .getByRole('region', { name: 'Diagnosis under way' })
      .getByRole('button', { name: 'Cancel' })
      .click();
    const panel = page.getByRole('region', { name: 'The diagnosis of prod-eu-1 was cancelled' });
    await panel.waitFor();
    await answerDiagnosis(page, some);
    await panel.getByRole('button', { name: 'Diagnose again' }).click();
    await page.getByText('prod-eu-1, 3 findings').waitFor();
    await context.close();
  });

  it('tells nothing wrong from nothing read', async () => {
    let now = reportOf([], { not_checked: [] });
    const { page, context } = await opened('/?tab=troubleshoot', () => now);
    await page.getByRole('region', { name: 'No known problems' }).waitFor();
    now = reportOf([]);
    await page.keyboard.press('r');
    await page.getByRole('region', { name: 'No known problems in what could be checked' }).waitFor();
    now = reportOf([], { ...clusterSilent('The API server at 10.0.0.1:6443 did not answer in 5 s.') });
    await page.keyboard.press('r');
    await page
      .getByRole('region', { name: 'prod-eu-1 could not be diagnosed' })
      .getByText('The API server at 10.0.0.1:6443 did not answer in 5 s.')
      .waitFor();
    await context.close();
  });

  it('gives the console’s own words when it refuses', async () => {
    const { page, context } = await opened('/?tab=settings');
    await intercept(
      page,
      (url) => url.pathname === '/api/troubleshoot',
      (request) => request.fulfill({ status: 404, json: { error: 'There is no target nowhere.' } }),
    );
    await answerRoute(page, 'targets.list', () => targetsOf([targetOf('nowhere')]));
    await page.goto(`${session.console.url}/?tab=troubleshoot&target=nowhere`);
    await page
      .getByRole('region', { name: 'nowhere was not diagnosed' })
      .getByText('There is no target nowhere.')
      .waitFor();
    await context.close();
  });

  it('offers a cluster, a bundle and a text when there is nothing to diagnose', async () => {
    const { page, context } = await opened('/?tab=settings');
    await answerRoute(page, 'targets.list', () => targetsOf([]));
    await page.goto(`${session.console.url}/?tab=troubleshoot`);
    const panel = page.getByRole('region', { name: 'There is nothing to diagnose yet' });
    await panel.getByRole('button', { name: 'Open a bundle' }).click();
    await page.getByRole('dialog', { name: 'Open a bundle' }).waitFor();
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'Paste text' }).click();
    await page.getByRole('dialog', { name: 'Explain a text' }).waitFor();
    await context.close();
  });

  it('explains a pasted text among the findings, marked as from the text, and refuses one that is too long', async () => {
    const { page, context } = await opened('/?tab=troubleshoot');
    const sent: string[] = [];
    await intercept(page, '/api/troubleshoot/text', (request) => {
      sent.push(request.request().postData() ?? '');
      const {
        source: _source,
        target: _target,
        ...told
      } = reportOf([plainFinding('x', { title: 'The database refuses connections', objects: [] })]);
      return request.fulfill({ json: told });
    });
    await page.getByRole('button', { name: 'Paste text' }).click();
    const dialog = page.getByRole('dialog', { name: 'Explain a text' });
    await dialog.getByRole('textbox').fill('x'.repeat(longestText + 1));
    await dialog.getByText('The text is 1 character too long.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Explain' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('connection refused');
    await dialog.getByRole('button', { name: 'Explain' }).click();
    await reading(page).getByRole('heading', { name: 'The database refuses connections' }).waitFor();
    expect(sent).toEqual(['{"text":"connection refused"}']);
    await findings(page)
      .getByRole('link', { name: /The database refuses connections from the text/ })
      .waitFor();
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await expect.poll(() => findings(page).getByRole('link').count()).toBe(3);
    await context.close();
  });

  it('gives the report as Markdown and as JSON', async () => {
    const { page, context } = await opened('/?tab=troubleshoot');
    await page.getByText('prod-eu-1, 3 findings').waitFor();
    const saved = async (name: string) => {
      await page.getByRole('button', { name: 'Export the report' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .getByRole('dialog', { name: 'Export the report' })
          .getByRole('button', { name, exact: true })
          .click(),
      ]);
      return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
    };
    const markdown = await saved('Markdown');
    expect(markdown.name).toBe('diagnosis-prod-eu-1.md');
    expect(markdown.text).toContain('## Critical: cockpit-api cannot start');
    const json = await saved('JSON');
    expect(json.name).toBe('diagnosis-prod-eu-1.json');
    expect(report.parse(JSON.parse(json.text)).findings).toHaveLength(3);
    await context.close();
  });

  it('searches the catalogue by what a symptom is looked for by (RTE-031)', async () => {
    const { page, context } = await opened('/?tab=troubleshoot&panel=catalogue');
    const rail = page.getByRole('navigation', { name: 'Symptoms' });
    await rail.getByRole('region', { name: 'Workloads' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('OOMKilled');
    await expect.poll(() => rail.getByRole('link').count()).toBe(1);
    await page
      .getByRole('region', { name: 'The open symptom' })
      .getByText('A container ended with the reason')
      .waitFor();
    await context.close();
  });

  it('leads from the reference of a finding to the requirement, in the words that ship with the console', async () => {
    const { page, context } = await opened('/?tab=troubleshoot');
    await reading(page).getByRole('link', { name: 'BCK-062' }).click();
    await expectAddress(page, 'panel', 'requirements');
    await expectAddress(page, 'record', 'BCK-062');
    const list = page.getByRole('region', { name: 'Requirements', exact: true });
    const row = list.locator('#BCK-062');
    await row.getByText('AUTH_JWT_SECRET').waitFor();
    expect(await row.getAttribute('aria-current')).toBe('true');
    await expect.poll(() => page.evaluate('document.activeElement?.id')).toBe('BCK-062');
    expect(await page.evaluate('document.activeElement.getBoundingClientRect().bottom < innerHeight')).toBe(
      true,
    );
    await page.keyboard.press('/');
    await page.keyboard.type('never makes up data');
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await context.close();
  });

  it('finds a symptom from the palette of any page', async () => {
    const { page, context } = await opened('/?tab=settings');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await answerRoute(page, 'search.find', () => ({
      groups: [
        {
          group: 'symptoms' as const,
          items: [
            {
              id: 'probe-drift',
              name: '… shows probe-drift',
              address: '/?tab=troubleshoot&panel=catalogue&record=probe-drift',
            },
          ],
          more: 0,
        },
      ],
      pending: false,
      ...clusterReading(),
    }));
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('shows probe-drift');
    await page.getByRole('group', { name: 'Symptoms' }).getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await expectAddress(page, 'record', 'probe-drift');
    await page.getByRole('heading', { name: '‹workload› shows probe-drift' }).waitFor();
    await context.close();
  });

  it('is led to from what needs a person, with the finding of that object open', async () => {
    const { page, context } = await opened('/?tab=overview');
    await page.getByRole('link', { name: /^Explain Deployment cockpit-api$/ }).click();
    await expectAddress(page, 'q', 'cockpit-api');
    await reading(page)
      .getByRole('heading', { name: /^cockpit-api cannot start/ })
      .waitFor();
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened('/?tab=troubleshoot', some);
    await reading(page).getByRole('region', { name: 'Evidence' }).waitFor();
    await expectSound(page, complaints);
    await page.getByRole('link', { name: /^Catalogue/ }).click();
    await page.getByRole('region', { name: 'How it is detected' }).waitFor();
    await expectSound(page, complaints);
    await page.getByRole('link', { name: /^Requirements/ }).click();
    await page.getByText('BCK-001', { exact: true }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
