import { describe, expect, it } from 'vitest';
import { nextRun } from '../../../../../src-main/features/fleet/schedules/next-run.ts';

const after = Date.UTC(2026, 10, 21, 12);

describe('the next run of a CronJob', () => {
  it('is computed as the controller does', () => {
    const expected = [
      ['*/15 * * * *', '2026-11-21T12:15:00.000Z'],
      ['5/15 * * * *', '2026-11-21T12:05:00.000Z'],
      ['@hourly', '2026-11-21T13:00:00.000Z'],
      ['0 2 * * MON-FRI', '2026-11-23T02:00:00.000Z'],
      ['0 0 ? * 7', '2026-11-22T00:00:00.000Z'],
      // A day of the month or a day of the week, when both are given.
      ['0 0 13 * 5', '2026-11-27T00:00:00.000Z'],
    ] as const;
    expect(expected.map(([schedule]) => [schedule, nextRun(schedule, undefined, after)])).toEqual(expected);
  });

  it('follows the time zone over the change of its clocks', () => {
    expect(nextRun('0 9 * * *', 'Europe/Berlin', after)).toBe('2026-11-22T08:00:00.000Z');
    expect(nextRun('0 9 * * *', 'Europe/Berlin', Date.UTC(2026, 6, 1))).toBe('2026-07-01T07:00:00.000Z');
  });

  it('is not told for a schedule that never comes or cannot be read', () => {
    for (const schedule of ['0 0 31 2 *', 'whenever', '* * * * * *', '@every 1h', ''])
      expect([schedule, nextRun(schedule, undefined, after)]).toEqual([schedule, undefined]);
    expect(nextRun('0 9 * * *', 'Nowhere/City', after)).toBeUndefined();
  });
});
