import { afterAll, beforeAll, expect, it } from 'vitest';
import { dialects } from '../../support/databases.ts';
import { doorTokens, openReportDoors, report } from '../../support/report-doors.ts';
import type { TestConsole } from '../../support/test-console.ts';

let console_: TestConsole;
let close: () => Promise<void>;
beforeAll(async () => {
  const [embedded] = dialects;
  if (embedded === undefined) throw new Error('There is no dialect.');
  ({ console: console_, close } = await openReportDoors(embedded));
});
afterAll(() => close?.());

const submit = () =>
  report(console_, '/api/judgement/submissions', doorTokens.CONSOLE_JUDGEMENT_INGEST_TOKEN, {
    platform: 'scanner',
    findings: [{ id: 'f-1', title: 'Again and again' }],
  });
const judge = (app: string) =>
  report(console_, '/api/judgements', app, {
    judgements: [
      {
        platform: 'scanner',
        finding: 'f-1',
        verdict: 'confirmed',
        reason: 'Yes.',
        judged_at: '2026-11-06T12:00:00Z',
      },
    ],
  });

it('slows a sender that reports without end, and no other sender', async () => {
  const answers: number[] = [];
  while (answers.length < 3_000 && !answers.includes(429))
    answers.push(...(await Promise.all(Array.from({ length: 25 }, async () => (await submit()).status))));
  expect([...new Set(answers)].sort()).toEqual([200, 429]);
  expect(answers.filter((status) => status === 200).length).toBeGreaterThanOrEqual(600);
  expect(answers).toContain(429);
  expect((await judge('first-app')).status).toBe(200);
  console_.advance(2_000);
  expect((await submit()).status).toBe(200);
});
