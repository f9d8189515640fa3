import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ConnectionStatus } from '#shared/api/connectors.ts';
import {
  type Connection,
  type ConnectionType,
  SettingKind,
} from '#shared/gen/datasource/v1/connections_pb.js';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { OutLink } from '../../components/out-link.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useMayConnect } from '../../core/access.ts';
import type { Refreshing } from './connection-queries.ts';
import css from './connections.module.css';
import { DeleteConnection, EditConnection } from './edit-connection.tsx';
import { ProbeResult } from './probe-result.tsx';
import { shownStatus } from './status-labels.ts';

type ConnectionDrawerProps = {
  /** Undefined for an address that names none. */
  readonly connection: Connection | undefined;
  readonly type: ConnectionType | undefined;
  readonly status: ConnectionStatus | undefined;
  readonly refreshing: Refreshing;
  readonly address: string;
  readonly onClose: () => void;
};

/** One connection beside the list: how its last test ended, its settings, and which credentials are set. */
export function ConnectionDrawer(props: ConnectionDrawerProps) {
  const { connection, type, status, refreshing, address, onClose } = props;
  if (connection === undefined)
    return (
      <Drawer name="Connection" onClose={onClose}>
        <DrawerHead what="connection" title={undefined} address={address} onClose={onClose}>
          {null}
        </DrawerHead>
        <div className={css.gone}>
          <FailurePanel state="idle" label="Not found" title="There is no such connection">
            <p>It may have been deleted.</p>
          </FailurePanel>
        </div>
      </Drawer>
    );
  const testing = refreshing.now.includes(connection.id);
  return (
    <Drawer name={`Connection ${connection.name}`} onClose={onClose}>
      <DrawerHead what="connection" title={connection.name} address={address} onClose={onClose}>
        {testing ? (
          <State state="working" label="Testing" look="pill" />
        ) : (
          <State {...shownStatus(status)} look="pill" />
        )}
        <Tag>{type?.name ?? connection.type}</Tag>
      </DrawerHead>
      {status !== undefined && status.outcome !== 'not_probed' && <p className={css.why}>{status.detail}</p>}
      <Actions key={connection.id} {...props} connection={connection} />
      <ProbeResult status={status} />
      <Settings connection={connection} type={type} />
      <Credentials connection={connection} type={type} />
    </Drawer>
  );
}

function Actions({
  connection,
  type,
  refreshing,
  onClose,
}: ConnectionDrawerProps & { readonly connection: Connection }) {
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  const may = useMayConnect() === true;
  if (!may) return null;
  return (
    <div className={css.actions}>
      <Button
        onClick={() => refreshing.refresh([connection.id])}
        loading={refreshing.now.includes(connection.id)}
        disabled={refreshing.working && !refreshing.now.includes(connection.id)}
      >
        Test
      </Button>
      <Button onClick={() => setAsked('edit')} disabled={type === undefined}>
        Edit
      </Button>
      <Button onClick={() => setAsked('delete')}>Delete</Button>
      {asked === 'edit' && type !== undefined && (
        <EditConnection type={type} connection={connection} onClose={() => setAsked(undefined)} />
      )}
      {asked === 'delete' && (
        <DeleteConnection connection={connection} onClose={() => setAsked(undefined)} onDeleted={onClose} />
      )}
    </div>
  );
}

type Shown = { readonly connection: Connection; readonly type: ConnectionType | undefined };

function Settings({ connection, type }: Shown) {
  const { tenant, endpoint, settings, createdAt, createdBy, updatedAt, updatedBy } = connection;
  return (
    <Part title="Settings">
      <Facts>
        <Fact name="Tenant">{tenant}</Fact>
        <Fact name="Endpoint">
          <code>{endpoint}</code>
        </Fact>
        {(type?.settings ?? []).map(({ name, label, kind, default: byDefault }) => {
          const value = settings[name];
          if (value === undefined && byDefault === '') return null;
          return (
            <Fact key={name} name={label}>
              {kind === SettingKind.PEM ? (
                <span className={css.pem}>{value}</span>
              ) : (
                <>
                  {value ?? byDefault}
                  {value === undefined && <Tag>default</Tag>}
                </>
              )}
            </Fact>
          );
        })}
        {createdAt !== undefined && (
          <Fact name="Added">
            <TimeAgo at={timestampMs(createdAt)} fromNow />
            {createdBy !== '' && <>by {createdBy}</>}
          </Fact>
        )}
        {updatedAt !== undefined && connection.revision > 1 && (
          <Fact name="Changed">
            <TimeAgo at={timestampMs(updatedAt)} fromNow />
            {updatedBy !== '' && <>by {updatedBy}</>}
          </Fact>
        )}
        {type !== undefined && (
          <Fact name="Documentation">
            <OutLink href={type.documentation}>{type.name}</OutLink>
          </Fact>
        )}
      </Facts>
    </Part>
  );
}

const places: Readonly<Record<string, string>> = {
  keychain: 'in the keychain',
  sealed: 'sealed in the store',
};

function Credentials({ connection, type }: Shown) {
  if (connection.credentials.length === 0) return null;
  return (
    <Part title="Credentials">
      <Facts>
        {connection.credentials.map(({ key, set, keptIn }) => {
          const field = type?.credentials.find((one) => one.key === key);
          return (
            <Fact key={key} name={field?.label ?? key}>
              <State
                state={set ? 'healthy' : field?.required === true ? 'degraded' : 'idle'}
                label={set ? 'Set' : field?.required === true ? 'Not set, required' : 'Not set'}
              />
              {set && <Tag>{places[keptIn] ?? keptIn}</Tag>}
            </Fact>
          );
        })}
      </Facts>
    </Part>
  );
}
