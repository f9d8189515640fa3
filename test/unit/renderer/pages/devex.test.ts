import { describe, expect, it } from 'vitest';
import { devexAddress, devexViewOf } from '../../../../src-renderer/pages/devex/devex-address.ts';
import { formatSpan, indicators, saidByCard } from '../../../../src-renderer/pages/devex/indicator-labels.ts';
import { uncovered, windowDays } from '../../../../src-renderer/pages/devex/window-days.ts';
import { devexAnswer } from '../../../browser/answers/devex-answers.ts';

describe('the days of a window', () => {
  it('are all there, and one that the series does not cover has no counts, which is no zero', () => {
    const answer = devexAnswer({ days: 7, covered: 3 });
    const days = windowDays(answer);
    expect(days).toHaveLength(7);
    expect(days.at(-1)?.day).toBe(answer.read_at.slice(0, 10));
    expect(days.map(({ counts }) => counts !== undefined)).toEqual([
      ...[false, false, false, false],
      ...[true, true, true],
    ]);
    expect(uncovered(days)).toEqual([days[0]?.day, days[3]?.day]);
  });

  it('have nothing uncovered when the series covers the window, and everything when it is empty', () => {
    expect(uncovered(windowDays(devexAnswer({ days: 7, covered: 7 })))).toBeUndefined();
    const empty = windowDays(devexAnswer({ days: 7, covered: 0 }));
    expect(uncovered(empty)).toEqual([empty[0]?.day, empty[6]?.day]);
  });
});

describe('an indicator in words', () => {
  const shownValue = (name: string, answer = devexAnswer({ days: 28, covered: 28 })) =>
    indicators.find((indicator) => indicator.name === name)?.value(answer);

  it('has its value with the unit that fits it', () => {
    expect(shownValue('lead_time')).toEqual({ value: '4.1', unit: 'h', beside: 'p90 17 h' });
    expect(shownValue('deploy_frequency')).toEqual({ value: '3.1', unit: 'a day' });
    expect(shownValue('change_failure_rate')).toEqual({ value: '15', unit: '%' });
    expect([45, 600, 7200, 300_000].map(formatSpan)).toEqual(['45 s', '10 min', '2 h', '3.5 d']);
  });

  it('counts by the week what happens less than daily', () => {
    const answer = devexAnswer({ days: 28, covered: 28 });
    const rare = { ...answer, indicators: { deploy_frequency: { per_day: 0.5, sample: 14 } } };
    expect(shownValue('deploy_frequency', rare)).toEqual({ value: '3.5', unit: 'a week' });
  });

  it('has none when it was not measured, and a measured zero is a zero', () => {
    expect(shownValue('time_to_restore')).toBeUndefined();
    const answer = devexAnswer({ days: 28, covered: 28 });
    const calm = { ...answer, indicators: { change_failure_rate: { share: 0, sample: 9 } } };
    expect(shownValue('change_failure_rate', calm)).toEqual({ value: '0', unit: '%' });
  });

  it('is said to be missing by its card and not a second time', () => {
    expect(saidByCard('Lead time is not shown: 3 deliveries in 28 days, 5 are needed.')).toBe(true);
    expect(saidByCard('The series covers 3 of 7 days: it begins on 2026-11-19.')).toBe(false);
  });
});

describe('the address of the page', () => {
  it('names what is not usual, and is read back', () => {
    expect(devexAddress({ days: '28', repo: undefined, view: 'charts' })).toEqual({ tab: 'devex' });
    const view = { days: '90', repo: 'harbour', view: 'table' } as const;
    const { days, repo, section } = { section: null, ...devexAddress(view) };
    expect(devexViewOf({ days: days ?? null, repo: repo ?? null, section: section ?? null })).toEqual(view);
    expect(devexViewOf({ days: '31', repo: '', section: 'x' })).toEqual({
      days: '28',
      repo: undefined,
      view: 'charts',
    });
  });
});
