import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import { type Answer, minutesAgo } from '../answers/answer-route.ts';
import { clusterReading, inferenceOf, modelCardOf, tierOf } from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';

const killed = [6, 26, 46].map((minutes) => ({
  pod: 'vllm-large-0',
  container: 'vllm',
  at: minutesAgo(minutes),
  detail: 'OOMKilled, exit code 137',
}));

const { engine: _engine, model: _model, ...untold } = inferenceOf('custom');

const plane = (): Answer<'fleet.inference'> => ({
  items: [
    inferenceOf('vllm-standard'),
    inferenceOf('vllm-large', {
      tier: 'large',
      state: 'failing',
      reason: 'killed for memory 3 times in 1 h',
      out_of_memory: killed,
    }),
    untold,
  ],
  tiers: [tierOf('large', { state: 'failing' }), tierOf('standard')],
  ...clusterReading(),
});

const {
  tokens: _tokens,
  tenant_units: _units,
  ...unmeasured
} = modelCardOf('llama-70b', {
  title: 'Llama 3.3 70B',
  verdict: 'failing',
  reason: 'its tier large has 1 of 2 replicas ready',
});

const cards = (): Answer<'fleet.models'> => ({
  items: [modelCardOf('qwen3-30b'), unmeasured],
  ...clusterReading(),
});

describe.skipIf(chromiumPath === undefined)(`the models' pages (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const inference = (address: string, look: Look = {}) =>
    openedOn(session, 'fleet.inference', address, plane, look);
  const models = (address: string, look: Look = {}) =>
    openedOn(session, 'fleet.models', address, cards, look);

  it('shows each time a workload was killed for memory, and what its arguments do not tell', async () => {
    const { page, context } = await inference('/?tab=inference');
    await page.getByRole('table', { name: 'Inference workloads' }).getByText('vllm-large').click();
    const large = page.getByRole('complementary', { name: 'Workload vllm-large' });
    await large.getByRole('region', { name: 'Out-of-memory kills' }).getByText('3 times').waitFor();
    expect(await large.getByText('OOMKilled, exit code 137.').count()).toBe(3);
    await page.keyboard.press('j');
    const custom = page.getByRole('complementary', { name: 'Workload custom' });
    await custom.getByText('Not in its arguments').first().waitFor();
    await custom.getByText('None in its container states or events.').waitFor();
    await context.close();
  });

  it('reads a model card: what for, where it stops, where it runs, and who uses it', async () => {
    const { page, context } = await models('/?tab=models&record=qwen3-30b');
    const reading = page.getByRole('region', { name: 'The open model card' });
    await reading.getByText('48,230,112 tokens').waitFor();
    await reading.getByText('Long documents beyond its context are cut').waitFor();
    await reading.getByRole('row', { name: /^orchard 80 % 813$/ }).waitFor();
    await reading.getByRole('link', { name: 'vllm-standard' }).click();
    await expectAddress(page, 'tab', 'inference');
    await expectAddress(page, 'q', 'vllm-standard');
    await context.close();
  });

  it('never shows a use that was not read as none', async () => {
    const { page, context } = await models('/?tab=models');
    const reading = page.getByRole('region', { name: 'The open model card' });
    await reading.getByRole('heading', { name: 'Llama 3.3 70B' }).waitFor();
    await reading.getByRole('button', { name: /^Token use not read/ }).waitFor();
    expect(await reading.getByText(/tokens$/).count()).toBe(1);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const first = await inference('/?tab=inference&record=Deployment%2Finference%2Fvllm-large');
    await first.page.getByRole('complementary').waitFor();
    await expectSound(first.page, first.complaints);
    await first.context.close();
    const second = await models('/?tab=models');
    await second.page.getByRole('heading', { name: 'Llama 3.3 70B' }).waitFor();
    await expectSound(second.page, second.complaints);
    await second.context.close();
  });
});
