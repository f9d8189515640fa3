import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Delivery } from '../../../src-shared/api/delivery.ts';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import { type Answer, answerRoute, minutesAgo } from '../answers/answer-route.ts';
import { shaOf, wholeReading } from '../answers/delivery-answers.ts';

const delivery = (name: string, repo: string, over: Partial<Delivery> = {}): Delivery => ({
  name,
  repo,
  branch: 'main',
  sync: 'synced',
  health: 'healthy',
  detail: 'delivered aaaaaaa',
  revision: shaOf('a'),
  target_revision: shaOf('a'),
  last_transition: minutesAgo(12),
  url: `https://code.example/northgate/${repo}/actions/runs/1`,
  ...over,
});

const failing = delivery('Deploy', 'campaign-control-plane', {
  sync: 'out_of_sync',
  health: 'degraded',
  detail: 'failed on bbbbbbb, last good aaaaaaa 1 run before',
  target_revision: shaOf('b'),
});

const answerOf = (items: Delivery[]): Answer<'delivery.gitops'> => ({
  mode: 'workflows',
  items,
  ...wholeReading(),
});

const some = () =>
  answerOf([
    delivery('Deploy', 'harbour'),
    failing,
    delivery('Release', 'harbour', {
      sync: 'progressing',
      health: 'progressing',
      detail: 'bbbbbbb is on its way',
    }),
  ]);

describe.skipIf(chromiumPath === undefined)(`the GitOps page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = async (
    address: string,
    answer: () => Answer<'delivery.gitops'>,
    look: Parameters<BrowserSession['open']>[1] = {},
  ) => {
    const tab = await session.blank(look);
    await answerRoute(tab.page, 'delivery.gitops', answer);
    await tab.page.goto(`${session.console.url}${address}`);
    return tab;
  };

  it('shows what the sandbox delivers, worst first, and where it was read from', async () => {
    const { page, context, complaints } = await session.open('/?tab=gitops');
    await page.getByText('From the Applications of Argo CD').waitFor();
    const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    await rows.nth(1).getByText('Degraded').waitFor();
    await rows.nth(1).getByRole('link').click();
    await page
      .getByRole('complementary')
      .getByText(/Deployment bounce-reader: 0 of 1 replicas are available/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('moves by j and k, opens with Enter, lets the panel follow, and gives the focus back on Esc', async () => {
    const { page, context } = await opened('/?tab=gitops', some);
    await page.getByRole('table', { name: 'Deliveries' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Delivery Deploy' });
    await panel.getByText('Failed on bbbbbbb, last good aaaaaaa 1 run before.').waitFor();
    await expect
      .poll(() => new URL(page.url()).searchParams.get('record'))
      .toBe('campaign-control-plane/Deploy');
    expect(await panel.getByRole('link', { name: 'Trace the newest commit' }).getAttribute('href')).toBe(
      `/?tab=lineage&repo=campaign-control-plane&sha=${shaOf('b')}&target=sandbox`,
    );
    await page.keyboard.press('j');
    await page.getByRole('complementary', { name: 'Delivery Release' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.dataset.key')).toBe('harbour/Release');
    await context.close();
  });

  it('keeps what it is narrowed to in the address, by words, by repository and by the state strip', async () => {
    const { page, context } = await opened('/?tab=gitops', some);
    const count = page.getByRole('status').filter({ hasText: 'worst first' });
    await page.getByRole('navigation', { name: 'Deliveries by state' }).getByText('Degraded').click();
    await count.filter({ hasText: '1 delivery,' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('degraded');
    await page.getByRole('navigation', { name: 'Deliveries by state' }).getByText('Degraded').click();
    await count.filter({ hasText: '3 deliveries,' }).waitFor();
    await page
      .getByRole('search')
      .getByRole('button', { name: /^Repository/ })
      .click();
    await page.getByRole('button', { name: 'harbour' }).click();
    await count.filter({ hasText: '2 deliveries,' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nowhere');
    await page.getByText('No delivery matches').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await count.filter({ hasText: '3 deliveries,' }).waitFor();
    await context.close();
  });

  it('draws only the rows near the view of a thousand deliveries', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => delivery('Deploy', `repo-${index}`));
    const { page, context } = await opened('/?tab=gitops', () => answerOf(many));
    await page.getByText('1,000 deliveries, worst first').waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(120);
    await context.close();
  });

  it('tells a real zero from one that is not known', async () => {
    const zero = await opened('/?tab=gitops', () => answerOf([]));
    await zero.page.getByText('No results; everything was checked.').waitFor();
    await zero.context.close();
    const part = await opened('/?tab=gitops', () => ({
      ...answerOf([]),
      complete: false,
      unmeasured: ['The runs of quay were not read: the code host answered 502.'],
    }));
    await part.page.getByText('Not everything was read, so there may be some.').waitFor();
    await part.page.getByRole('note').filter({ hasText: 'The runs of quay were not read' }).waitFor();
    await part.context.close();
  });

  it('is free of accessibility faults and console errors in both themes, with a delivery open', async () => {
    const address = '/?tab=gitops&record=campaign-control-plane%2FDeploy';
    const { page, context, complaints } = await opened(address, some);
    await page.getByRole('complementary', { name: 'Delivery Deploy' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
