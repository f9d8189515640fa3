import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { Forward } from '#shared/api/forwards.ts';
import { counted } from '#shared/text.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { formatBytes } from '../../components/format-quantity.ts';
import { ForwardDialog } from '../../components/forwards/forward-dialog.tsx';
import type { ListPlan } from '../../components/list/list-address.ts';
import { PlainList, type TextListFilter, textFilter, withText } from '../../components/list/plain-list.tsx';
import { useList } from '../../components/list/use-list.ts';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { Page } from '../../components/page/page.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { State } from '../../components/state.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { forwardsQuery, useMayForward } from '../../core/forward-queries.ts';
import { IconArrowRight } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { useCurrentTarget } from '../../core/target-queries.ts';
import { ForwardDrawer } from './forward-drawer.tsx';
import { forwardStates } from './forward-labels.ts';
import css from './forwards-page.module.css';

/** Connections come and go by the second while somebody looks. */
const everyMs = 2_000;

const plan: ListPlan<TextListFilter> = { tab: 'forwards', filter: textFilter, openPart: 'record' };

const keyOf = ({ name }: Forward): string => name;
const command = ({ name, address, object }: Forward) => ({
  id: `forward.${name}`,
  title: name,
  detail: address ?? object,
  icon: IconArrowRight,
});

const columns: readonly TableColumn<Forward>[] = [
  { id: 'name', title: 'Name', link: true, value: ({ name }) => name, hover: ({ name }) => name },
  {
    id: 'state',
    title: 'State',
    width: 120,
    value: ({ state }) => forwardStates[state].label,
    cell: ({ state }) => <State state={forwardStates[state].state} label={forwardStates[state].label} />,
  },
  {
    id: 'address',
    title: 'Address here',
    width: 150,
    value: ({ address, local_port }) =>
      address ?? (local_port === undefined ? 'any port' : `port ${local_port}`),
    cell: ({ address, local_port }) =>
      address === undefined ? (local_port ?? 'any') : <code>{address}</code>,
  },
  {
    id: 'to',
    title: 'Leads to',
    from: 560,
    value: ({ kind, object, port, namespace }) => `${kind} ${object}:${port} in ${namespace}`,
    hover: ({ kind, object, port, namespace }) => `${kind} ${object}:${port} in ${namespace}`,
  },
  { id: 'target', title: 'Target', width: 130, from: 900, quiet: true, value: ({ target }) => target },
  { id: 'open', title: 'Open', width: 70, from: 640, numbers: true, value: ({ open }) => open },
  {
    id: 'bytes',
    title: 'Carried',
    width: 100,
    from: 760,
    numbers: true,
    value: ({ bytes_sent, bytes_received }) => bytes_sent + bytes_received,
    cell: ({ bytes_sent, bytes_received }) => formatBytes(bytes_sent + bytes_received),
  },
];

/** Ports of this machine that lead into clusters: each with what it carries, kept by name, started by hand. */
export function ForwardsPage() {
  const { every } = useReading();
  const forwards = useQuery({ ...forwardsQuery, refetchInterval: every(everyMs) });
  const may = useMayForward() === true;
  const { target } = useCurrentTarget();
  const address = useListAddress(plan);
  const [asking, setAsking] = useState(false);
  const isLive = target?.kind !== undefined && target.kind !== 'bundle';
  const unavailable = forwards.data?.unavailable;
  const forward = may && isLive && unavailable === undefined && (
    <Button variant="filled" onClick={() => setAsking(true)}>
      Forward a port
    </Button>
  );
  return (
    <Page
      title="Forwards"
      sub={forwards.data === undefined ? '' : counted(forwards.data.items.length, 'port forward')}
      flush
      actions={forwards.data !== undefined && forwards.data.items.length > 0 && forward}
    >
      <PlainAnswer
        query={forwards}
        what="the port forwards"
        meanwhile="Those that are open go on; only this page could not read them."
        rows={6}
        frame={css.room}
      >
        {({ items }) =>
          items.length === 0 ? (
            <NoForwards forward={forward} unavailable={unavailable} isLive={isLive} may={may} />
          ) : (
            <Forwards items={items} address={address} />
          )
        }
      </PlainAnswer>
      {asking && target !== undefined && (
        <ForwardDialog target={target.id} onClose={() => setAsking(false)} />
      )}
    </Page>
  );
}

type NoForwardsProps = {
  readonly forward: ReactNode;
  readonly unavailable: string | undefined;
  readonly isLive: boolean;
  readonly may: boolean;
};

function NoForwards({ forward, unavailable, isLive, may }: NoForwardsProps) {
  const why =
    unavailable ??
    (isLive
      ? may
        ? undefined
        : 'Opening one requires membership of CONSOLE_CLUSTER_ADMINS.'
      : 'The target is not a live cluster: choose one that is.');
  return (
    <div className={css.room}>
      <FailurePanel
        state="idle"
        label="Empty"
        title="No port forwards yet"
        actions={forward === false ? undefined : forward}
      >
        <p>
          A forward opens a port of this machine that leads to a ready pod of a Service or workload. When that
          pod goes, new connections lead to the next one.
        </p>
        {why !== undefined && <p>{why}</p>}
      </FailurePanel>
    </div>
  );
}

type ForwardsProps = {
  readonly items: readonly Forward[];
  readonly address: ReturnType<typeof useListAddress<TextListFilter>>;
};

function Forwards({ items, address }: ForwardsProps) {
  const shown = useMemo(() => withText(items, address.filter, textsOf), [items, address.filter]);
  const list = useList({ address, rows: shown, columns, keyOf, command });
  const { open } = address;
  return (
    <PlainList
      id="forwards"
      label="Port forwards"
      one="port forward"
      many="port forwards"
      columns={columns}
      keyOf={keyOf}
      list={list}
      address={address}
      notices={null}
      drawer={
        open !== undefined && (
          <ForwardDrawer
            forward={items.find(({ name }) => name === open)}
            address={address.addressOf(open)}
            onClose={list.close}
          />
        )
      }
    />
  );
}

const textsOf = ({ name, object, namespace, kind, address = '', target }: Forward): readonly string[] => [
  name,
  object,
  namespace,
  kind,
  address,
  target,
];
