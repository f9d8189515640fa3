import type { Invoice } from '#shared/api/billing.ts';
import { counted } from '#shared/text.ts';
import { formatMoney } from '../../components/billing/format-money.ts';
import { OutLink } from '../../components/out-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import type { StateName } from '../../core/state-name.ts';

const states: Readonly<Record<string, { readonly state: StateName; readonly label: string }>> = {
  draft: { state: 'idle', label: 'Draft' },
  open: { state: 'degraded', label: 'Open' },
  paid: { state: 'healthy', label: 'Paid' },
  uncollectible: { state: 'failing', label: 'Uncollectible' },
  void: { state: 'idle', label: 'Void' },
};

const keyOf = ({ id }: Invoice): string => id;

const columns: readonly TableColumn<Invoice>[] = [
  {
    id: 'number',
    title: 'Number',
    value: ({ number }) => number ?? 'Draft',
    cell: ({ number, url }) =>
      url === undefined ? (number ?? 'Draft') : <OutLink href={url}>{number ?? 'Draft'}</OutLink>,
  },
  {
    id: 'status',
    title: 'State',
    width: 140,
    value: ({ status }) => states[status]?.label ?? status,
    cell: ({ status }) => <State {...(states[status] ?? { state: 'unknown', label: status })} />,
  },
  {
    id: 'total',
    title: 'Total',
    width: 120,
    numbers: true,
    value: ({ total }) => total,
    cell: ({ total, currency }) => formatMoney(total, currency),
  },
  {
    id: 'created',
    title: 'Date',
    width: 140,
    quiet: true,
    value: ({ created_at }) => Date.parse(created_at),
    cell: ({ created_at }) => <TimeAgo at={Date.parse(created_at)} fromNow />,
  },
];

/** Shows the invoices of somebody's subscriptions; each leads to its page at the provider. */
export function InvoicesPanel({ invoices }: { readonly invoices: readonly Invoice[] }) {
  return (
    <Panel title="Invoices" sub={counted(invoices.length, 'invoice')}>
      <PanelTable id="invoices" label="Invoices" columns={columns} rows={invoices} keyOf={keyOf} />
    </Panel>
  );
}
