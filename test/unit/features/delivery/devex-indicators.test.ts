import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallestSample } from '#shared/api/delivery.ts';
import { devexOf, windowOf } from '../../../../src-main/features/delivery/devex.ts';
import {
  type DeliveryAttempt,
  deliveriesOf,
  quantile,
  restoresOf,
} from '../../../../src-main/features/delivery/indicators.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 21, 15, 30);
const minutes = (count: number): number => count * 60_000;

let lastRun = 0;
const attempt = (given: Partial<DeliveryAttempt> & { ended_at: number }): DeliveryAttempt => {
  lastRun += 1;
  return {
    repo: 'harbour',
    workflow: '.github/workflows/deploy.yml',
    sha: `commit-${lastRun}`,
    run_id: lastRun,
    attempt: 1,
    state: 'success',
    committed_at: null,
    ...given,
  };
};

const answer = (attempts: readonly DeliveryAttempt[], days = 28, since = now - 100 * day) =>
  devexOf(windowOf(days, now), { attempts, runs: [], repos: ['harbour'], since }, []);

/** Attempts as a series holds them: each run and attempt once. */
const series = fc.uniqueArray(
  fc.record({
    repo: fc.constantFrom('harbour', 'quay'),
    workflow: fc.constantFrom('build.yml', 'deploy.yml'),
    sha: fc.constantFrom('a', 'b', 'c', 'd'),
    run_id: fc.integer({ min: 1, max: 30 }),
    attempt: fc.integer({ min: 1, max: 3 }),
    state: fc.constantFrom('success' as const, 'failure' as const),
    ended_at: fc.integer({ min: now - 40 * day, max: now }),
    committed_at: fc.option(fc.integer({ min: now - 50 * day, max: now })),
  }),
  { selector: (one) => `${one.repo} ${one.run_id} ${one.attempt}`, maxLength: 60 },
);

describe('the indicators', () => {
  it('are the same in whatever order the attempts are read', () => {
    const shuffled = series.chain((attempts) =>
      fc.tuple(fc.constant(attempts), fc.shuffledSubarray(attempts, { minLength: attempts.length })),
    );
    fc.assert(
      fc.property(shuffled, ([attempts, other]) => {
        expect(answer(other)).toEqual(answer(attempts));
      }),
    );
  });

  it('are shares between nothing and all, of samples that the days add up to', () => {
    fc.assert(
      fc.property(series, (attempts) => {
        const { indicators, samples, days } = answer(attempts);
        for (const rate of [indicators.change_failure_rate, indicators.flaky_rate])
          if (rate !== undefined) {
            expect(rate.share).toBeGreaterThanOrEqual(0);
            expect(rate.share).toBeLessThanOrEqual(1);
          }
        const flaky = indicators.flaky_rate?.share ?? 0;
        expect(flaky).toBeLessThanOrEqual(indicators.change_failure_rate?.share ?? 0);
        expect(samples.deploy_frequency).toBe(days.reduce((sum, { deploys }) => sum + deploys, 0));
        for (const spread of [indicators.lead_time, indicators.time_to_restore])
          if (spread !== undefined) expect(spread.p90_seconds).toBeGreaterThanOrEqual(spread.median_seconds);
      }),
    );
  });

  it('are there exactly where the sample is large enough, and the reason is where they are not', () => {
    fc.assert(
      fc.property(series, (attempts) => {
        const { indicators, samples, unmeasured } = answer(attempts);
        const shown = Object.entries(samples).filter(([, sample]) => sample >= smallestSample);
        expect(Object.keys(indicators).sort()).toEqual(shown.map(([name]) => name).sort());
        expect(unmeasured).toHaveLength(5 - shown.length);
      }),
    );
  });

  it('say how many there were and how many are needed', () => {
    const { unmeasured } = answer([attempt({ ended_at: now - day, committed_at: now - 2 * day })]);
    expect(unmeasured).toContain('Lead time is not shown: 1 delivery in 28 days, 5 are needed.');
    expect(unmeasured).toContain(
      'Time to restore is not shown: 0 restored failures in 28 days, 5 are needed.',
    );
  });

  it('take the lead time from the commit to the end of its first success', () => {
    const leads = [10, 20, 30, 40, 100].map((count, index) =>
      attempt({ ended_at: now - index * day, committed_at: now - index * day - minutes(count) }),
    );
    const again = attempt({ ...leads[0], ended_at: now, attempt: 2, run_id: 999 });
    const { indicators } = answer([...leads, again]);
    expect(indicators.lead_time).toEqual({ median_seconds: 1800, p90_seconds: 4560, sample: 5 });
  });

  it('count a delivery once however often it was tried, and its failure although it succeeded then', () => {
    const tries = (['failure', 'failure', 'success', 'success'] as const).map((state, index) =>
      attempt({ sha: 'same', run_id: 7, attempt: index + 1, state, ended_at: now - minutes(90 - index) }),
    );
    const others = Array.from({ length: 9 }, (_, index) => attempt({ ended_at: now - index * day }));
    const { indicators, days } = answer([...tries, ...others]);
    expect(indicators.deploy_frequency).toEqual({ per_day: 10 / 28, sample: 10 });
    expect(indicators.change_failure_rate).toEqual({ share: 0.1, sample: 10 });
    expect(indicators.flaky_rate).toEqual({ share: 0.1, sample: 10 });
    expect(days.at(-1)).toMatchObject({ day: '2026-11-21', deploys: 2, failed_deploys: 1 });
  });

  it('call it not flaky when a new commit was needed, or when it failed after it had succeeded', () => {
    const [failed, fixed, rerun] = [
      attempt({ state: 'failure', ended_at: now - 5000 }),
      attempt({ ended_at: now - 4000 }),
      attempt({ sha: 'twice', run_id: 70, ended_at: now - 3000 }),
    ];
    const deliveries = deliveriesOf([
      failed,
      fixed,
      rerun,
      { ...rerun, attempt: 2, state: 'failure', ended_at: now - 2000 },
    ]);
    expect(deliveries.map(({ flaky }) => flaky)).toEqual([false, false, false]);
  });

  it('restore from the first failure to the next success of the same workflow', () => {
    const at = (state: 'success' | 'failure', ago: number, workflow = 'deploy.yml') =>
      attempt({ state, workflow, ended_at: now - minutes(ago) });
    const restores = restoresOf([
      at('failure', 100),
      at('failure', 90),
      at('success', 80, 'docs.yml'),
      at('success', 70),
      at('success', 60),
      at('failure', 50),
    ]);
    expect(restores).toEqual([{ at: now - minutes(70), seconds: 1800 }]);
  });

  it('count a failure that began before the window and was restored within it', () => {
    const shas = ['a', 'b', 'c', 'd', 'e'];
    const attempts = shas.flatMap((sha) => [
      attempt({ sha, workflow: sha, state: 'failure', ended_at: now - 8 * day }),
      attempt({ sha: `${sha}-fixed`, workflow: sha, ended_at: now - 2 * day }),
    ]);
    const { indicators } = answer(attempts, 7);
    expect(indicators.time_to_restore).toMatchObject({ median_seconds: (6 * day) / 1000, sample: 5 });
    // The failures themselves are of the week before.
    expect(indicators.change_failure_rate).toEqual({ share: 0, sample: 5 });
  });

  it('cover the days from the beginning of the series on, with zeros where nothing ran', () => {
    const deploys = Array.from({ length: 6 }, () => attempt({ ended_at: now - minutes(1) }));
    const { days, complete, unmeasured, indicators, series_since } = answer(deploys, 28, now - 2 * day);
    expect(days.map((one) => one.day)).toEqual(['2026-11-19', '2026-11-20', '2026-11-21']);
    expect(days[0]).toEqual({ day: '2026-11-19', deploys: 0, failed_deploys: 0, runs: 0, failed_runs: 0 });
    expect(complete).toBe(false);
    expect(unmeasured[0]).toBe('The series covers 3 of 28 days: it begins on 2026-11-19.');
    expect(series_since).toBe('2026-11-19T15:30:00.000Z');
    // Per day that is known of, not per day of the window.
    expect(indicators.deploy_frequency).toEqual({ per_day: 2, sample: 6 });
  });

  it('have no days and say why when the series is empty', () => {
    const empty = devexOf(windowOf(7, now), { attempts: [], runs: [], repos: [], since: undefined }, []);
    expect(empty).toMatchObject({ days: [], indicators: {}, complete: false });
    expect(empty).not.toHaveProperty('series_since');
    expect(empty.unmeasured[0]).toBe('The series is empty: no run that has ended was read yet.');
  });
});

describe('a quantile', () => {
  it('lies between the smallest and the largest value, and the median halves them', () => {
    const values = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (numbers, q) => {
        const found = quantile(numbers, q);
        expect(found).toBeGreaterThanOrEqual(Math.min(...numbers));
        expect(found).toBeLessThanOrEqual(Math.max(...numbers));
        const median = quantile(numbers, 0.5) ?? Number.NaN;
        expect(numbers.filter((one) => one < median).length).toBeLessThanOrEqual(numbers.length / 2);
        expect(numbers.filter((one) => one > median).length).toBeLessThanOrEqual(numbers.length / 2);
      }),
    );
    expect(quantile([], 0.5)).toBeUndefined();
  });
});
