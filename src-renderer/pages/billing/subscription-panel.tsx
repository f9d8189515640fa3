import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#shared/api/billing.ts';
import { plansQuery } from '../../components/billing/plans-query.ts';
import { exactTime } from '../../components/format-time.ts';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { PanelTable } from '../../components/table/panel-table.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import type { StateName } from '../../core/state-name.ts';

/** The provider's states in words; one that is not here is shown as the provider wrote it. */
const states: Readonly<Record<string, { readonly state: StateName; readonly label: string }>> = {
  active: { state: 'healthy', label: 'Active' },
  trialing: { state: 'healthy', label: 'Trial' },
  past_due: { state: 'degraded', label: 'Payment failed, retrying' },
  unpaid: { state: 'failing', label: 'Unpaid' },
  incomplete: { state: 'working', label: 'Waiting for payment' },
  incomplete_expired: { state: 'idle', label: 'Never paid' },
  canceled: { state: 'idle', label: 'Canceled' },
  paused: { state: 'idle', label: 'Paused' },
};

type Row = Subscription & { readonly name: string };

const keyOf = ({ id }: Row): string => id;

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'plan',
    title: 'Plan',
    value: ({ name }) => name,
    cell: ({ name, test }) => (
      <>
        {name} {test && <Tag>test</Tag>}
      </>
    ),
  },
  {
    id: 'status',
    title: 'State',
    width: 200,
    value: ({ status }) => states[status]?.label ?? status,
    cell: ({ status }) => <State {...(states[status] ?? { state: 'unknown', label: status })} />,
  },
  { id: 'seats', title: 'Seats', width: 80, numbers: true, value: ({ seats }) => seats },
  {
    id: 'next',
    title: 'Next',
    width: 240,
    value: nextLabel,
    hover: ({ cancel_at, current_period_end }) => {
      const at = cancel_at ?? current_period_end;
      return at === undefined ? undefined : exactTime(Date.parse(at));
    },
  },
  {
    id: 'read',
    title: 'Read',
    width: 120,
    from: 640,
    quiet: true,
    value: ({ read_at }) => Date.parse(read_at),
    cell: ({ read_at }) => <TimeAgo at={Date.parse(read_at)} fromNow />,
  },
];

/** Shows the subscriptions somebody bought. */
export function SubscriptionPanel({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) {
  const plans = useQuery(plansQuery);
  const rows = subscriptions.map((subscription) => {
    const plan = plans.data?.plans.find(({ id }) => id === subscription.plan);
    return { ...subscription, name: plan?.name ?? subscription.plan ?? 'Not in the catalogue' };
  });
  return (
    <Panel title={subscriptions.length === 1 ? 'Subscription' : 'Subscriptions'}>
      <PanelTable id="subscriptions" label="Subscriptions" columns={columns} rows={rows} keyOf={keyOf} />
    </Panel>
  );
}

function nextLabel({ status, usable, cancel_at, current_period_end, interval }: Subscription): string {
  if (status === 'canceled') return 'Ended';
  if (cancel_at !== undefined) return `Ends on ${dayOf(cancel_at)}`;
  if (!usable || current_period_end === undefined) return '';
  return `Renews on ${dayOf(current_period_end)}${interval === undefined ? '' : ` for a ${interval}`}`;
}

function dayOf(time: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(Date.parse(time));
}
