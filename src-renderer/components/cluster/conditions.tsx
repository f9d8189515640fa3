import type { Condition } from '#shared/api/cluster.ts';
import { Part } from '../facts.tsx';
import { PanelTable } from '../table/panel-table.tsx';
import type { TableColumn } from '../table/table-column.ts';
import { TimeAgo } from '../time-ago.tsx';
import css from './conditions.module.css';

const keyOf = ({ type }: Condition): string => type;

const columns: readonly TableColumn<Condition>[] = [
  { id: 'condition', title: 'Condition', width: 150, wraps: true, value: ({ type }) => type },
  { id: 'status', title: 'Status', width: 80, value: ({ status }) => status },
  {
    id: 'since',
    title: 'Since',
    width: 104,
    value: ({ since }) => since,
    cell: ({ since }) => since !== undefined && <TimeAgo at={Date.parse(since)} />,
  },
  { id: 'reason', title: 'Reason', width: 170, from: 560, wraps: true, value: ({ reason }) => reason },
  { id: 'message', title: 'Message', quiet: true, wraps: true, value: ({ message }) => message },
];

type ConditionsProps = {
  readonly conditions: readonly Condition[];
  /** Instead of none, a sentence. */
  readonly none: string;
};

/** Shows the conditions a controller reports. Whether `True` is good depends on the condition, so none is coloured. */
export function Conditions({ conditions, none }: ConditionsProps) {
  return (
    <Part title="Conditions" sub={conditions.length > 0 ? 'status.conditions' : undefined}>
      {conditions.length === 0 ? (
        <p className={css.quiet}>{none}</p>
      ) : (
        <PanelTable id="conditions" label="Conditions" columns={columns} rows={conditions} keyOf={keyOf} />
      )}
    </Part>
  );
}
