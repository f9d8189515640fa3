import type { Condition } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import css from './control-planes-page.module.css';

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

/** Shows the conditions the operator reports. Whether `True` is good depends on the condition, so none is coloured. */
export function Conditions({ conditions }: { readonly conditions: readonly Condition[] }) {
  return (
    <Part title="Conditions" sub={conditions.length > 0 ? 'status.conditions' : undefined}>
      {conditions.length === 0 ? (
        <p className={css.quiet}>The operator has set none.</p>
      ) : (
        <PanelTable id="conditions" label="Conditions" columns={columns} rows={conditions} keyOf={keyOf} />
      )}
    </Part>
  );
}
