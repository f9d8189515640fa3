import type { Run } from '#shared/api/runs.ts';
import { exactTime, formatAgo } from '../../components/format-time.ts';
import { isUnderWay, runStates, worstFirst } from '../../components/run-state.ts';
import { RunTime } from '../../components/run-time.tsx';
import { State } from '../../components/state.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import css from './run-columns.module.css';
import { clockTime } from './run-days.ts';
import { kindLabels, startedBy } from './run-labels.ts';

/** The width of a column in a table of at most 860 pixels, of at least 1360, and between. */
const widths = (narrow: number, usual: number, wide: number) => (view: number) =>
  view <= 860 ? narrow : view < 1360 ? usual : wide;

/** Only in a table wider than this, in pixels. */
const notNarrow = 861;

const dayMs = 86_400_000;

/**
 * Returns the columns of the run table for a moment. `readAt` is when the runs were read, in this machine's epoch ms.
 */
export const runColumns = (now: number, readAt: number): readonly TableColumn<Run>[] => [
  {
    id: 'state',
    title: 'State',
    width: widths(116, 124, 124),
    value: ({ state }) => runStates[state].label,
    rank: ({ state }) => worstFirst.indexOf(state),
    cell: ({ state }) => <State {...runStates[state]} />,
    hover: ({ detail }) => detail,
  },
  {
    id: 'name',
    title: 'Run',
    link: true,
    value: nameOf,
    cell: ({ name, title }) => (
      <span className={css.run}>
        <span className={css.name}>{name}</span>
        {title !== undefined && <span className={css.title}>{title}</span>}
      </span>
    ),
    hover: nameOf,
  },
  {
    id: 'kind',
    title: 'Kind',
    width: 104,
    from: notNarrow,
    quiet: true,
    value: ({ kind }) => kindLabels[kind],
  },
  {
    id: 'repo',
    title: 'Repository',
    width: widths(120, 140, 180),
    from: 600,
    quiet: true,
    value: ({ repo }) => repo,
    hover: ({ repo }) => repo,
  },
  {
    id: 'by',
    title: 'Started by',
    width: widths(124, 200, 300),
    from: notNarrow,
    quiet: true,
    value: byOf,
    cell: (run) => (
      <>
        {startedBy(run)}
        {run.branch !== undefined && <code className={css.branch}>{run.branch}</code>}
      </>
    ),
    hover: byOf,
  },
  {
    id: 'actor',
    title: 'Actor',
    width: 160,
    from: 1360,
    quiet: true,
    value: ({ actor }) => actor,
    hover: ({ actor }) => actor,
  },
  {
    id: 'started',
    title: 'Started',
    width: 92,
    quiet: true,
    value: ({ started }) => started,
    cell: ({ started, state }) => {
      const at = Date.parse(started);
      const recent = now - at < dayMs || isUnderWay(state);
      return (
        <time dateTime={started} title={exactTime(at)}>
          {recent ? formatAgo(at, now) : clockTime(at)}
        </time>
      );
    },
  },
  {
    id: 'took',
    title: 'Took',
    width: widths(104, 108, 108),
    numbers: true,
    quiet: true,
    value: ({ took_seconds }) => took_seconds,
    cell: ({ state, took_seconds }) => (
      <span className={css.took} data-counting={isUnderWay(state)}>
        <RunTime state={state} tookSeconds={took_seconds} readAt={readAt} />
      </span>
    ),
  },
];

function nameOf({ name, title }: Run): string {
  return title === undefined ? name : `${name}: ${title}`;
}

function byOf(run: Run): string {
  return [startedBy(run), run.branch].filter(Boolean).join(', ');
}
