import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Connection } from '#shared/gen/datasource/v1/connections_pb.js';
import { type Listener, ListenersService } from '#shared/gen/datasource/v1/listeners_pb.js';
import type { Runner } from '#shared/gen/datasource/v1/runners_pb.js';
import { Banner } from '../../components/banner.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Part } from '../../components/facts.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { State } from '../../components/state.tsx';
import { connectionsQuery } from '../../core/connection-queries.ts';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { listenerStates } from './runner-labels.ts';
import { readRunnersAgain } from './runner-queries.ts';
import css from './runners.module.css';

type ListenersPartProps = {
  readonly runner: Runner;
  readonly listeners: readonly Listener[];
  readonly mayChange: boolean;
};

/** The ports that a runner opens, and the connection that each leads to. */
export function ListenersPart({ runner, listeners, mayChange }: ListenersPartProps) {
  // Somebody else may have added one since the other page read them.
  const connections = useQuery({ ...connectionsQuery, refetchOnMount: 'always' });
  const [adding, setAdding] = useState(false);
  const [closing, setClosing] = useState<Listener>();
  const known = connections.data ?? [];
  return (
    <Part title="Listeners" sub={listeners.length}>
      {listeners.length === 0 && (
        <p className={css.quiet}>None. A listener is a port that leads to a connection.</p>
      )}
      <ul className={css.rows}>
        {listeners.map((listener) => (
          <li key={listener.id} className={css.row}>
            <State {...listenerStates[listener.state]} />
            <span>
              {listener.name}: port {listener.port} to{' '}
              <PageLink to={{ tab: 'connections', record: listener.connectionId }}>
                {known.find(({ id }) => id === listener.connectionId)?.name ?? listener.connectionId}
              </PageLink>
            </span>
            {mayChange && (
              <Button size="xs" aria-label={`Delete ${listener.name}`} onClick={() => setClosing(listener)}>
                Delete
              </Button>
            )}
            {listener.reason !== '' && <span className={css.reason}>{listener.reason}</span>}
          </li>
        ))}
      </ul>
      {mayChange && (
        <Button
          size="xs"
          onClick={() => setAdding(true)}
          disabled={known.length === 0}
          title={known.length === 0 ? 'There is no connection that it could lead to.' : undefined}
        >
          Add listener
        </Button>
      )}
      {adding && <AddListener runner={runner} connections={known} onClose={() => setAdding(false)} />}
      {closing !== undefined && (
        <DeleteListener listener={closing} runner={runner} onClose={() => setClosing(undefined)} />
      )}
    </Part>
  );
}

type AddListenerProps = {
  readonly runner: Runner;
  readonly connections: readonly Connection[];
  readonly onClose: () => void;
};

function AddListener({ runner, connections, onClose }: AddListenerProps) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [port, setPort] = useState('');
  const [connectionId, setConnectionId] = useState(connections[0]?.id ?? '');
  const [tried, setTried] = useState(false);
  const goodPort = /^[1-9]\d{3,4}$/.test(port) && Number(port) >= 1024 && Number(port) <= 65_535;
  const create = useMutation({
    mutationFn: () =>
      consoleRpc(ListenersService.method.createListener, {
        name: name.trim(),
        runnerId: runner.id,
        connectionId,
        port: Number(port),
      }),
    onSuccess: onClose,
    onSettled: () => readRunnersAgain(client),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '' && goodPort) create.mutate();
  };
  return (
    <Dialog title={`Add a listener to ${runner.name}`} width={480} onClose={onClose}>
      <form className={css.form} onSubmit={submit} noValidate>
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={tried && name.trim() === '' && 'A listener needs a name.'}
          required
          autoComplete="off"
          data-autofocus
        />
        <NativeSelect
          label="Connection"
          description="It forwards bytes to this one's endpoint, and holds no credential."
          value={connectionId}
          onChange={(event) => setConnectionId(event.currentTarget.value)}
          data={connections.map(({ id, name: label, tenant }) => ({
            value: id,
            label: `${label} (${tenant})`,
          }))}
        />
        <TextInput
          label="Port"
          description="1024 to 65535, on the runner's machine."
          inputMode="numeric"
          value={port}
          onChange={(event) => setPort(event.currentTarget.value.trim())}
          error={tried && !goodPort && 'Must be a port from 1024 to 65535.'}
          required
          autoComplete="off"
        />
        {create.error !== null && (
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The listener was not added.">
            {sentenceOf(create.error)}
          </Banner>
        )}
        <div className={css.foot}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" loading={create.isPending}>
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type DeleteListenerProps = {
  readonly listener: Listener;
  readonly runner: Runner;
  readonly onClose: () => void;
};

function DeleteListener({ listener, runner, onClose }: DeleteListenerProps) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => consoleRpc(ListenersService.method.deleteListener, { id: listener.id }),
    onSuccess: onClose,
    onSettled: () => readRunnersAgain(client),
  });
  return (
    <ConfirmDialog
      title={`Delete ${listener.name}?`}
      verb={`Delete ${listener.name}`}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
      working={remove.isPending}
      error={remove.error}
      failed="It was not deleted."
    >
      <p>
        <b>{runner.name}</b> closes port {listener.port}. Applications that use it lose their way to the data.
      </p>
    </ConfirmDialog>
  );
}
