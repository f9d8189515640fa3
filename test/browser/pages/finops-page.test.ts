import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, type Look, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { expectSound } from '../../support/sound-page.ts';
import type { Answer } from '../answers/answer-route.ts';
import { allocationOf, clusterReading } from '../answers/cluster-answers.ts';
import { expectAddress, openedOn } from '../answers/cluster-pages.ts';

const gib = 2 ** 30;

const some = (): Answer<'fleet.finops'> => ({
  by_initiative: [
    allocationOf(undefined, 12),
    allocationOf('checkout', 36),
    allocationOf('companion', 24, { gpus: 4 }),
  ],
  by_tenant: [allocationOf('orchard', 60), allocationOf(undefined, 12, { gpus: 4 })],
  allocatable: { cpu_cores: 96, memory_bytes: 384 * gib, gpus: 8 },
  unallocated: { cpu_share: 0.25, memory_share: 0.25 },
  pricing: { priced_nodes: [], unpriced_nodes: ['worker-1', 'worker-2'] },
  ...clusterReading(),
});

describe.skipIf(chromiumPath === undefined)(`the FinOps page (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession();
  });
  afterAll(() => session?.close());

  const opened = (address: string, answer: () => Answer<'fleet.finops'>, look: Look = {}) =>
    openedOn(session, 'fleet.finops', address, answer, look);

  it('shows who asks for how much, most first, what has no label and what is unallocated last', async () => {
    const { page, context } = await opened('/?tab=finops', some);
    const rows = page.getByRole('table', { name: 'By initiative, CPU' }).getByRole('row');
    await rows.nth(1).waitFor();
    expect((await rows.allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'checkout 36 cores 38 % 72 3,456',
      'companion 24 cores 25 % 48 2,304',
      'Unlabelled 12 cores 13 % 24 1,152',
      'Unallocated 24 cores 25 %',
    ]);
    await context.close();
  });

  it('keeps the resource in the address and shows no money where there are no prices', async () => {
    const { page, context } = await opened('/?tab=finops', some);
    await page.getByText('GPUs', { exact: true }).last().click();
    await expectAddress(page, 'type', 'gpu');
    await page
      .getByRole('table', { name: 'By tenant, GPUs' })
      .getByRole('row', { name: 'Unlabelled 4 GPUs 50 % 24' })
      .waitFor();
    await page.getByText('Not priced: no asset in CapexService names a node').waitFor();
    await context.close();
  });

  it('shows what it costs where assets name nodes, and which nodes have no price', async () => {
    const { page, context, complaints } = await opened('/?tab=finops', () => ({
      ...some(),
      by_tenant: [
        {
          ...allocationOf('orchard', 60),
          costs: [{ currency: 'EUR', per_hour_minor: 1234.4, so_far_minor: 90_000 }],
        },
      ],
      pricing: { priced_nodes: ['worker-1', 'worker-2'], unpriced_nodes: ['edge-1'] },
    }));
    await page.getByText(/Costs are those of 2 of 3 nodes.*not priced: edge-1\./).waitFor();
    const row = page.getByRole('table', { name: 'By tenant, CPU' }).getByRole('row', { name: /orchard/ });
    expect(await row.innerText()).toContain('€12.34');
    await expectSound(page, complaints);
    await context.close();
  });

  it('gives no share where what the nodes have was not read', async () => {
    const { page, context } = await opened('/?tab=finops', () => {
      const { allocatable: _allocatable, unallocated: _unallocated, ...rest } = some();
      return { ...rest, complete: false, unmeasured: ['Forbidden: list nodes.'] };
    });
    await page.getByRole('note').filter({ hasText: 'Forbidden: list nodes.' }).waitFor();
    await page.getByText('72 cores requested. The capacity of the nodes was not read.').waitFor();
    const table = page.getByRole('table', { name: 'By initiative, CPU' });
    expect(await table.getByText('%').count()).toBe(0);
    expect(await table.getByText('Unallocated').count()).toBe(0);
    await context.close();
  });

  it('is free of accessibility faults and console errors in both themes', async () => {
    const { page, context, complaints } = await opened('/?tab=finops', some);
    await page.getByRole('table', { name: 'By tenant, CPU' }).waitFor();
    await expectSound(page, complaints);
    await context.close();
  });
});
