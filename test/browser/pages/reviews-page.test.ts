import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding, Review } from '../../../src-shared/api/runs.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { intercept, stopIntercepting } from '../../support/intercepted-requests.ts';
import { axeViolations, expectSound } from '../../support/sound-page.ts';
import { answerOf, answerWith, read, unread } from '../answers/run-answers.ts';

/** How long a change of the page is waited for, in milliseconds. */
const patience = { timeout: 20_000 };
const listPath = /\/api\/reviews(?:\?|$)/;
const onePath = /\/api\/reviews\/[a-z]+\/\d+(?:\?|$)/;
const detailPath = /\/detail/;

const review = (run_id: number, more: Partial<Review> = {}): Review => ({
  type: 'security',
  run_id,
  repo: 'harbour',
  name: 'Security review',
  title: 'Set limits for quay requests',
  state: 'success',
  started: new Date(Date.now() - run_id * 60_000).toISOString(),
  took_seconds: 200,
  url: `https://code.example/northgate/harbour/actions/runs/${run_id}`,
  sha: 'd'.repeat(40),
  pull_request: 42,
  findings_count: 0,
  ...more,
});
const finding = (severity: Finding['severity'], path: string, line: number, body = 'Why.'): Finding => ({
  severity,
  path,
  line,
  title: `A ${severity} at ${line}`,
  body,
  url: `https://code.example/northgate/harbour/blob/x/${path}#L${line}`,
});
const findings = [
  finding('error', 'src/limits.ts', 12, 'Use `Number.isFinite` here.\n<b>Not bold</b>'),
  finding('error', 'src/access.ts', 3),
  finding('warning', 'src/limits.ts', 40),
];

const part = (page: Page, name: string): string | null => new URL(page.url()).searchParams.get(name);
const article = (page: Page) => page.getByRole('article');

describe.skipIf(chromiumPath === undefined)(`the reviews page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  type Given = {
    readonly items: Review[];
    readonly found?: readonly Finding[];
    readonly one?: string;
    readonly address?: string;
  };
  /** Opens the page on answers that never change; every review found the same. */
  const open = async ({ items, found = [], one, address = '/?tab=reviews' }: Given) => {
    const opened = await session.blank();
    await answerWith(opened.page, listPath, answerOf('reviews.list', { items, latest: [], ...read }));
    await intercept(opened.page, onePath, (route) => {
      const asked = Number(/(\d+)(?:\?|$)/.exec(route.request().url())?.[1]);
      const body =
        one ??
        answerOf('reviews.one', {
          review: items.find(({ run_id }) => run_id === asked),
          findings: [...found],
          ...read,
        });
      return route.fulfill({ contentType: 'application/json', body });
    });
    await opened.page.goto(`${session.console.url}${address}`);
    return opened;
  };

  it('opens the review of the sandbox that needs a person most, and reads what was posted when asked', async () => {
    const { page, context, complaints } = await session.open('/?tab=reviews');
    const rail = page.getByRole('navigation', { name: 'Reviews' });
    const first = rail.getByRole('link').first();
    await first.waitFor();
    expect(await first.getAttribute('aria-current')).toBe('true');
    await article(page).getByRole('region', { name: 'Errors', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Posted on the code host' }).locator('li').count()).toBe(0);
    await page.getByRole('button', { name: 'Read them' }).click();
    await page.getByText('Changes requested').waitFor();
    await expect.poll(() => part(page, 'section'), patience).toBe('posted');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('groups findings by severity and file, as text with code at most, each with its place', async () => {
    const { page, context } = await open({ items: [review(1)], found: findings });
    const errors = article(page).getByRole('region', { name: 'Errors', exact: true });
    await errors.waitFor();
    expect(await errors.locator('h4').allInnerTexts()).toEqual(['src/access.ts', 'src/limits.ts']);
    const limits = errors.getByRole('region', { name: 'Errors in src/limits.ts' });
    expect(await limits.locator('code').last().innerText()).toBe('Number.isFinite');
    await limits.getByText('<b>Not bold</b>').waitFor();
    expect(await page.locator('article b').count()).toBe(0);
    expect(await limits.getByRole('link', { name: 'Line 12' }).getAttribute('href')).toBe(
      'https://code.example/northgate/harbour/blob/x/src/limits.ts#L12',
    );
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await limits.getByRole('button', { name: 'Copy src/limits.ts:12' }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'), patience)
      .toBe('src/limits.ts:12');
    await context.close();
  });

  it('narrows by severity and by type, in the address', async () => {
    const { page, context } = await open({
      items: [review(1), review(2, { type: 'quality', name: 'Quality review' })],
      found: findings,
    });
    await page.getByRole('link', { name: '1 warning' }).click();
    await expect.poll(() => part(page, 'severity'), patience).toBe('warning');
    expect(await article(page).getByRole('region', { name: 'Errors', exact: true }).count()).toBe(0);
    await page.getByRole('link', { name: 'All 3 findings' }).click();
    await article(page).getByRole('region', { name: 'Errors', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Type/ }).click();
    await page.getByRole('button', { name: 'Quality', exact: true }).click();
    await expect.poll(() => part(page, 'type'), patience).toBe('quality');
    const rail = page.getByRole('navigation', { name: 'Reviews' });
    expect(await rail.getByRole('listitem').count()).toBe(1);
    await context.close();
  });

  it('moves by j and k, and an older review of the same kind is one link away', async () => {
    const items = [review(1), review(2, { repo: 'cockpit' }), review(3, { title: 'An older change' })];
    const { page, context } = await open({ items });
    await article(page).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('article', { name: 'Security review of cockpit' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('article', { name: 'Security review of harbour' }).waitFor();
    const side = page.getByRole('complementary', { name: 'About this review' });
    await side.getByRole('link', { name: /An older change/ }).click();
    await article(page).getByRole('heading', { name: 'An older change' }).waitFor();
    await expect.poll(() => part(page, 'run'), patience).toBe('3');
    await context.close();
  });

  it('says calmly that nothing was found, and what makes that sure', async () => {
    const { page, context } = await open({ items: [review(1)] });
    const calm = page.getByRole('region', { name: 'No findings' });
    await calm.getByText('The review finished with nothing to report on this change.').waitFor();
    await calm.getByText('All checks of Security review were read').waitFor();
    await calm.getByText('ddddddd').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await context.close();
  });

  it('never takes findings that were not read for none', async () => {
    const { findings_count: _unknown, ...unknown } = review(1);
    const one = answerOf('reviews.one', {
      review: unknown,
      findings: [],
      ...read,
      complete: false,
      unmeasured: ['The checks were not read: the code host answered 502.'],
    });
    const { page, context } = await open({ items: [unknown], one });
    await page.getByRole('heading', { name: 'The findings of this review were not read' }).waitFor();
    await page.getByText('The checks were not read: the code host answered 502.').waitFor();
    await page.getByRole('navigation', { name: 'Reviews' }).getByText('findings not read').waitFor();
    expect(await page.getByRole('region', { name: 'No findings' }).count()).toBe(0);
    await context.close();
  });

  it('shows a review that runs as such, with its time', async () => {
    const { findings_count: _none, ...running } = review(1, { state: 'running' });
    const { page, context } = await open({ items: [running] });
    await page.getByRole('heading', { name: 'This review is running' }).waitFor();
    await article(page)
      .getByText(/for 3 min/)
      .waitFor();
    await context.close();
  });

  it('shows verdicts and comments with their author, and says when they were not read', async () => {
    const { page, context } = await open({ items: [review(1)], address: '/?tab=reviews&run=1' });
    await intercept(page, detailPath, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/json',
        body: JSON.stringify({ error: 'The code host did not answer.' }),
      }),
    );
    await page.getByRole('button', { name: 'Read them' }).click();
    await page.getByText('The code host did not answer.').waitFor();
    stopIntercepting(page, detailPath);
    await answerWith(
      page,
      detailPath,
      answerOf('reviews.detail', {
        review: review(1),
        findings: [],
        comments: [
          {
            kind: 'verdict',
            author: 'security-review[bot]',
            agent: true,
            verdict: 'approved',
            body: 'Nothing to add.',
            url: 'https://code.example/1',
            at: new Date().toISOString(),
          },
        ],
        ...read,
      }),
    );
    const posted = page.getByRole('region', { name: 'Posted on the code host' });
    await posted.getByRole('button', { name: 'Retry' }).click();
    await posted.getByText('Approved').waitFor();
    expect(await posted.getByRole('listitem').innerText()).toContain('security-review[bot]');
    await context.close();
  });

  it('says what a review is when there is none, and why nothing was read', async () => {
    const { page, context } = await open({ items: [] });
    await page.getByRole('heading', { name: 'No reviews yet' }).waitFor();
    const reason = 'The repositories were not read: the code host answered 502.';
    stopIntercepting(page, listPath);
    await answerWith(page, listPath, answerOf('reviews.list', { items: [], latest: [], ...unread(reason) }));
    await page.reload();
    await page.getByRole('heading', { name: 'Reviews were not read' }).waitFor();
    await page.getByText(reason).first().waitFor();
    await context.close();
  });

  it('says that a review a link names is not among those that were read', async () => {
    const { page, context } = await open({ items: [review(1)], address: '/?tab=reviews&run=99' });
    await page.getByRole('heading', { name: 'Run 99 is not one of the reviews read' }).waitFor();
    await page.getByRole('button', { name: 'Show every review' }).click();
    await article(page).waitFor();
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await session.open('/?tab=reviews&section=posted');
    await page.getByText('Changes requested').waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
