import { afterEach, describe, expect, it } from 'vitest';
import { dialects } from '../../../support/databases.ts';
import { doorTokens, openReportDoors, readAs, report } from '../../../support/report-doors.ts';
import type { TestConsole } from '../../../support/test-console.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const at = (hour: number) => `2026-11-06T${String(hour).padStart(2, '0')}:00:00.000Z`;
const finding = (id: string, more: object = {}) => ({
  id,
  title: `Finding ${id}`,
  severity: 'warning',
  subject: 'connection:orders',
  found_at: at(1),
  ...more,
});

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async (): Promise<TestConsole> => {
    const opened = await openReportDoors(dialect);
    closing.push(opened.close);
    return opened.console;
  };
  const send = (console_: TestConsole, findings: readonly object[], app = 'first-app') =>
    report(console_, '/api/data-governance-findings', app, { findings });
  const items = async (console_: TestConsole, query = '') => {
    const { status, body } = await readAs(console_, `/api/data-governance-findings${query}`, {
      cookie: await console_.cookie(),
    });
    expect(status).toBe(200);
    return (body as { items: Record<string, unknown>[] }).items;
  };

  describe.skipIf(dialect.missing !== undefined)(
    `data-governance findings on ${dialect.name}${why} (CON-140)`,
    () => {
      it('stand in the order of what needs a person: open before resolved, then by severity and time', async () => {
        const console_ = await open();
        await send(console_, [
          finding('resolved', { severity: 'critical', resolved_at: at(9) }),
          finding('info', { severity: 'info', found_at: at(5) }),
          finding('older', { found_at: at(2) }),
          finding('newer', { found_at: at(3) }),
          finding('worst', { severity: 'critical' }),
        ]);
        expect((await items(console_)).map(({ id }) => id)).toEqual([
          'worst',
          'newer',
          'older',
          'info',
          'resolved',
        ]);
        expect((await items(console_, '?state=resolved')).map(({ id }) => id)).toEqual(['resolved']);
        expect((await items(console_, '?state=open')).map(({ id }) => id)).not.toContain('resolved');
      });

      it('are as the newest report says, in whatever order reports come, and open again when found again', async () => {
        const opened = finding('f-1');
        const resolved = finding('f-1', { resolved_at: at(2) });
        const again = finding('f-1', { found_at: at(3), title: 'Found again' });
        for (const order of [
          [opened, resolved, again],
          [again, resolved, opened],
          [resolved, again, again, opened],
        ]) {
          const console_ = await open();
          for (const each of order) await send(console_, [each]);
          expect(await items(console_)).toEqual([
            { ...again, app: 'first', reported_at: expect.any(String) },
          ]);
        }
      });

      it('decide between two reports of one moment alike, whichever comes first', async () => {
        const two = [finding('f-1', { detail: 'a' }), finding('f-1', { detail: 'b' })];
        const details = [];
        for (const order of [two, [...two].reverse()]) {
          const console_ = await open();
          for (const each of order) await send(console_, [each]);
          details.push((await items(console_)).map(({ detail }) => detail));
        }
        expect(details[0]).toEqual(details[1]);
      });

      it('belong to the App that reports them', async () => {
        const console_ = await open();
        await send(console_, [finding('f-1')]);
        await send(console_, [finding('f-1', { title: 'Of another App' })], 'second-app');
        expect((await items(console_)).map(({ app }) => app).sort()).toEqual(['first', 'second']);
      });

      it('are refused when resolved before they were found', async () => {
        const console_ = await open();
        const answer = await send(console_, [finding('f-1', { found_at: at(5), resolved_at: at(4) })]);
        expect(answer.status).toBe(422);
        expect(await items(console_)).toEqual([]);
      });

      it('are taken from Apps of the organisation only, and the estate is read by them only (CON-141)', async () => {
        const console_ = await open();
        const estate = '/api/data-governance-estate';
        const cookie = await console_.cookie();
        expect((await send(console_, [finding('f-1')], doorTokens.CONSOLE_LINEAGE_INGEST_TOKEN)).status).toBe(
          401,
        );
        expect((await readAs(console_, estate, { cookie })).status).toBe(401);
        await send(console_, [finding('f-1'), finding('f-2', { resolved_at: at(2) })]);
        expect(await readAs(console_, estate, { authorization: 'Bearer first-app' })).toEqual({
          status: 200,
          body: {
            connections: [],
            tenants: [],
            lineage: { edges: 0, apps: 0 },
            findings: { open: 1, resolved: 1 },
            source: 'store',
            complete: true,
            read_at: expect.any(String),
            unmeasured: [],
          },
        });
      });
    },
  );
}
