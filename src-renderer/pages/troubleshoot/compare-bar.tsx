import { UnstyledButton } from '@mantine/core';
import { ChoiceChip } from '../../components/choice-chip.tsx';
import { formatAgo, utcTime } from '../../components/format-time.ts';
import { useNow } from '../../core/use-now.ts';
import css from './compare-bar.module.css';
import type { DiagnosisRun } from './diagnosis-runs.ts';
import { type Mark, marks, namespacesOf } from './finding-rows.ts';
import type { FindingList } from './use-finding-list.ts';

type CompareBarProps = {
  readonly list: FindingList;
  /** The runs of this target, the newest first. */
  readonly runs: readonly DiagnosisRun[];
  /** The run that the newest is compared to; undefined while there is only one. */
  readonly compared: DiagnosisRun | undefined;
  /** The run the person chose, by its time; undefined for the one before the newest. */
  readonly chosen: number | undefined;
  readonly onChoose: (at: number | undefined) => void;
};

const markLabels: Readonly<Record<Mark, string>> = {
  new: 'new',
  gone: 'gone',
  unchecked: 'not checked now',
  same: 'same',
};

/** Filters the findings by namespace and compares them with an earlier run. Empty while neither applies. */
export function CompareBar({ list, runs, compared, chosen, onChoose }: CompareBarProps) {
  const now = useNow(10_000);
  const { all, filter, narrow } = list;
  const timeOf = (at: number) => `${utcTime(at, now)} UTC`;
  return (
    <>
      {filter.namespace !== undefined && (
        <div className={css.line}>
          <ChoiceChip
            name="Namespace"
            everything="all"
            value={filter.namespace}
            choices={[...new Set(all.flatMap(({ finding }) => namespacesOf(finding)))].sort()}
            onChange={(namespace) => narrow({ namespace })}
          />
        </div>
      )}
      {compared !== undefined && (
        <>
          <div className={css.line}>
            <ChoiceChip
              name="Compared with"
              everything={timeOf(compared.at)}
              value={chosen === undefined ? undefined : String(chosen)}
              choices={runs.slice(1).map(({ at }) => String(at))}
              shown={(at) => `${timeOf(Number(at))}, ${formatAgo(Number(at), now)}`}
              format={(at) => timeOf(Number(at))}
              onChange={(at) => onChoose(at === undefined ? undefined : Number(at))}
            />
          </div>
          <fieldset className={css.line} aria-label="Compared with the earlier run">
            {marks.map((mark) => {
              const count = all.filter((row) => row.mark === mark).length;
              if (mark === 'unchecked' && count === 0) return null;
              const pressed = filter.mark === mark;
              return (
                <UnstyledButton
                  key={mark}
                  className={css.mark}
                  aria-pressed={pressed}
                  onClick={() => narrow({ mark: pressed ? undefined : mark })}
                >
                  {count} {markLabels[mark]}
                </UnstyledButton>
              );
            })}
          </fieldset>
        </>
      )}
    </>
  );
}
