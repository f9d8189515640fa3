import { devexDay } from '../../../src-shared/api/delivery.ts';
import { type Answer, minutesAgo } from './answer-route.ts';
import { wholeReading } from './delivery-answers.ts';

const dayMs = 86_400_000;

/** Indicators of a window whose newest `covered` days are in the series; of the restores there are too few. */
export function devexAnswer({ days, covered }: { days: number; covered: number }): Answer<'delivery.devex'> {
  const today = Date.parse(minutesAgo(0).slice(0, 10));
  return {
    window_days: days,
    smallest_sample: 5,
    repos: ['harbour', 'quay'],
    series_since: minutesAgo(covered * 1440),
    samples: {
      lead_time: 86,
      deploy_frequency: 86,
      change_failure_rate: 101,
      time_to_restore: 4,
      flaky_rate: 101,
    },
    indicators: {
      lead_time: { median_seconds: 14_820, p90_seconds: 61_200, sample: 86 },
      deploy_frequency: { per_day: 3.1, sample: 86 },
      change_failure_rate: { share: 0.148, sample: 101 },
      flaky_rate: { share: 0.039, sample: 101 },
    },
    days: Array.from({ length: covered }, (_, index) =>
      devexDay.parse({
        day: new Date(today - (covered - 1 - index) * dayMs).toISOString().slice(0, 10),
        deploys: index % 3,
        failed_deploys: index % 2,
        runs: 9,
        failed_runs: index % 2,
        ...(index % 3 > 0 && { lead_time_seconds: 3600 * ((index % 5) + 1) }),
      }),
    ),
    ...wholeReading(),
    source: 'store',
    complete: covered >= days,
    unmeasured: [
      ...(covered >= days ? [] : [`The series covers ${covered} of ${days} days.`]),
      `Time to restore is not shown: 4 restored failures in ${days} days, 5 are needed.`,
    ],
  };
}
