import type { AuditItem } from '#shared/api/audit.ts';
import { exactTime, utcTime } from '../../components/format-time.ts';
import { State } from '../../components/state.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { outcomes, shortHash } from './audit-labels.ts';
import css from './record-columns.module.css';

/** The width of a column in a table of at most 820 pixels, and of more. */
const widths = (narrow: number, usual: number) => (view: number) => (view <= 820 ? narrow : usual);

/** A table this wide says what happened, in pixels. */
const summaryFrom = 1240;

/** Returns the columns of the record table for a moment and for the chain's first broken record, if any. */
export const recordColumns = (
  now: number,
  brokenAt: number | undefined,
): readonly TableColumn<AuditItem>[] => [
  {
    id: 'record',
    title: 'Record',
    link: true,
    width: widths(76, 96),
    value: ({ seq }) => seq,
    cell: ({ seq }) => (
      <span className={css.record}>
        <span className={css.bead} aria-hidden="true" />
        {seq}
      </span>
    ),
  },
  {
    id: 'time',
    title: 'Time, UTC',
    width: widths(112, 128),
    quiet: true,
    value: ({ at }) => at,
    cell: ({ at }) => {
      const moment = Date.parse(at);
      return (
        <time dateTime={at} title={exactTime(moment)}>
          {utcTime(moment, now)}
        </time>
      );
    },
  },
  {
    id: 'actor',
    title: 'Actor',
    width: widths(120, 196),
    value: ({ actor }) => actor,
    hover: ({ actor }) => actor,
  },
  {
    id: 'action',
    title: 'Action',
    width: widths(150, 176),
    from: 621,
    value: ({ action }) => action,
    cell: ({ action }) => <code>{action}</code>,
    hover: ({ action }) => action,
  },
  {
    id: 'target',
    title: 'Target',
    width: (view) => (view >= summaryFrom ? 232 : undefined),
    quiet: true,
    value: ({ target }) => target,
    hover: ({ target }) => target,
  },
  {
    id: 'summary',
    title: 'What happened',
    from: summaryFrom,
    quiet: true,
    value: ({ summary }) => summary,
    hover: ({ summary }) => summary,
  },
  {
    id: 'outcome',
    title: 'Outcome',
    width: widths(104, 116),
    value: ({ outcome }) => outcomes[outcome].label,
    cell: ({ seq, outcome }) =>
      seq === brokenAt ? <State state="failing" label="Breaks here" /> : <State {...outcomes[outcome]} />,
  },
  {
    id: 'hash',
    title: 'Hash',
    width: 92,
    from: 821,
    value: ({ hash }) => hash,
    cell: ({ hash }) => <code className={css.hash}>{shortHash(hash)}</code>,
    hover: ({ hash }) => hash,
  },
];
