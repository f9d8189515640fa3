import { asSentence } from '../../components/list/sentence.ts';
import { Panel } from '../../components/panel.tsx';
import { formatTook, runStates, worstFirst } from '../../components/run-state.ts';
import { State } from '../../components/state.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import css from './doctor-page.module.css';
import type { DoctorAnswer } from './doctor-query.ts';

type DoctorRun = DoctorAnswer['last_runs'][number];

const keyOf = ({ name }: DoctorRun): string => name;

const outputOf = ({ detail }: DoctorRun) => (detail === undefined ? undefined : asSentence(detail));

const columns: readonly TableColumn<DoctorRun>[] = [
  {
    id: 'run',
    title: 'Run',
    width: (view) => (view >= 900 ? 230 : 170),
    value: ({ name }) => name,
    hover: ({ name }) => name,
    cell: ({ name }) => <code>{name}</code>,
  },
  {
    id: 'outcome',
    title: 'Outcome',
    width: 110,
    value: ({ state }) => runStates[state].label,
    rank: ({ state }) => worstFirst.indexOf(state),
    cell: ({ state }) => <State {...runStates[state]} />,
  },
  {
    id: 'started',
    title: 'Started',
    width: 104,
    value: ({ started }) => started,
    cell: ({ started }) => <TimeAgo at={Date.parse(started)} />,
  },
  {
    id: 'took',
    title: 'Took',
    width: 90,
    from: 620,
    numbers: true,
    value: ({ took_seconds }) => took_seconds,
    cell: ({ took_seconds }) => took_seconds !== undefined && formatTook(took_seconds),
  },
  { id: 'output', title: 'Output', quiet: true, wraps: true, value: outputOf },
];

/** The last runs of the doctor, newest first. */
export function DoctorRuns({ runs }: { readonly runs: DoctorAnswer['last_runs'] }) {
  return (
    <Panel title="Last runs" sub={runs.length === 0 ? undefined : `${runs.length}, newest first`}>
      {runs.length === 0 ? (
        <p className={css.quiet}>
          None. A CronJob keeps only its most recent Jobs; these may have been cleaned up.
        </p>
      ) : (
        <>
          <div className={css.beads} aria-hidden="true">
            {[...runs].reverse().map(({ name, state }) => (
              <i key={name} data-state={runStates[state].state} />
            ))}
          </div>
          <PanelTable
            id="doctorRuns"
            label="Last runs of the doctor"
            columns={columns}
            rows={runs}
            keyOf={keyOf}
          />
        </>
      )}
    </Panel>
  );
}
