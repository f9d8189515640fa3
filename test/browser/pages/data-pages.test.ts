import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserSession, startBrowserSession } from '../../support/browser-session.ts';
import { chromiumPath, noChromium } from '../../support/chromium.ts';
import { goWithin } from '../../support/go-within.ts';
import { doorTokens } from '../../support/report-doors.ts';
import { expectSound } from '../../support/sound-page.ts';
import { type Answer, answerRoute, failRoute } from '../answers/answer-route.ts';

const reading = { source: 'store', complete: true, read_at: '2026-11-06T12:00:00.000Z', unmeasured: [] };
const connection = (name: string) => ({ id: `${name}00000000`, name, type: 'postgres', tenant: 'aspen' });
const orders: Answer<'dataGovernance.domains'>['items'][number] = {
  name: 'orders',
  by: 'naming',
  connections: [connection('orders'), connection('orders-archive')],
  tenants: ['aspen'],
  types: ['postgres'],
  evidence: ['orders: "orders" is a part of its name.', 'orders-archive: "orders" is a part of its name.'],
};

describe.skipIf(chromiumPath === undefined)(`the pages of data (${chromiumPath ?? noChromium})`, () => {
  let session: BrowserSession;
  beforeAll(async () => {
    session = await startBrowserSession(doorTokens);
  });
  afterAll(() => session?.close());

  it('draw declared and observed flows apart, and list each in words', async () => {
    const edges = [
      { from: 'instance:tenant-aspen/aspen-cockpit', to: 's3://lake/orders', kind: 'copy', count: 1200 },
    ].map((edge) => ({ ...edge, last_seen: new Date().toISOString() }));
    const told = await fetch(`${session.console.url}/api/data-lineage/edges`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${doorTokens.CONSOLE_LINEAGE_INGEST_TOKEN}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ app: 'etl', edges }),
    });
    expect(told.status).toBe(200);
    const tab = await session.open('/?tab=dataLineage');
    const { page } = tab;
    const graph = page.getByRole('region', { name: 'Graph of data flows' });
    await graph.getByText('s3://lake/orders').waitFor();
    expect(await graph.locator('path[data-look="observed"]').count()).toBeGreaterThan(0);
    expect(await graph.locator('path[data-look="declared"]').count()).toBeGreaterThan(0);
    const row = page
      .getByRole('table', { name: 'Data flows' })
      .getByRole('row')
      .filter({ hasText: 's3://lake' });
    expect(await row.innerText()).toMatch(/copy[\s\S]*observed[\s\S]*1,200/);
    await expectSound(page, tab.complaints);
    await tab.context.close();
  });

  it('say by what connections are joined to a domain, what is empty, and what was not read', async () => {
    const tab = await session.blank();
    const { page } = tab;
    await answerRoute(page, 'dataGovernance.domains', () => ({ ...reading, items: [orders] }));
    await page.goto(`${session.console.url}/?tab=domains`);
    await page.getByRole('region', { name: 'orders' }).getByText('2 connections, grouped by name').waitFor();
    await page.getByText('orders-archive: "orders" is a part of its name.').waitFor();
    await expectSound(page, tab.complaints);
    await tab.context.close();

    const failing = await session.blank();
    await failRoute(failing.page, 'dataGovernance.domains', 'The disk is full.');
    await failing.page.goto(`${session.console.url}/?tab=domains`);
    await failing.page.getByText('The disk is full.').waitFor();
    await failing.context.close();

    const empty = await session.blank();
    await answerRoute(empty.page, 'dataGovernance.domains', () => ({ ...reading, items: [] }));
    await empty.page.goto(`${session.console.url}/?tab=domains`);
    await empty.page.getByText('No connections yet').waitFor();
    await empty.context.close();
  });

  it('show who owns namespaces and how they are guarded, and findings beside them', async () => {
    const tab = await session.blank();
    const { page } = tab;
    await answerRoute(page, 'dataGovernance.findings', () => ({
      ...reading,
      items: [
        {
          id: 'f-1',
          app: 'governor',
          title: 'Personal data without an owner',
          severity: 'critical' as const,
          subject: 'connection:orders',
          found_at: '2026-11-06T12:00:00Z',
          reported_at: '2026-11-06T12:00:00.000Z',
        },
      ],
    }));
    await page.goto(`${session.console.url}/?tab=governance`);
    const namespaces = page.getByRole('table', { name: 'Posture of namespaces' });
    const aspen = namespaces.getByRole('row').filter({ hasText: 'tenant-aspen' });
    await aspen.waitFor();
    expect(await aspen.innerText()).toMatch(/aspen[\s\S]*Open: no policy[\s\S]*Not enforced/);
    await page.getByRole('region', { name: 'Data governance' }).getByText('1 open finding').waitFor();
    await page.getByText('Personal data without an owner').waitFor();
    await expectSound(page, tab.complaints);
    const unowned = page.getByRole('region', { name: 'Ownership' }).getByRole('link', { name: 'campaign' });
    await unowned.click();
    await page.getByRole('heading', { name: 'Namespaces', level: 1 }).waitFor();
    await goWithin(page, '/?tab=governance');
    await page.getByRole('heading', { name: 'Governance', level: 1 }).waitFor();
    await tab.context.close();
  });
});
