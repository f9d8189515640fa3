import { type DevexDay, smallestSample } from '#shared/api/delivery.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { counted } from '#shared/text.ts';
import { type Delivered, deliveriesOf, quantile, restoresOf, type Took } from './indicators.ts';
import { type DayRuns, day, dayOf, type Outcomes } from './read-outcomes.ts';

type Answer = RouteAnswer<RouteOf<'delivery.devex'>>;
type Indicators = Answer['indicators'];
type Samples = Answer['samples'];

/** A span of time, both ends in epoch ms. */
export type Window = { readonly days: number; readonly from: number; readonly to: number };

/** The last `days` UTC days, today among them. */
export function windowOf(days: number, now: number): Window {
  return { days, from: dayOf(now) - (days - 1) * day, to: now };
}

/** `GET /api/devex`: the indicators of the window, of what the series holds and what could not be added to it. */
export function devexOf(window: Window, outcomes: Outcomes, unread: readonly string[]): Answer {
  const within = <T extends { readonly at: number }>(seen: readonly T[]): T[] =>
    seen.filter(({ at }) => at >= window.from && at <= window.to);
  const deliveries = deliveriesOf(outcomes.attempts);
  const leadTimes = within(deliveries.flatMap(({ leadTime }) => leadTime ?? []));
  const days = daysOf(window, outcomes, deliveries);
  const ended = within(deliveries);
  const restores = within(restoresOf(outcomes.attempts));
  const deploys = days.reduce((sum, { deploys }) => sum + deploys, 0);

  const samples: Samples = {
    lead_time: leadTimes.length,
    deploy_frequency: deploys,
    change_failure_rate: ended.length,
    time_to_restore: restores.length,
    flaky_rate: ended.length,
  };
  const enough = (name: keyof Samples): boolean => samples[name] >= smallestSample;
  const indicators: Indicators = {
    ...(enough('lead_time') ? { lead_time: spread(leadTimes) } : {}),
    ...(enough('deploy_frequency')
      ? { deploy_frequency: { per_day: deploys / days.length, sample: deploys } }
      : {}),
    ...(enough('change_failure_rate')
      ? { change_failure_rate: share(ended, ({ failedAt }) => failedAt !== undefined) }
      : {}),
    ...(enough('time_to_restore') ? { time_to_restore: spread(restores) } : {}),
    ...(enough('flaky_rate') ? { flaky_rate: share(ended, ({ flaky }) => flaky) } : {}),
  };
  const notWhole = [...unread, ...uncovered(window, days.length, outcomes.since)];
  return {
    window_days: window.days,
    indicators,
    samples,
    smallest_sample: smallestSample,
    days,
    repos: [...outcomes.repos],
    ...(outcomes.since === undefined ? {} : { series_since: new Date(outcomes.since).toISOString() }),
    source: 'store',
    complete: notWhole.length === 0,
    read_at: new Date(window.to).toISOString(),
    unmeasured: [...notWhole, ...tooFew(samples, window)],
  };
}

function spread(took: readonly Took[]): { median_seconds: number; p90_seconds: number; sample: number } {
  const seconds = took.map((one) => one.seconds);
  const at = (q: number): number => Math.round(quantile(seconds, q) ?? 0);
  return { median_seconds: at(0.5), p90_seconds: at(0.9), sample: took.length };
}

function share(
  ended: readonly Delivered[],
  counts: (delivery: Delivered) => boolean,
): { share: number; sample: number } {
  return { share: ended.filter(counts).length / ended.length, sample: ended.length };
}

/** One entry for each day of the window from the day on which the series begins. */
function daysOf(
  { from, to }: Window,
  { since, runs }: Outcomes,
  deliveries: readonly Delivered[],
): DevexDay[] {
  if (since === undefined) return [];
  const rows: DevexDay[] = [];
  const runsOf = new Map<number, DayRuns>(runs.map((counted) => [counted.day, counted]));
  const succeeded = Map.groupBy(deliveries, ({ succeededAt }) => succeededAt && dayOf(succeededAt));
  const failed = Map.groupBy(deliveries, ({ failedAt }) => failedAt && dayOf(failedAt));
  for (let at = Math.max(from, dayOf(since)); at <= to; at += day) {
    const ofDay = succeeded.get(at) ?? [];
    const leadTime = quantile(
      ofDay.flatMap(({ leadTime }) => leadTime?.seconds ?? []),
      0.5,
    );
    rows.push({
      day: new Date(at).toISOString().slice(0, 10),
      deploys: ofDay.length,
      failed_deploys: failed.get(at)?.length ?? 0,
      runs: runsOf.get(at)?.runs ?? 0,
      failed_runs: runsOf.get(at)?.failed ?? 0,
      ...(leadTime === undefined ? {} : { lead_time_seconds: Math.round(leadTime) }),
    });
  }
  return rows;
}

function uncovered({ days }: Window, covered: number, since: number | undefined): string[] {
  if (since === undefined) return ['The series is empty: no run that has ended was read yet.'];
  if (covered >= days) return [];
  const begins = new Date(since).toISOString().slice(0, 10);
  return [`The series covers ${covered} of ${days} days: it begins on ${begins}.`];
}

const measures = [
  { of: 'lead_time', name: 'Lead time', one: 'delivery', several: 'deliveries' },
  { of: 'deploy_frequency', name: 'Deploy frequency', one: 'delivery', several: 'deliveries' },
  {
    of: 'change_failure_rate',
    name: 'Change failure rate',
    one: 'delivery that ended',
    several: 'deliveries that ended',
  },
  { of: 'time_to_restore', name: 'Time to restore', one: 'restored failure', several: 'restored failures' },
  { of: 'flaky_rate', name: 'Flaky rate', one: 'delivery that ended', several: 'deliveries that ended' },
] as const;

function tooFew(samples: Samples, { days }: Window): string[] {
  return measures
    .filter(({ of }) => samples[of] < smallestSample)
    .map(({ of, name, one, several }) => {
      return `${name} is not shown: ${counted(samples[of], one, several)} in ${days} days, ${smallestSample} are needed.`;
    });
}
