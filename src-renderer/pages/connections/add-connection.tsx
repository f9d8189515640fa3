import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type Connection,
  ConnectionsService,
  type ConnectionType,
} from '#shared/gen/datasource/v1/connections_pb.js';
import { Banner } from '../../components/banner.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PlainAnswer } from '../../components/plain-answer.tsx';
import { State } from '../../components/state.tsx';
import { connectionsQuery } from '../../core/connection-queries.ts';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { type ConnectionInput, emptyInput } from './connection-fields.ts';
import { ConnectionForm } from './connection-form.tsx';
import { statusesQuery, typesQuery, useRefresh } from './connection-queries.ts';
import css from './connections.module.css';
import { ProbeResult } from './probe-result.tsx';
import { shownStatus } from './status-labels.ts';

type AddConnectionProps = {
  readonly onClose: () => void;
  /** Opens the connection that was added. */
  readonly onOpen: (id: string) => void;
};

/** Leads through a new connection: its type, its settings, and a test of it. */
export function AddConnection({ onClose, onOpen }: AddConnectionProps) {
  const types = useQuery(typesQuery);
  const [type, setType] = useState<ConnectionType>();
  const [added, setAdded] = useState<Connection>();
  return (
    <Dialog title={titleOf(type, added)} width={560} onClose={onClose}>
      {added !== undefined ? (
        <TestAdded
          connection={added}
          onDone={() => {
            onClose();
            onOpen(added.id);
          }}
        />
      ) : type !== undefined ? (
        <NewConnection type={type} onBack={() => setType(undefined)} onAdded={setAdded} />
      ) : (
        <PlainAnswer
          query={types}
          what="the types of connections"
          meanwhile="Without them the console does not know what a connection is set by."
        >
          {(known) => <TypeChoice types={known} onChoose={setType} />}
        </PlainAnswer>
      )}
    </Dialog>
  );
}

function titleOf(type: ConnectionType | undefined, added: Connection | undefined): string {
  if (added !== undefined) return `Step 3 of 3: test ${added.name}`;
  return type === undefined ? 'Step 1 of 3: choose a type' : `Step 2 of 3: ${type.name}`;
}

type TypeChoiceProps = {
  readonly types: readonly ConnectionType[];
  readonly onChoose: (type: ConnectionType) => void;
};

function TypeChoice({ types, onChoose }: TypeChoiceProps) {
  return (
    <>
      <p className={css.lead}>Where is the data?</p>
      <ul className={css.types}>
        {types.map((type) => (
          <li key={type.type}>
            <button type="button" className={css.type} onClick={() => onChoose(type)}>
              <b>{type.name}</b>
              <span>{type.summary}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

type NewConnectionProps = {
  readonly type: ConnectionType;
  readonly onBack: () => void;
  readonly onAdded: (connection: Connection) => void;
};

function NewConnection({ type, onBack, onAdded }: NewConnectionProps) {
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: async ({ credentials, ...input }: ConnectionInput) => {
      const given = Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== ''));
      const { connection } = await consoleRpc(ConnectionsService.method.createConnection, {
        ...input,
        settings: { ...input.settings },
        type: type.type,
        credentials: given,
      });
      if (connection === undefined) throw new Error('The console did not answer with the connection.');
      return connection;
    },
    // Credentials must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: (connection) => {
      onAdded(connection);
      return client.invalidateQueries({ queryKey: connectionsQuery.queryKey });
    },
  });
  return (
    <ConnectionForm
      type={type}
      first={emptyInput(type)}
      verb="Add"
      failed="The connection was not added."
      working={create.isPending}
      error={create.error}
      onSubmit={(input) => create.mutate(input)}
    >
      <Button onClick={onBack}>Back to the types</Button>
    </ConnectionForm>
  );
}

function TestAdded({ connection, onDone }: { readonly connection: Connection; readonly onDone: () => void }) {
  const statuses = useQuery(statusesQuery);
  const { working, error, refresh } = useRefresh();
  const [started, setStarted] = useState(false);
  const status = statuses.data?.[connection.id];
  const tested = status !== undefined && status.outcome !== 'not_probed';
  return (
    <>
      <p className={css.lead}>
        It was added. A test dials <b>{connection.endpoint}</b> from this console: DNS, address rules, TCP,
        TLS and the first message of its protocol. No credential is sent.
      </p>
      {error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="It was not tested.">
          {sentenceOf(error)}
        </Banner>
      )}
      <div className={css.result} role="status">
        {working && <State state="working" label="Testing: at most 5 seconds" />}
        {!working && tested && (
          <>
            <State {...shownStatus(status)} look="pill" />
            <ProbeResult status={status} />
          </>
        )}
      </div>
      <div className={css.foot}>
        <Button onClick={onDone}>{started ? 'Done' : 'Skip the test'}</Button>
        <Button
          variant="filled"
          data-autofocus
          loading={working}
          onClick={() => {
            setStarted(true);
            refresh([connection.id]);
          }}
        >
          {started ? 'Test again' : 'Test now'}
        </Button>
      </div>
    </>
  );
}
