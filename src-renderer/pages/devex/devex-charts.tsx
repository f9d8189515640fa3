import type { ReactNode } from 'react';
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { Panel } from '../../components/panel.tsx';
import css from './devex-charts.module.css';
import { formatSpan } from './indicator-labels.ts';
import { formatDay, uncovered, type WindowDay } from './window-days.ts';

type DevexChartsProps = { readonly days: readonly WindowDay[] };

/** Pixels. */
const chartHeight = 220;
const margin = { top: 12, right: 4, bottom: 0, left: 0 } as const;

/** The window day by day: deliveries and failures, and the lead time. A module of its own, loaded when it is looked at. */
export function DevexCharts({ days }: DevexChartsProps) {
  return (
    <div className={css.charts}>
      <Deliveries days={days} />
      <LeadTime days={days} />
    </div>
  );
}

function Deliveries({ days }: DevexChartsProps) {
  const rows = days.map(({ day, counts }) => ({
    day,
    delivered: counts?.deploys,
    failed: counts?.failed_deploys,
  }));
  const delivered = days.reduce((sum, { counts }) => sum + (counts?.deploys ?? 0), 0);
  const failed = days.reduce((sum, { counts }) => sum + (counts?.failed_deploys ?? 0), 0);
  return (
    <Panel
      title="Deliveries a day"
      tools={
        <span className={css.legend}>
          <i data-series="delivered" /> {delivered} delivered
          <i data-series="failed" /> {failed} failed
        </span>
      }
    >
      <Frame
        days={days}
        unmarked="A day without a bar had none."
        label={`Deliveries a day over ${days.length} days: ${delivered} delivered, ${failed} failed. The table has every day.`}
      >
        <ComposedChart data={rows} margin={margin} accessibilityLayer={false} barCategoryGap="18%">
          {common(days, 'deliveries-hatch')}
          <YAxis {...valueAxis} allowDecimals={false} width={34} />
          <Tooltip {...tooltip} content={({ label }) => <DayCard days={days} day={String(label)} />} />
          <Bar
            dataKey="delivered"
            stackId="day"
            fill="var(--oc-accent)"
            maxBarSize={28}
            isAnimationActive={false}
          />
          <Bar
            dataKey="failed"
            stackId="day"
            fill="var(--oc-failing-solid)"
            maxBarSize={28}
            isAnimationActive={false}
          />
        </ComposedChart>
      </Frame>
    </Panel>
  );
}

function LeadTime({ days }: DevexChartsProps) {
  const spans = days.flatMap(({ counts }) => counts?.lead_time_seconds ?? []);
  const unit = axisUnit(Math.max(0, ...spans));
  const rows = days.map(({ day, counts }) => ({
    day,
    lead: counts?.lead_time_seconds === undefined ? undefined : counts.lead_time_seconds / unit.seconds,
  }));
  return (
    <Panel
      title="Lead time a day"
      sub="median"
      tools={
        <span className={css.legend}>
          {spans.length} of {days.length} days have one
        </span>
      }
    >
      <Frame
        days={days}
        unmarked="A day without a dot delivered nothing."
        label={`Median lead time a day over ${days.length} days; ${spans.length} days have one. The table has every day.`}
      >
        <ComposedChart data={rows} margin={margin} accessibilityLayer={false}>
          {common(days, 'lead-time-hatch')}
          <YAxis {...valueAxis} width={54} tickFormatter={(value: number) => `${value} ${unit.name}`} />
          <Tooltip {...tooltip} content={({ label }) => <DayCard days={days} day={String(label)} />} />
          <Line
            dataKey="lead"
            stroke="var(--oc-accent)"
            strokeWidth={1.5}
            dot={{ r: 2.5, fill: 'var(--oc-accent)', strokeWidth: 0 }}
            activeDot={{ r: 4, fill: 'var(--oc-accent)', strokeWidth: 0 }}
            isAnimationActive={false}
          />
        </ComposedChart>
      </Frame>
    </Panel>
  );
}

const tick = { fill: 'var(--oc-text-3)', fontSize: 11 } as const;
const valueAxis = { tick, axisLine: false, tickLine: false } as const;
const tooltip = { cursor: { fill: 'var(--oc-hover)', stroke: 'none' }, isAnimationActive: false } as const;

/** Returns the axes and grid lines common to both charts, with a hatch over the days before the series. */
function common(days: readonly WindowDay[], hatch: string): ReactNode {
  const before = uncovered(days);
  return (
    <>
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0V5" stroke="var(--oc-unknown-border)" strokeWidth="3" />
        </pattern>
      </defs>
      <CartesianGrid vertical={false} stroke="var(--oc-border-soft)" />
      <XAxis
        dataKey="day"
        scale="band"
        tick={tick}
        tickFormatter={formatDay}
        tickLine={false}
        axisLine={{ stroke: 'var(--oc-border)' }}
        minTickGap={28}
        height={24}
      />
      {before !== undefined && (
        <ReferenceArea
          ifOverflow="hidden"
          x1={before[0]}
          x2={before[1]}
          fill={`url(#${hatch})`}
          fillOpacity={1}
        />
      )}
    </>
  );
}

type FrameProps = {
  readonly days: readonly WindowDay[];
  /** The chart in a sentence, for who does not see it. */
  readonly label: string;
  /** Meaning of a day without a mark. */
  readonly unmarked: string;
  readonly children: ReactNode;
};

function Frame({ days, label, unmarked, children }: FrameProps) {
  const before = uncovered(days);
  return (
    <figure className={css.frame}>
      <div role="img" aria-label={label}>
        <ResponsiveContainer width="100%" height={chartHeight}>
          {children}
        </ResponsiveContainer>
      </div>
      <figcaption className={css.caption}>
        {before === undefined ? (
          `${unmarked} Days in UTC.`
        ) : (
          <>
            <span className={css.hatch} aria-hidden="true" />
            {formatDay(before[0])} to {formatDay(before[1])}: before the series, not a zero. {unmarked} Days
            in UTC.
          </>
        )}
      </figcaption>
    </figure>
  );
}

/** A day's figures, beside the pointer. */
function DayCard({ days, day }: { readonly days: readonly WindowDay[]; readonly day: string }) {
  const found = days.find((one) => one.day === day);
  if (found === undefined) return null;
  const { counts } = found;
  return (
    <div className={css.card}>
      <b>{formatDay(day)}</b>
      {counts === undefined ? (
        <p>before the series</p>
      ) : (
        <>
          <p>{counts.deploys} delivered</p>
          <p>{counts.failed_deploys} failed</p>
          <p>
            {counts.lead_time_seconds === undefined
              ? 'no lead time'
              : `${formatSpan(counts.lead_time_seconds)} lead time`}
          </p>
        </>
      )}
    </div>
  );
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** The unit in which the largest value is two or more. */
function axisUnit(seconds: number) {
  return units.find((unit) => seconds >= unit.seconds * 2) ?? units[3];
}
