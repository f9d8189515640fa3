import { afterEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../support/databases.ts';
import { doorTokens, openReportDoors, readAs, report } from '../../../support/report-doors.ts';
import type { TestConsole } from '../../../support/test-console.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const token = doorTokens.CONSOLE_JUDGEMENT_INGEST_TOKEN;
const finding = (id: string, more: object = {}) => ({ id, title: `Finding ${id}`, ...more });
const verdict = (name: string, judged_at: string, more: object = {}) => ({
  platform: 'scanner',
  finding: 'f-1',
  verdict: name,
  reason: 'Read the code.',
  judged_at,
  ...more,
});

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async (): Promise<TestConsole> => {
    const opened = await openReportDoors(dialect);
    closing.push(opened.close);
    return opened.console;
  };
  const submit = (console_: TestConsole, ...findings: object[]) =>
    report(console_, '/api/judgement/submissions', token, { platform: 'scanner', findings });
  const judge = (console_: TestConsole, app: string, ...judgements: object[]) =>
    report(console_, '/api/judgements', app, { judgements });
  const items = async (console_: TestConsole, path: string) => {
    const { status, body } = await readAs(console_, path, { cookie: await console_.cookie() });
    expect(status).toBe(200);
    return (body as { items: Record<string, unknown>[] }).items;
  };

  describe.skipIf(dialect.missing !== undefined)(`judgement on ${dialect.name}${why}`, () => {
    it('discards any verdict in a submission, wherever it stands (CON-143)', async () => {
      const console_ = await open();
      const body = {
        platform: 'scanner',
        verdict: 'confirmed',
        findings: [finding('f-1', { verdict: 'confirmed', judgement: { verdict: 'confirmed' } })],
      };
      expect(await report(console_, '/api/judgement/submissions', token, body)).toEqual({
        status: 200,
        body: { accepted: 1 },
      });
      const [kept] = await items(console_, '/api/judgement');
      expect(kept).toEqual({
        platform: 'scanner',
        id: 'f-1',
        title: 'Finding f-1',
        submitted_at: expect.any(String),
      });
      expect(await items(console_, '/api/judgements')).toEqual([]);
    });

    it('shows each finding with the newest verdict of any App, and filters by it (CON-142)', async () => {
      const console_ = await open();
      await submit(console_, finding('f-1'), finding('f-2', { url: 'https://scanner.example/f-2' }));
      await judge(console_, 'first-app', verdict('confirmed', '2026-11-06T12:00:00Z'));
      await judge(console_, 'second-app', verdict('rejected', '2026-11-06T13:00:00Z'));
      const verdicts = async (query = '') =>
        (await items(console_, `/api/judgement${query}`)).map(({ id, judgement }) => [
          id,
          (judgement as { verdict?: string } | undefined)?.verdict,
        ]);
      expect(await verdicts()).toEqual([
        ['f-1', 'rejected'],
        ['f-2', undefined],
      ]);
      expect(await verdicts('?verdict=rejected')).toEqual([['f-1', 'rejected']]);
      expect(await verdicts('?verdict=confirmed')).toEqual([]);
      expect(await verdicts('?verdict=none')).toEqual([['f-2', undefined]]);
      expect(await verdicts('?platform=other')).toEqual([]);
    });

    it('keeps of the verdicts of one App the newest, in whatever order they come (CON-144)', async () => {
      const console_ = await open();
      await submit(console_, finding('f-1'));
      const newer = verdict('rejected', '2026-11-06T14:00:00+01:00');
      for (const each of [newer, verdict('confirmed', '2026-11-06T12:00:00Z'), newer])
        expect((await judge(console_, 'first-app', each)).body).toEqual({ accepted: 1 });
      expect(await items(console_, '/api/judgements')).toEqual([
        { ...newer, app: 'first', judged_at: '2026-11-06T13:00:00.000Z' },
      ]);
    });

    it('replaces what was submitted before, and keeps when it first came', async () => {
      const console_ = await open();
      await submit(console_, finding('f-1', { detail: 'first' }));
      const [first] = await items(console_, '/api/judgement');
      console_.advance(60_000);
      await submit(console_, finding('f-1', { severity: 'high' }));
      expect(await items(console_, '/api/judgement')).toEqual([
        {
          platform: 'scanner',
          id: 'f-1',
          title: 'Finding f-1',
          severity: 'high',
          submitted_at: first?.submitted_at,
        },
      ]);
    });

    it('takes findings by their own token only (CON-171)', async () => {
      const console_ = await open();
      const body = { platform: 'scanner', findings: [finding('f-1')] };
      for (const other of [doorTokens.CONSOLE_LINEAGE_INGEST_TOKEN, 'first-app', ''])
        expect((await report(console_, '/api/judgement/submissions', other, body)).status).toBe(401);
      expect(await items(console_, '/api/judgement')).toEqual([]);
    });
  });
}
