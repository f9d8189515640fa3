import { Button } from '@mantine/core';
import { Choice, FilterChip } from '../../components/filter-chip.tsx';
import { utcTime } from '../../components/format-time.ts';
import css from './filter-bar.module.css';

type Period = { readonly since: string | undefined; readonly until: string | undefined };

type PeriodChipProps = Period & { readonly onChange: (period: Period) => void };

const hour = 3_600_000;
const spans = [
  { title: 'The last hour', ms: hour },
  { title: 'The last 24 hours', ms: 24 * hour },
  { title: 'The last 7 days', ms: 168 * hour },
  { title: 'The last 30 days', ms: 720 * hour },
] as const;

/**
 * The chip for a span of time. A span is kept as its moments, not as "the last hour": a link to the list shows another
 * person the same records.
 */
export function PeriodChip({ since, until, onChange }: PeriodChipProps) {
  const set = since !== undefined || until !== undefined;
  return (
    <FilterChip
      name={since === undefined && until !== undefined ? 'Until' : 'Since'}
      everything="the beginning"
      value={set ? formatPeriod({ since, until }) : undefined}
      onClear={() => onChange({ since: undefined, until: undefined })}
    >
      {(close) => (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            const data = new FormData(event.currentTarget);
            onChange({ since: momentOf(data.get('since')), until: momentOf(data.get('until')) });
            close();
          }}
        >
          {spans.map(({ title, ms }) => (
            <Choice
              key={title}
              chosen={false}
              onChoose={() => {
                onChange({ since: wholeMinute(Date.now() - ms), until: undefined });
                close();
              }}
            >
              {title}
            </Choice>
          ))}
          <label className={css.moment}>
            From, UTC
            <input
              type="datetime-local"
              name="since"
              defaultValue={since === undefined ? '' : fieldOf(since)}
            />
          </label>
          <label className={css.moment}>
            Until, UTC
            <input
              type="datetime-local"
              name="until"
              defaultValue={until === undefined ? '' : fieldOf(until)}
            />
          </label>
          <div className={css.actions}>
            <Button type="submit">Apply</Button>
          </div>
        </form>
      )}
    </FilterChip>
  );
}

/** Without seconds: the chip says minutes. */
const minuteOf = (moment: string): string => utcTime(Date.parse(moment), Date.now()).replace(/:\d\d$/, '');

function formatPeriod({ since, until }: Period): string {
  if (since === undefined) return until === undefined ? '' : minuteOf(until);
  return until === undefined ? minuteOf(since) : `${minuteOf(since)} until ${minuteOf(until)}`;
}

const wholeMinute = (at: number): string => new Date(Math.floor(at / 60_000) * 60_000).toISOString();

/** A `datetime-local` value, read as UTC like the column beside it. */
function momentOf(value: FormDataEntryValue | null): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const at = Date.parse(`${value}Z`);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

const fieldOf = (moment: string): string => new Date(moment).toISOString().slice(0, 16);
