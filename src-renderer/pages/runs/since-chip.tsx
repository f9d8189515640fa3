import { Choice, FilterChip } from '../../components/filter-chip.tsx';
import { exactTime, utcTime } from '../../components/format-time.ts';

type SinceChipProps = {
  readonly since: string | undefined;
  readonly onChange: (since: string | undefined) => void;
};

const hour = 3_600_000;
const spans = [
  { title: 'The last hour', ms: hour },
  { title: 'The last 24 hours', ms: 24 * hour },
  { title: 'The last 7 days', ms: 168 * hour },
  { title: 'The last 30 days', ms: 720 * hour },
] as const;

/** The chip for a span of time. It keeps its moment, not "the last hour": a link shows another person the same runs. */
export function SinceChip({ since, onChange }: SinceChipProps) {
  const at = since === undefined ? undefined : Date.parse(since);
  return (
    <FilterChip
      name="Since"
      everything="the beginning"
      value={at === undefined ? undefined : `${utcTime(at, Date.now()).replace(/:\d\d$/, '')} UTC`}
      onClear={() => onChange(undefined)}
    >
      {(close) =>
        spans.map(({ title, ms }) => {
          const moment = Math.floor((Date.now() - ms) / 60_000) * 60_000;
          return (
            <span key={title} title={`Since ${exactTime(moment)}`}>
              <Choice
                chosen={false}
                onChoose={() => {
                  onChange(new Date(moment).toISOString());
                  close();
                }}
              >
                {title}
              </Choice>
            </span>
          );
        })
      }
    </FilterChip>
  );
}
