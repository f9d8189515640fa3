import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { ConnectionStatus } from '#shared/api/connectors.ts';
import type { Connection, ConnectionType } from '#shared/gen/datasource/v1/connections_pb.js';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import type { ListPlan } from '../../components/list/list-address.ts';
import { PlainList, type TextListFilter, textFilter, withText } from '../../components/list/plain-list.tsx';
import { useList } from '../../components/list/use-list.ts';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { Page } from '../../components/page/page.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { ProgressBar } from '../../components/progress-bar.tsx';
import { State } from '../../components/state.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WhoMayConnect } from '../../components/who-may-connect.tsx';
import { useMayConnect } from '../../core/access.ts';
import { connectionsQuery } from '../../core/connection-queries.ts';
import { sentenceOf } from '../../core/failure.ts';
import { IconDatabase } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { AddConnection } from './add-connection.tsx';
import { ConnectionDrawer } from './connection-drawer.tsx';
import { type Refreshing, statusesQuery, typesQuery, useRefresh } from './connection-queries.ts';
import css from './connections.module.css';
import { shownStatus, statusRank } from './status-labels.ts';

const everyMs = 30_000;

const plan: ListPlan<TextListFilter> = { tab: 'connections', filter: textFilter, openPart: 'record' };

type Row = {
  readonly connection: Connection;
  readonly type: ConnectionType | undefined;
  readonly status: ConnectionStatus | undefined;
  readonly testing: boolean;
};

const keyOf = ({ connection }: Row): string => connection.id;
const command = ({ connection: { id, name, endpoint } }: Row) => ({
  id: `connection.${id}`,
  title: name,
  detail: endpoint,
  icon: IconDatabase,
});

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'name',
    title: 'Name',
    link: true,
    value: ({ connection }) => connection.name,
    hover: ({ connection }) => connection.name,
  },
  {
    id: 'status',
    title: 'Last test',
    width: 170,
    value: ({ status }) => shownStatus(status).label,
    rank: ({ status }) => statusRank(status),
    cell: ({ status, testing }) =>
      testing ? <State state="working" label="Testing" /> : <State {...shownStatus(status)} />,
    hover: ({ status }) => status?.detail,
  },
  {
    id: 'tested',
    title: 'Tested',
    width: 150,
    from: 560,
    quiet: true,
    value: ({ status }) => status?.probed_at,
    cell: ({ status }) =>
      status?.probed_at !== undefined && (
        <>
          <TimeAgo at={Date.parse(status.probed_at)} fromNow /> {status.stale && <Tag>outdated</Tag>}
        </>
      ),
  },
  {
    id: 'type',
    title: 'Type',
    width: 120,
    from: 480,
    value: ({ type, connection }) => type?.name ?? connection.type,
  },
  { id: 'tenant', title: 'Tenant', width: 120, from: 640, value: ({ connection }) => connection.tenant },
  {
    id: 'endpoint',
    title: 'Endpoint',
    from: 760,
    quiet: true,
    value: ({ connection }) => connection.endpoint,
    hover: ({ connection }) => connection.endpoint,
  },
];

/** Shows the connections to data, how the last test of each ended, and the ways to add, test, change and delete them. */
export function ConnectionsPage() {
  const { every } = useReading();
  const connections = useQuery({ ...connectionsQuery, refetchInterval: every(everyMs) });
  const may = useMayConnect() === true;
  const refreshing = useRefresh();
  const address = useListAddress(plan);
  const [adding, setAdding] = useState(false);
  const all = connections.data;
  const add = may && (
    <Button variant="filled" onClick={() => setAdding(true)}>
      Add connection
    </Button>
  );
  return (
    <Page
      title="Connections"
      sub={all === undefined ? '' : counted(all.length, 'connection')}
      flush
      actions={
        all !== undefined &&
        all.length > 0 && (
          <>
            {may && (
              <Button
                onClick={() => refreshing.refresh(all.map(({ id }) => id))}
                loading={refreshing.working}
              >
                Test all
              </Button>
            )}
            {add}
          </>
        )
      }
    >
      <PlainAnswer
        query={connections}
        what="the connections"
        meanwhile="They are still registered; only this page could not read them."
        rows={8}
        frame={css.room}
      >
        {(items) =>
          items.length === 0 ? (
            <NoConnections add={add} />
          ) : (
            <Connections items={items} refreshing={refreshing} address={address} />
          )
        }
      </PlainAnswer>
      {adding && <AddConnection onClose={() => setAdding(false)} onOpen={address.show} />}
    </Page>
  );
}

function NoConnections({ add }: { readonly add: ReactNode }) {
  return (
    <div className={css.room}>
      <FailurePanel
        state="idle"
        label="Empty"
        title="No connections yet"
        actions={add === false ? undefined : add}
      >
        <p>
          A connection says where data of a tenant is: a database, a bucket, a service. Data domains and
          listeners of runners are made from them.
        </p>
        {add === false && <WhoMayConnect what="connections" />}
      </FailurePanel>
    </div>
  );
}

type ConnectionsProps = {
  readonly items: readonly Connection[];
  readonly refreshing: Refreshing;
  readonly address: ReturnType<typeof useListAddress<TextListFilter>>;
};

function Connections({ items, refreshing, address }: ConnectionsProps) {
  const { every } = useReading();
  const types = useQuery(typesQuery);
  const statuses = useQuery({ ...statusesQuery, refetchInterval: every(everyMs) });
  const { now } = refreshing;
  const rows = useMemo(
    () =>
      items.map(
        (connection): Row => ({
          connection,
          type: types.data?.find(({ type }) => type === connection.type),
          status: statuses.data?.[connection.id],
          testing: now.includes(connection.id),
        }),
      ),
    [items, types.data, statuses.data, now],
  );
  const shown = useMemo(() => withText(rows, address.filter, textsOf), [rows, address.filter]);
  const list = useList({ address, rows: shown, columns, keyOf, command });
  const opened = rows.find((row) => keyOf(row) === address.open);
  return (
    <PlainList
      id="connections"
      label="Connections"
      one="connection"
      many="connections"
      columns={columns}
      keyOf={keyOf}
      list={list}
      address={address}
      notices={
        <>
          <WhoMayConnect what="connections" />
          <Progress refreshing={refreshing} />
          {statuses.error !== null && (
            <div>
              <Banner look="unread" icon={<Glyph state="unknown" />} title="The last tests were not read.">
                {sentenceOf(statuses.error)}
              </Banner>
            </div>
          )}
        </>
      }
      drawer={
        address.open !== undefined && (
          <ConnectionDrawer
            connection={opened?.connection}
            type={opened?.type}
            status={opened?.status}
            refreshing={refreshing}
            address={address.addressOf(address.open)}
            onClose={list.close}
          />
        )
      }
    />
  );
}

const textsOf = ({ connection, type, status }: Row): readonly string[] => [
  connection.name,
  connection.tenant,
  connection.endpoint,
  type?.name ?? connection.type,
  shownStatus(status).label,
  status?.detail ?? '',
];

function Progress({ refreshing: { working, done, total, error } }: { readonly refreshing: Refreshing }) {
  if (working && total > 1)
    return (
      <div className={css.progress} role="status">
        <ProgressBar label="Connections tested" done={done} total={total} />
        {done} of {counted(total, 'connection')} tested
      </div>
    );
  if (error === null) return null;
  return (
    <div>
      <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The test ended early.">
        {sentenceOf(error)}
      </Banner>
    </div>
  );
}
