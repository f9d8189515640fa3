import { afterEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../support/databases.ts';
import { doorTokens, openReportDoors, readAs, report } from '../../../support/report-doors.ts';
import type { TestConsole } from '../../../support/test-console.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Edge = { from: string; to: string; kind: string; count: number; last_seen: string };
const begun = Date.parse('2026-11-06T12:00:00Z');
const edge = (n: number, version: number): Edge => ({
  from: `s3://lake/t${n % 50}`,
  to: `connection:c${n % 40}`,
  kind: n % 2 === 0 ? 'read' : 'write',
  count: version * 3,
  last_seen: new Date(begun + version * 1000).toISOString(),
});

/** The same order each time for the same seed (mulberry32). */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async (): Promise<TestConsole> => {
    const opened = await openReportDoors(dialect);
    closing.push(opened.close);
    return opened.console;
  };
  const send = (console_: TestConsole, edges: readonly object[], app?: string) =>
    report(console_, '/api/data-lineage/edges', doorTokens.CONSOLE_LINEAGE_INGEST_TOKEN, { app, edges });
  const kept = (console_: TestConsole) =>
    console_.store.db
      .selectFrom('lineage_edges')
      .selectAll()
      .orderBy('app')
      .orderBy('from_node')
      .orderBy('to_node')
      .orderBy('kind')
      .execute();
  const topology = async (console_: TestConsole) => {
    const { body } = await readAs(console_, '/api/data-lineage', { cookie: await console_.cookie() });
    return body as { nodes: object[]; edges: object[]; complete: boolean; unmeasured: string[] };
  };

  describe.skipIf(dialect.missing !== undefined)(`observed data flows on ${dialect.name}${why}`, () => {
    it('are the same after 10,000 reports in order, and with duplicates, retries and another order (CON-134)', async () => {
      const inOrder = await open();
      const anyhow = await open();
      const edges = Array.from({ length: 10_000 }, (_, i) => edge(i % 400, Math.floor(i / 400) + 1));
      const batches = (list: readonly Edge[]) =>
        Array.from({ length: Math.ceil(list.length / 500) }, (_, i) => list.slice(i * 500, i * 500 + 500));
      for (const batch of batches(edges)) await send(inOrder, batch, 'etl');
      const twice = batches(shuffled([...edges, ...edges.slice(0, 2_500)], 7));
      await Promise.all(twice.map((batch) => send(anyhow, batch, 'etl')));
      const expected = await kept(inOrder);
      expect(expected).toHaveLength(200);
      expect(await kept(anyhow)).toEqual(expected);
    });

    it('join the apps that report one flow, and name what is declared nowhere (CON-133)', async () => {
      const console_ = await open();
      const flow = { from: 's3://lake/orders', to: 'warehouse', kind: 'copy' };
      const seen = (count: number, last_seen: string) => [{ ...flow, count, last_seen }];
      await send(console_, seen(3, '2026-11-06T12:00:00Z'), 'etl');
      await send(console_, seen(4, '2026-11-06T14:00:00+01:00'), 'backfill');
      const { nodes, edges } = await topology(console_);
      expect(nodes).toEqual([
        { id: 's3://lake/orders', kind: 'observed', title: 's3://lake/orders' },
        { id: 'warehouse', kind: 'observed', title: 'warehouse' },
      ]);
      expect(edges).toEqual([
        {
          ...flow,
          declared: false,
          observed: { count: 7, last_seen: '2026-11-06T13:00:00.000Z', apps: ['backfill', 'etl'] },
        },
      ]);
    });

    it('are refused whole when one of them is not as it should be, naming the field', async () => {
      const console_ = await open();
      const answer = await send(console_, [edge(1, 1), { ...edge(2, 1), count: -1 }]);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain('edges.1.count');
      expect(await kept(console_)).toEqual([]);
    });
  });
}
