import { counted } from '#shared/text.ts';
import type { DevexAnswer } from './devex-queries.ts';

export type IndicatorName = keyof DevexAnswer['samples'];

/** An indicator's value as it is read. */
export type IndicatorValue = {
  readonly value: string;
  readonly unit: string;
  /** A second figure, such as the ninth decile. */
  readonly beside?: string;
};

type Indicator = {
  readonly name: IndicatorName;
  readonly title: string;
  /** Short description. */
  readonly short: string;
  /** Full description of what it is measured from. */
  readonly measured: string;
  /** Singular and plural name of the observations. */
  readonly counted: readonly [one: string, several: string];
  readonly value: (answer: DevexAnswer) => IndicatorValue | undefined;
};

/** The five indicators, in the order of the page. */
export const indicators: readonly Indicator[] = [
  {
    name: 'lead_time',
    title: 'Lead time',
    short: 'commit to delivered, median',
    measured:
      'From the time of a commit to the end of the first run that delivered it: runs by push on the default branch, without review, governance and agent workflows. Half of the deliveries took less.',
    counted: ['delivery', 'deliveries'],
    value: ({ indicators: { lead_time } }) => lead_time && spreadValue(lead_time),
  },
  {
    name: 'deploy_frequency',
    title: 'Deploy frequency',
    short: 'deliveries that succeeded',
    measured:
      'Deliveries that succeeded, divided by the days of the window that the series covers. A commit through a workflow counts once, however often it was tried.',
    counted: ['delivery', 'deliveries'],
    value: ({ indicators: { deploy_frequency } }) =>
      deploy_frequency && frequencyValue(deploy_frequency.per_day),
  },
  {
    name: 'change_failure_rate',
    title: 'Change failure rate',
    short: 'deliveries that failed',
    measured:
      'Deliveries of which a run failed, of all that ended. A later attempt that succeeds does not undo the failure.',
    counted: ['delivery that ended', 'deliveries that ended'],
    value: ({ indicators: { change_failure_rate } }) =>
      change_failure_rate && shareValue(change_failure_rate.share),
  },
  {
    name: 'time_to_restore',
    title: 'Time to restore',
    short: 'failure to next success, median',
    measured:
      'From the first failure of a workflow on the default branch to its next success, by repository. A failure that still lasts is not in it.',
    counted: ['restored failure', 'restored failures'],
    value: ({ indicators: { time_to_restore } }) => time_to_restore && spreadValue(time_to_restore),
  },
  {
    name: 'flaky_rate',
    title: 'Flaky rate',
    short: 'failed, then passed unchanged',
    measured:
      'Deliveries that failed and then succeeded without a new commit, of all that ended: what failed was not the change.',
    counted: ['delivery that ended', 'deliveries that ended'],
    value: ({ indicators: { flaky_rate } }) => flaky_rate && shareValue(flaky_rate.share),
  },
];

/** A span of seconds with the digits a person can use. */
function spanValue(seconds: number): { readonly value: string; readonly unit: string } {
  if (seconds < 90) return { value: figure(seconds), unit: 's' };
  if (seconds < 90 * 60) return { value: figure(seconds / 60), unit: 'min' };
  return seconds < 48 * 3600
    ? { value: figure(seconds / 3600), unit: 'h' }
    : { value: figure(seconds / 86_400), unit: 'd' };
}

/** A span in words, `4.2 h`. */
export function formatSpan(seconds: number): string {
  const { value, unit } = spanValue(seconds);
  return `${value} ${unit}`;
}

function spreadValue({ median_seconds, p90_seconds }: { median_seconds: number; p90_seconds: number }) {
  return { ...spanValue(median_seconds), beside: `p90 ${formatSpan(p90_seconds)}` };
}

function frequencyValue(perDay: number): IndicatorValue {
  return perDay >= 1
    ? { value: figure(perDay), unit: 'a day' }
    : { value: figure(perDay * 7), unit: 'a week' };
}

function shareValue(share: number): IndicatorValue {
  return { value: figure(share * 100), unit: '%' };
}

/** One decimal below ten, none from there on. */
function figure(value: number): string {
  return value < 9.95 ? String(Math.round(value * 10) / 10) : String(Math.round(value));
}

/** `5 deliveries`, `1 delivery`. */
export function formatCounted(count: number, [one, several]: Indicator['counted']): string {
  return counted(count, one, several);
}

/** True for a reason that an indicator's own card says: its sample is too small. */
export const saidByCard = (reason: string): boolean =>
  indicators.some(({ title }) => reason.startsWith(`${title} is not shown`));
