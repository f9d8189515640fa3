import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rulesReconRoutes } from '../../../../src-shared/api/rules-recon.ts';
import { repository, startCodeHost, type TestCodeHost, world } from '../../../support/code-host.ts';
import { dialects } from '../../../support/databases.ts';
import { doorTokens, openReportDoors, readAs, report } from '../../../support/report-doors.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const token = doorTokens.CONSOLE_RECON_INGEST_TOKEN;
const now = Date.parse('2026-11-23T12:00:00Z');
const rules = `rules:
  - id: refunds
    tenant: acme
    title: Refunds are paid within 14 days
    facts: { oldest_days: double }
    condition: facts.oldest_days <= 14.0
  - id: regions
    tenant: acme
    title: Data stays in Europe
    facts: { regions: strings }
    condition: facts.regions.all(r, r in ["eu"])
  - id: consent
    tenant: birch
    title: Nobody is written to without consent
    facts: { sent: int }
    condition: facts.sent == 0
  - id: endless
    tenant: birch
    title: Takes for ever
    facts: { list: strings }
    condition: facts.list.all(a, facts.list.all(b, facts.list.all(c, a + b + c != "")))
  - id: wrong
    tenant: birch
    title: Cannot be compiled
    condition: nothing.at.all == 3
  - id: no-condition
    tenant: birch
    title: Is no rule
`;

let host: TestCodeHost;
beforeAll(async () => {
  const repo = (name: string, text: string) =>
    repository({ name, pushedAt: now - 60_000, files: { '.platform/rules.yaml': text } });
  host = await startCodeHost({
    world: world([
      repo('a-shop', rules),
      repo('b-shop', 'rules:\n  - { id: refunds, tenant: acme, title: Another, condition: "true" }\n'),
    ]),
  });
});
afterAll(() => host.close());

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const observed = (rule: string, facts: object, more: object = {}) => ({
  tenant: 'acme',
  rule,
  observed_at: at(10),
  facts,
  evidence: [{ source: 'connection:orders', fact: 'Counted 3 rows.' }],
  ...more,
});

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async (): Promise<TestConsole> => {
    const opened = await openReportDoors(dialect, { codeHost: host.codeHost });
    closing.push(opened.close);
    return opened.console;
  };
  const send = (console_: TestConsole, ...observations: object[]) =>
    report(console_, '/api/rules-recon/report', token, { run_id: 'run-1', observations });
  /** Reads as the page does: an answer that is not as the contract says fails the test. */
  const read = async (console_: TestConsole, query = '') => {
    const { status, body } = await readAs(console_, `/api/rules-recon${query}`, {
      cookie: await console_.cookie(),
    });
    expect(status).toBe(200);
    return rulesReconRoutes[0].answer.parse(body);
  };
  const stateOf = async (console_: TestConsole, id: string) => {
    const { items } = await read(console_);
    const found = items.find((each) => each.id === id);
    return [found?.state, found?.finding];
  };

  describe.skipIf(dialect.missing !== undefined)(`business rules on ${dialect.name}${why}`, () => {
    it('sets what repositories declare against what was observed, of one tenant or all (CON-137)', async () => {
      const console_ = await open();
      await send(
        console_,
        observed('refunds', { oldest_days: 20.5 }),
        observed('regions', { regions: ['eu', 'eu'] }),
        observed('discounts', { largest: 0.4 }, { statement: 'Discounts above 30 % are given.' }),
      );
      const all = await read(console_);
      expect(all.items.map(({ tenant, id, state }) => [tenant, id, state])).toEqual([
        ['acme', 'refunds', 'broken'],
        ['acme', 'discounts', 'undeclared'],
        ['birch', 'consent', 'unmeasured'],
        ['birch', 'endless', 'unmeasured'],
        ['birch', 'wrong', 'unmeasured'],
        ['acme', 'regions', 'holds'],
      ]);
      expect(all.tenants).toEqual(['acme', 'birch']);
      // The figures are those of the list, counted another way.
      for (const [state, count] of Object.entries(all.states))
        expect([state, count]).toEqual([state, all.items.filter((each) => each.state === state).length]);
      const [refunds, discounts] = all.items;
      expect(refunds).toMatchObject({
        title: 'Refunds are paid within 14 days',
        declared: { repo: 'a-shop', line: 2, facts: { oldest_days: 'double' } },
        observed: { run_id: 'run-1', facts: { oldest_days: 20.5 } },
        evidence: [{ source: 'connection:orders', fact: 'Counted 3 rows.' }],
      });
      expect(discounts).toMatchObject({ title: 'Discounts above 30 % are given.' });
      expect(discounts?.declared).toBeUndefined();
      expect(all.errors.map(({ repo, line }) => [repo, line])).toEqual([
        ['a-shop', 26],
        ['b-shop', 2],
      ]);
      expect((await read(console_, '?tenant=birch')).items.map(({ id }) => id)).toEqual([
        'consent',
        'endless',
        'wrong',
      ]);
    });

    it('a rule without evidence it can be asked of never holds', async () => {
      const console_ = await open();
      expect(await stateOf(console_, 'consent')).toEqual(['unmeasured', 'Nothing was observed of it.']);
      const birch = (facts: object, minutes: number) =>
        observed('consent', facts, { tenant: 'birch', observed_at: at(minutes) });
      for (const [facts, minutes, reason] of [
        [{ sent: 0 }, 31 * 24 * 60, /more than 30 days old/],
        [{}, 50, /"sent" was not observed/],
        [{ sent: 0.5 }, 40, /something else than int/],
        [{ sent: '0' }, 30, /something else than int/],
      ] as const) {
        await send(console_, birch(facts, minutes));
        expect(await stateOf(console_, 'consent')).toEqual(['unmeasured', expect.stringMatching(reason)]);
      }
      await send(console_, birch({ sent: 0 }, 20));
      expect((await stateOf(console_, 'consent'))[0]).toBe('holds');
    });

    it('gives up a condition that costs too much, and says where one cannot be compiled', async () => {
      const console_ = await open();
      const list = Array.from({ length: 200 }, (_, index) => `x${index}`);
      await send(
        console_,
        observed('endless', { list }, { tenant: 'birch' }),
        observed('wrong', {}, { tenant: 'birch' }),
      );
      expect(await stateOf(console_, 'endless')).toEqual([
        'unmeasured',
        'The condition takes too many steps: it was given up.',
      ]);
      expect(await stateOf(console_, 'wrong')).toEqual([
        'unmeasured',
        expect.stringMatching(/line 1, column 1: "nothing" is not known here/),
      ]);
    });

    it('leaves the same state however often and in whatever order reports come (CON-139)', async () => {
      const reports = [
        [observed('refunds', { oldest_days: 20 }, { observed_at: at(30) })],
        [observed('refunds', { oldest_days: 3 }, { observed_at: at(20) })],
        [observed('refunds', { oldest_days: 7 }, { observed_at: at(20) })],
        [observed('regions', { regions: ['ap'] }), observed('regions', { regions: ['eu'] })],
      ];
      const outcomes = new Set<string>();
      for (const order of [
        [0, 1, 2, 3],
        [3, 2, 1, 0],
        [1, 1, 3, 0, 2, 3, 1],
        [2, 0, 1, 3, 2],
      ]) {
        const console_ = await open();
        for (const index of order) expect((await send(console_, ...(reports[index] ?? []))).status).toBe(200);
        outcomes.add(JSON.stringify((await read(console_)).items));
      }
      expect(outcomes.size).toBe(1);
    });

    it('discards any verdict in a report', async () => {
      const console_ = await open();
      await send(console_, observed('refunds', { oldest_days: 20 }, { state: 'holds', verdict: 'holds' }));
      expect((await stateOf(console_, 'refunds'))[0]).toBe('broken');
    });

    it('gives the agent the rules and the structure of connections, by its token only (CON-138, CON-170)', async () => {
      const console_ = await open();
      const read_ = (bearer: string, query = '') =>
        readAs(console_, `/api/rules-recon/inputs${query}`, { authorization: `Bearer ${bearer}` });
      const { status, body } = await read_(token, '?tenant=acme');
      expect(status).toBe(200);
      const { rules: declared, connections } = rulesReconRoutes[1].answer.parse(body);
      expect(declared.map(({ id, facts }) => [id, facts])).toEqual([
        ['refunds', { oldest_days: 'double' }],
        ['regions', { regions: 'strings' }],
      ]);
      expect(connections).toEqual([]);
      for (const other of [doorTokens.CONSOLE_JUDGEMENT_INGEST_TOKEN, 'first-app', '']) {
        expect((await read_(other)).status).toBe(401);
        const body_ = { observations: [observed('refunds', { oldest_days: 3 })] };
        expect((await report(console_, '/api/rules-recon/report', other, body_)).status).toBe(401);
      }
      expect((await read(console_)).items.every(({ observed: seen }) => seen === undefined)).toBe(true);
    });
  });
}

it('while CONSOLE_RECON_INGEST_TOKEN is unset, both doors refuse everyone (CON-170)', async () => {
  const console_ = await testConsole({}, { codeHost: host.codeHost });
  closing.push(() => console_.close());
  const inputs = await readAs(console_, '/api/rules-recon/inputs', { authorization: `Bearer ${token}` });
  const sent = await report(console_, '/api/rules-recon/report', token, {
    observations: [observed('x', {})],
  });
  for (const { status, body } of [inputs, sent])
    expect([status, JSON.stringify(body)]).toEqual([
      503,
      expect.stringContaining('CONSOLE_RECON_INGEST_TOKEN'),
    ]);
});

it('says that rules were not read when the code host is not, and calls nothing declared', async () => {
  const console_ = await testConsole({});
  closing.push(() => console_.close());
  const { body } = await readAs(console_, '/api/rules-recon', { cookie: await console_.cookie() });
  expect(body).toMatchObject({
    source: 'unavailable',
    complete: false,
    items: [],
    unmeasured: [expect.any(String)],
  });
});
