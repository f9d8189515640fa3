import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import { agentOf, fileOf, noFileOf } from '../answers/agent-config-answers.ts';
import { type Answer, answerRoute } from '../answers/answer-route.ts';
import { shaOf, wholeReading } from '../answers/delivery-answers.ts';

type Config = Answer<'codeHost.agentConfig'>;

const answerOf = (items: Config['items']): Config => ({ items, ...wholeReading() });

const some = (query: URLSearchParams): Config =>
  query.get('repo') === 'far-away'
    ? answerOf([fileOf('far-away', [agentOf('hermit', 1)])])
    : {
        ...answerOf([
          fileOf('harbour', [
            agentOf('security-review', 3),
            agentOf('gardener', 20, { enabled: false, settings: { window: 'nightly' }, bias_rules: [] }),
          ]),
          fileOf(
            'quay',
            [agentOf('quality-review', 3)],
            [{ line: 14, column: 3, message: 'A rule has no `id`.' }],
          ),
          noFileOf('docs', 'none'),
          noFileOf('berth', 'unread'),
        ]),
        complete: false,
        unmeasured: ['The agents of berth were not read: the code host answered 502.'],
      };

describe.skipIf(chromiumPath === undefined)(`the agent config page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = async (
    address: string,
    answer: (query: URLSearchParams) => Config = some,
    look: Parameters<BrowserSession['open']>[1] = {},
  ) => {
    const tab = await session.blank(look);
    await answerRoute(tab.page, 'codeHost.agentConfig', answer);
    await tab.page.goto(`${session.console.url}${address}`);
    return tab;
  };

  it('shows the agents of the sandbox with their rules, and the mistakes of a broken file by line', async () => {
    const { page, context, complaints } = await session.open('/?tab=agentConfig&repo=campaign');
    const agent = page.getByRole('region', { name: 'Agent security-review' });
    await agent.getByText('consent-first').waitFor();
    await agent.getByText('(set)').waitFor();
    await page.getByRole('link', { name: /^cockpit/ }).click();
    const mistakes = page.getByRole('region', { name: 'Mistakes in the file' });
    expect(await mistakes.getByRole('link').first().getAttribute('href')).toMatch(
      /\/cockpit\/blob\/[0-9a-f]{40}\/\.platform\/agents\.yaml#L\d+$/,
    );
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('begins with the repository that has mistakes, and names those without a file and those not read', async () => {
    const { page, context } = await opened('/?tab=agentConfig');
    await page.getByRole('region', { name: 'Agents of quay' }).waitFor();
    const line = page.getByRole('link', { name: 'line 14, column 3' });
    expect(await line.getAttribute('href')).toBe(
      `https://code.example/northgate/quay/blob/${shaOf('a')}/.platform/agents.yaml#L14`,
    );
    await page.getByText('Not read: berth').waitFor();
    await page.getByText('The agents of berth were not read: the code host answered 502.').waitFor();
    await page.getByText(/Without \.platform\/agents\.yaml: docs/).waitFor();
    await context.close();
  });

  it('goes through repositories and agents by j and k, and has the open one in the address', async () => {
    const { page, context } = await opened('/?tab=agentConfig');
    await page.getByRole('region', { name: 'Agents of quay' }).waitFor();
    const place = () => {
      const { searchParams } = new URL(page.url());
      return [searchParams.get('repo'), searchParams.get('agent')];
    };
    await page.keyboard.press('j');
    await expect.poll(place).toEqual(['quay', 'quality-review']);
    await page.keyboard.press('j');
    await expect.poll(place).toEqual(['harbour', null]);
    await page.getByRole('region', { name: 'Agents of harbour' }).waitFor();
    await page.keyboard.press('j');
    await expect.poll(place).toEqual(['harbour', 'security-review']);
    await context.close();
  });

  it('searches rules and settings of every repository and marks what it found', async () => {
    const { page, context } = await opened('/?tab=agentConfig');
    await page.getByRole('region', { name: 'Agents of quay' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nightly');
    await page
      .getByRole('region', { name: 'Agent gardener' })
      .locator('mark')
      .filter({ hasText: 'nightly' })
      .waitFor();
    expect(await page.getByRole('region', { name: 'Agent security-review' }).count()).toBe(0);
    await page.getByText('1 other agent of harbour not shown: no match.').waitFor();
    await page.waitForURL(/q=nightly/);
    await context.close();
  });

  it('reads a repository by its name that was not read unasked', async () => {
    const { page, context } = await opened('/?tab=agentConfig');
    await page.getByRole('button', { name: /^Repository/ }).click();
    await page.getByRole('textbox', { name: 'Name of a repository' }).fill('far-away');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Agent hermit' }).waitFor();
    await context.close();
  });

  it('shows what a file says as text, whatever it looks like', async () => {
    const rule = { id: 'x', rule: '<img src=x onerror=alert(1)> `code`', applies_to: [] };
    const { page, context } = await opened('/?tab=agentConfig', () =>
      answerOf([fileOf('harbour', [agentOf('<b>bold</b>', 1, { bias_rules: [rule] })])]),
    );
    await page.getByText(rule.rule).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.locator('b', { hasText: 'bold' }).count()).toBe(0);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened('/?tab=agentConfig', some);
    await page.getByRole('region', { name: 'Agents of quay' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
