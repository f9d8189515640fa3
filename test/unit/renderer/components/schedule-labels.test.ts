import { describe, expect, it } from 'vitest';
import { scheduleLabel } from '../../../../src-renderer/components/schedule-labels.ts';

describe('a cron expression in words', () => {
  for (const [expression, words] of [
    ['* * * * *', 'every minute'],
    ['*/15 * * * *', 'every 15 min'],
    ['0 * * * *', 'every hour'],
    ['7 * * * *', 'every hour at 7 min past'],
    ['0 */6 * * *', 'every 6 h'],
    ['30 2 * * *', 'every day at 02:30'],
    ['5 8,20 * * *', 'every day at 08:05 and 20:05'],
    ['0 9 * * 1-5', 'Monday to Friday at 09:00'],
    ['0 9 * * MON,WED', 'every Monday and Wednesday at 09:00'],
    ['0 9 * * 7', 'every Sunday at 09:00'],
    ['0 4 1 * *', 'every month on day 1 at 04:00'],
    ['*/10 * * * 1-5', 'every 10 min, Monday to Friday'],
    ['@daily', 'every day at 00:00'],
  ] as const) {
    it(`says of ${expression}: ${words}`, () => {
      expect(scheduleLabel(expression)).toBe(words);
    });
  }

  // `*/7` starts anew with each hour, so it is not every 7 min; a day of the month and one of the week mean either.
  for (const expression of [
    '*/7 * * * *',
    '7 3 1-7 * 1',
    '0 9 1 6 *',
    '0 9 * * 8',
    'nonsense',
    '0 9-17 * * *',
  ]) {
    it(`leaves ${expression} to the expression itself`, () => {
      expect(scheduleLabel(expression)).toBeUndefined();
    });
  }
});
