import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundleProgress, bundle, bundleProgress } from '../../../src-shared/api/targets.ts';
import { firstLook } from '../../../src-shared/api/troubleshoot.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept } from '../../support/intercepted-requests.ts';
import { axeViolations } from '../../support/sound-page.ts';
import { type Answer, answerRoute, minutesAgo } from '../answers/answer-route.ts';
import { clusterReading } from '../answers/cluster-answers.ts';
import { answerPlatform, dashboard, targetOf, targetsOf } from '../answers/platform-answers.ts';
import { missingSecret } from '../answers/troubleshoot-answers.ts';

const opening = bundle.parse({
  id: 'abcd1234',
  target: 'bundle:abcd1234',
  name: 'support.tar.gz',
  state: 'opening',
  opened_at: minutesAgo(0),
  closable: true,
  files: 0,
  objects: 0,
  logs: 0,
  gaps: [],
});
const opened = targetOf('support.tar.gz', {
  id: 'bundle:abcd1234',
  kind: 'bundle',
  taken_at: minutesAgo(3 * 1440),
  taken_by: 'newest node heartbeat',
});

const event = (progress: BundleProgress): string =>
  `event: progress\ndata: ${JSON.stringify(bundleProgress.parse(progress))}\n\n`;

describe.skipIf(chromiumPath === undefined)(`targets and bundles (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const withTargets = async (
    targets: () => Answer<'targets.list'>,
    look: Parameters<BrowserSession['open']>[1] = {},
  ) => {
    const tab = await session.blank(look);
    await answerPlatform(tab.page);
    await answerRoute(tab.page, 'targets.list', targets);
    await tab.page.goto(`${session.console.url}/?tab=overview`);
    await tab.page.getByRole('table', { name: 'Tracked workloads' }).waitFor();
    return tab;
  };

  const picker = (page: Page) => page.getByRole('dialog', { name: /^Target:/ });

  /** Answers the opening of a bundle with these events of its progress. */
  const answerOpening = async (page: Page, events: readonly BundleProgress[]) => {
    const asked: string[] = [];
    await intercept(page, /\/api\/bundles(\/|\?|$)/, (request) => {
      const { pathname } = new URL(request.request().url());
      asked.push(`${request.request().method()} ${pathname}`);
      if (pathname.endsWith('/progress'))
        return request.fulfill({ contentType: 'text/event-stream', body: events.map(event).join('') });
      if (request.request().method() === 'DELETE') return request.fulfill({ json: { closed: true } });
      return request.fulfill({ json: opening });
    });
    await intercept(page, '/api/targets/select', (request) => {
      asked.push(`select ${request.request().postData()}`);
      return request.fulfill({ json: { chosen: opening.target } });
    });
    return asked;
  };

  /** Opens the dialog from the picker and gives it a path. */
  const openByPath = async (page: Page, path: string) => {
    await page.keyboard.press('o');
    await picker(page)
      .getByRole('button', { name: /^Open a bundle/ })
      .click();
    await page.getByLabel('Or the path of a file or folder on this machine').fill(path);
    await page.keyboard.press('Enter');
  };

  it('chooses another cluster by keys alone and forgets what was read of the one before', async () => {
    let chosen = 'prod-eu-1';
    const { page, context } = await withTargets(() =>
      targetsOf([targetOf('prod-eu-1'), targetOf('staging-eu-1', { state: 'unread' })], chosen),
    );
    await intercept(page, '/api/targets/select', (request) => {
      chosen = 'staging-eu-1';
      return request.fulfill({ json: { chosen } });
    });
    await intercept(page, '/api/dashboard?target=staging-eu-1', (request) =>
      request.fulfill({ json: { ...dashboard(), attention: [], ...clusterReading('staging-eu-1') } }),
    );
    await page.keyboard.press('o');
    await picker(page).getByText('Not contacted yet').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('staging-eu-1, nothing needs attention').waitFor();
    expect(await page.getByText('cockpit-api cannot start').count()).toBe(0);
    await expect.poll(() => picker(page).count()).toBe(0);
    await context.close();
  });

  it('offers to close the bundles that the person may close, and no other', async () => {
    const other = targetOf('estate.json', { id: 'bundle:beef5678', kind: 'bundle', closable: false });
    const { page, context } = await withTargets(() =>
      targetsOf([targetOf('prod-eu-1'), { ...opened, closable: true }, other]),
    );
    await page.keyboard.press('o');
    await picker(page).getByText('estate.json', { exact: true }).waitFor();
    await picker(page).getByRole('button', { name: 'Close support.tar.gz' }).waitFor();
    expect(await picker(page).getByRole('button', { name: 'Close estate.json' }).count()).toBe(0);
    await context.close();
  });

  it('says of a cluster that wants a sign-in which command gives it, and contacts it anew', async () => {
    const asleep = targetOf('prod-us-1', {
      state: 'sign_in',
      detail: 'The token of prod-us-1 has expired: run `cloud login --profile us` and try again.',
    });
    const { page, context } = await withTargets(() => targetsOf([targetOf('prod-eu-1'), asleep]));
    const contacted: string[] = [];
    await intercept(page, '/api/targets/retry', (request) => {
      contacted.push(request.request().postData() ?? '');
      return request.fulfill({ json: asleep });
    });
    await page.keyboard.press('o');
    await picker(page).getByText('Sign-in needed').waitFor();
    await picker(page).getByRole('button', { name: 'Copy the command' }).waitFor();
    expect(await picker(page).locator('code').allTextContents()).toContain('cloud login --profile us');
    await picker(page).getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => contacted).toEqual(['{"target":"prod-us-1"}']);
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  it('finds the command in what a sign-in program said itself', async () => {
    const asleep = targetOf('arn:aws:eks:eu-central-1:123456789012:cluster/production-payments', {
      state: 'sign_in',
      detail:
        'The sign-in program aws failed: The SSO session has expired. Run aws sso login --profile northgate. Sign in with it in a terminal, then retry.',
    });
    const { page, context } = await withTargets(() => targetsOf([asleep]));
    await page.getByRole('button', { name: /cluster\/production-payments/ }).click();
    await picker(page).getByRole('button', { name: 'Copy the command' }).waitFor();
    expect(await picker(page).locator('code').allTextContents()).toContain(
      'aws sso login --profile northgate',
    );
    await context.close();
  });

  it('says that a cluster answers as soon as a page was read of it', async () => {
    const tab = await session.blank();
    await answerPlatform(tab.page);
    let read = false;
    await answerRoute(tab.page, 'targets.list', () =>
      targetsOf([targetOf('prod-eu-1', { state: read ? 'ready' : 'unread' })]),
    );
    await answerRoute(tab.page, 'cluster.dashboard', () => {
      read = true;
      return dashboard();
    });
    await tab.page.goto(`${session.console.url}/?tab=settings`);
    await tab.page.getByRole('button', { name: /^Target: prod-eu-1 not contacted yet/ }).waitFor();
    // Paused, so that nothing lists the targets again by and by.
    await tab.page.keyboard.press('p');
    await tab.page.getByRole('button', { name: 'Go on reading' }).waitFor();
    await tab.page.keyboard.press('g');
    await tab.page.keyboard.press('o');
    await tab.page.getByRole('button', { name: /^Target: prod-eu-1 kubeconfig/ }).waitFor();
    await tab.context.close();
  });

  it('filters many clusters by name', async () => {
    const many = Array.from({ length: 40 }, (_, index) => targetOf(`cluster-${index}`));
    const { page, context } = await withTargets(() => targetsOf(many));
    await page.keyboard.press('o');
    await picker(page).getByRole('searchbox').fill('cluster-17');
    await expect.poll(() => picker(page).locator('[data-target]').count()).toBe(1);
    await context.close();
  });

  it('uploads a bundle, reads from it once it is open, and says how old it is on every cluster page', async () => {
    let bundleOpen = false;
    const { page, context } = await withTargets(() =>
      bundleOpen ? targetsOf([targetOf('prod-eu-1'), opened], opened.id) : targetsOf([targetOf('prod-eu-1')]),
    );
    const asked = await answerOpening(page, [
      {
        state: 'opening',
        step: 'Reading pods',
        bytes_read: 5_000_000,
        bytes: 9_000_000,
        files: 12,
        objects: 80,
      },
      { state: 'open', step: 'Done', bytes_read: 9_000_000, bytes: 9_000_000, files: 20, objects: 100 },
    ]);
    await page.keyboard.press('o');
    await picker(page)
      .getByRole('button', { name: /^Open a bundle/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Open a bundle' });
    expect(await axeViolations(page)).toEqual([]);
    bundleOpen = true;
    await dialog
      .getByLabel('Bundle file')
      .setInputFiles({ name: 'support.tar.gz', mimeType: 'application/gzip', buffer: Buffer.from('bundle') });
    await page.getByRole('note').filter({ hasText: 'Offline bundle.' }).getByText('3 d ago').waitFor();
    await page.getByText('by its newest node heartbeat', { exact: false }).waitFor();
    expect(asked).toEqual([
      'POST /api/bundles',
      'GET /api/bundles/abcd1234/progress',
      'select {"target":"bundle:abcd1234"}',
    ]);
    await page.goto(`${session.console.url}/?tab=audit`);
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    expect(await page.getByText('Offline bundle.').count()).toBe(0);
    await context.close();
  });

  it('takes a file that is dropped on the window, and says why it was not opened', async () => {
    const { page, context } = await withTargets(() => targetsOf([targetOf('prod-eu-1')]));
    await answerOpening(page, [
      {
        state: 'failed',
        step: 'Reading the archive',
        bytes_read: 10,
        files: 0,
        objects: 0,
        detail: 'The archive ends in the middle of a file.',
      },
    ]);
    await page.evaluate(`{
      const files = new DataTransfer();
      files.items.add(new File(['half'], 'half.tar.gz'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    }`);
    const dialog = page.getByRole('dialog', { name: 'Open a bundle' });
    await dialog.getByText('half.tar.gz was not opened.').waitFor();
    await dialog.getByText('The archive ends in the middle of a file.').waitFor();
    await context.close();
  });

  it('shows what a bundle says before it is open', async () => {
    const { page, context } = await withTargets(() => targetsOf([targetOf('prod-eu-1')]));
    await answerOpening(page, [
      { state: 'opening', step: 'Reading pods', bytes_read: 1000, files: 3, objects: 9 },
    ]);
    const found = firstLook.parse({ findings: [missingSecret()], ended: false });
    await intercept(page, '/api/troubleshoot/bundles/abcd1234', (request) =>
      request.fulfill({
        contentType: 'text/event-stream',
        body: `event: found\ndata: ${JSON.stringify(found)}\n\n`,
      }),
    );
    await openByPath(page, '/var/bundles/support');
    const findings = page
      .getByRole('dialog', { name: 'Opening support' })
      .getByRole('region', { name: 'Found so far' });
    await findings
      .getByText('cockpit-api cannot start: Secret cockpit-db-credentials does not exist')
      .waitFor();
    await findings.getByText('secret "cockpit-db-credentials" not found', { exact: false }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  it('ends the opening of a bundle on the console when it is cancelled', async () => {
    const { page, context } = await withTargets(() => targetsOf([targetOf('prod-eu-1')]));
    const asked = await answerOpening(page, [
      { state: 'opening', step: 'Reading pods', bytes_read: 1000, files: 3, objects: 9 },
    ]);
    await openByPath(page, '/var/bundles/support');
    const dialog = page.getByRole('dialog', { name: 'Opening support' });
    await dialog.getByText('Reading pods').waitFor();
    await dialog.getByText('3 files and 9 objects so far.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => asked).toContain('DELETE /api/bundles/abcd1234');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await context.close();
  });

  it('reads the page again when the cluster says that something changed', async () => {
    let changed = false;
    const tab = await session.blank();
    await answerPlatform(tab.page);
    await intercept(tab.page, '/api/targets/changes?target=prod-eu-1', (request) => {
      changed = true;
      return request.fulfill({
        contentType: 'text/event-stream',
        body: 'event: changed\ndata: {"resources":["pods"]}\n\n',
      });
    });
    let reads = 0;
    await answerRoute(tab.page, 'cluster.dashboard', () => {
      reads++;
      return changed && reads > 1 ? { ...dashboard(), attention: [] } : dashboard();
    });
    await tab.page.goto(`${session.console.url}/?tab=overview`);
    await tab.page.getByText('Nothing needs attention', { exact: true }).waitFor();
    await tab.context.close();
  });
});
