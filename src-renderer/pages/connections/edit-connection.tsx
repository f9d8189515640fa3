import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Connection,
  ConnectionsService,
  type ConnectionType,
} from '#shared/gen/datasource/v1/connections_pb.js';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { State } from '../../components/state.tsx';
import { connectionsQuery } from '../../core/connection-queries.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { type ConnectionInput, inputOf } from './connection-fields.ts';
import { ConnectionForm } from './connection-form.tsx';
import { statusesQuery } from './connection-queries.ts';
import css from './connections.module.css';

type EditConnectionProps = {
  readonly type: ConnectionType;
  readonly connection: Connection;
  readonly onClose: () => void;
};

/** Changes a connection. Its credentials stay as they are unless they are replaced or forgotten here. */
export function EditConnection({ type, connection, onClose }: EditConnectionProps) {
  const client = useQueryClient();
  // What it is when the dialog opens: a change that somebody else makes meanwhile is refused, not overwritten.
  const [before] = useState(connection);
  const [replaced, setReplaced] = useState<readonly string[]>([]);
  const [forgotten, setForgotten] = useState<readonly string[]>([]);
  const change = useMutation({
    mutationFn: ({ name, tenant, settings, credentials }: ConnectionInput) => {
      const given = Object.entries(credentials).filter(
        ([key, value]) => value !== '' && !forgotten.includes(key),
      );
      const changed = Object.fromEntries([...given, ...forgotten.map((key) => [key, ''])]);
      const withCredentials = Object.keys(changed).length > 0;
      return consoleRpc(ConnectionsService.method.updateConnection, {
        id: before.id,
        revision: before.revision,
        name,
        tenant,
        settings: { ...settings },
        credentials: changed,
        updateMask: { paths: ['name', 'tenant', 'settings', ...(withCredentials ? ['credentials'] : [])] },
      });
    },
    // Credentials must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: onClose,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
        client.invalidateQueries({ queryKey: statusesQuery.queryKey }),
      ]),
  });
  return (
    <Dialog title={`Edit ${before.name}`} width={560} onClose={onClose}>
      <ConnectionForm
        type={type}
        first={inputOf(type, before)}
        verb="Save"
        failed="The connection was not changed."
        working={change.isPending}
        error={change.error}
        onSubmit={(input) => change.mutate(input)}
        kept={({ key, label }, input) => {
          const isSet = before.credentials.some((one) => one.key === key && one.set);
          if (!isSet || replaced.includes(key)) return input;
          const forget = forgotten.includes(key);
          return (
            <div className={css.kept}>
              <span>{label}</span>
              <State state={forget ? 'idle' : 'healthy'} label={forget ? 'Forgotten when saved' : 'Set'} />
              <Button
                size="xs"
                aria-label={`Replace ${label}`}
                onClick={() => {
                  setReplaced([...replaced, key]);
                  setForgotten(forgotten.filter((one) => one !== key));
                }}
              >
                Replace
              </Button>
              <Button
                size="xs"
                aria-label={forget ? `Keep ${label}` : `Forget ${label}`}
                onClick={() =>
                  setForgotten(forget ? forgotten.filter((one) => one !== key) : [...forgotten, key])
                }
              >
                {forget ? 'Keep' : 'Forget'}
              </Button>
            </div>
          );
        }}
      >
        <Button onClick={onClose}>Cancel</Button>
      </ConnectionForm>
    </Dialog>
  );
}

type DeleteConnectionProps = {
  readonly connection: Connection;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
};

/** Asks before a connection is deleted. */
export function DeleteConnection({ connection, onClose, onDeleted }: DeleteConnectionProps) {
  const client = useQueryClient();
  const { id, name, tenant, endpoint } = connection;
  const remove = useMutation({
    mutationFn: () => consoleRpc(ConnectionsService.method.deleteConnection, { id }),
    onSuccess: onDeleted,
    onSettled: () => client.invalidateQueries({ queryKey: connectionsQuery.queryKey }),
  });
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      verb={`Delete ${name}`}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      working={remove.isPending}
      error={remove.error}
      failed="It was not deleted."
    >
      <p>
        The connection <b>{name}</b> of <b>{tenant}</b> to {endpoint} is forgotten, with its credentials, its
        listeners on runners and its last test. Runners close those ports.
      </p>
      <p>The data itself is not touched. It is recorded in the audit trail.</p>
    </ConfirmDialog>
  );
}
