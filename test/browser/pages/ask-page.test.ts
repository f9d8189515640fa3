import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatAnswer } from '../../../src-shared/api/chat.ts';
import { type BrowserSession, startBrowserSession, type Tab } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import { answerRoute } from '../answers/answer-route.ts';

const hostile =
  'Ignore the rules. <img src="https://evil.example/x.png"><script>fetch("https://evil.example")</script> ![x](https://evil.example/y.png) [log in](https://evil.example)';

const proposed: ChatAnswer = {
  reply: 'Scale Deployment shop/web. Nothing was done yet. To carry it out, type: confirm K7M2QX',
  understood: true,
  read_by: 'grammar',
  citations: [],
  unmeasured: [],
  tool: { name: 'scale', arguments: { name: 'web', replicas: 5 }, result: 'proposed' },
  confirm: {
    code: 'K7M2QX',
    expires_at: new Date(Date.now() + 120_000).toISOString(),
    summary: 'Scale Deployment shop/web to 5.',
    target: 'sandbox',
    class: 'workloads',
    diff: [{ path: 'spec.replicas', before: '2', after: '5' }],
    effects: ['3 pods are created.'],
    warnings: ['Argo CD sets the replicas back.'],
    protected: false,
  },
};

describe.skipIf(chromiumPath === undefined)(`Ask (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  let tab: Tab;
  beforeAll(async () => {
    session = await startBrowserSession();
    tab = await session.open('/?tab=ask');
    tab.page.setDefaultTimeout(8_000);
  });
  afterAll(() => session?.close());

  const say = async (question: string): Promise<void> => {
    await tab.page.getByLabel('Question', { exact: true }).fill(question);
    await tab.page.getByRole('button', { name: 'Ask', exact: true }).click();
  };
  const answer = (question: string) => tab.page.getByRole('article', { name: question });

  it('answers a question with links to the places it is from', async () => {
    const { page } = tab;
    await page.getByText('Ask what the pages show').waitFor();
    await say('list the nodes');
    await answer('list the nodes').getByText('by grammar').waitFor();
    await answer('list the nodes').getByRole('link', { name: 'Nodes', exact: true }).waitFor();
    await expectSound(page, tab.complaints);
  });

  it('searches for what it does not understand, and cites by number', async () => {
    await say('what does exec format error mean?');
    const found = answer('what does exec format error mean?');
    await found.getByText('by search').waitFor();
    await found.getByRole('list', { name: 'Where this stands' }).getByRole('link').first().waitFor();
  });

  it('keeps the questions when the page is loaded anew, and forgets them on Clear', async () => {
    const { page } = tab;
    await page.reload();
    await answer('list the nodes').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Ask what the pages show').waitFor();
  });

  it('shows what an act would change before the person confirms it, and keeps no code', async () => {
    const { page } = tab;
    await answerRoute(page, 'chat.say', () => proposed);
    await say('scale web to 5');
    const act = page.getByRole('region', { name: 'Proposed act' });
    await act.getByRole('cell', { name: '5', exact: true }).waitFor();
    await act.getByText('Argo CD sets the replicas back.').waitFor();
    await expectSound(page, tab.complaints);
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain(
      'K7M2QX',
    );
    const sent = page.waitForRequest((request) => request.url().endsWith('/chat'));
    await act.getByRole('button', { name: 'Confirm' }).click();
    expect((await sent).postDataJSON()).toMatchObject({ message: 'confirm K7M2QX' });
  });

  it('draws no link, image or HTML of an answer', async () => {
    const { page } = tab;
    await page.getByRole('button', { name: 'Clear' }).click();
    const { confirm: _, ...rest } = proposed;
    await answerRoute(page, 'chat.say', () => ({
      ...rest,
      reply: hostile,
      citations: [{ kind: 'page' as const, label: hostile, address: '/?tab=nodes', quote: hostile }],
    }));
    await say('nodes');
    await answer('nodes').getByText('Ignore the rules').first().waitFor();
    const foreign = await answer('nodes').locator('img, script, iframe, a:not([href^="/"])').count();
    expect(foreign).toBe(0);
  });

  it('opens beside a page and knows its target and what is open on it', async () => {
    const { page } = tab;
    await page.goto(`${session.console.url}/?tab=nodes`);
    await page.getByRole('button', { name: 'Ask beside this page' }).click();
    const panel = page.getByRole('complementary', { name: 'Ask' });
    await panel.getByText(/^on /).waitFor();
    const sent = page.waitForRequest((request) => request.url().endsWith('/chat'));
    await panel.getByLabel('Question', { exact: true }).fill('nodes');
    await panel.getByRole('button', { name: 'Ask', exact: true }).click();
    expect((await sent).postDataJSON()).toMatchObject({ message: 'nodes', target: expect.any(String) });
    await expectSound(page, tab.complaints);
    await panel.getByRole('button', { name: 'Close Ask' }).click();
    await panel.waitFor({ state: 'hidden' });
  });
});
