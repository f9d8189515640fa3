import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Listener } from '#shared/gen/datasource/v1/listeners_pb.js';
import { type Runner, RunnerState, RunnersService } from '#shared/gen/datasource/v1/runners_pb.js';
import { Banner } from '../../components/banner.tsx';
import { Drawer } from '../../components/dialogs/drawer.tsx';
import { DrawerHead } from '../../components/dialogs/drawer-head.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { TimeUntil } from '../../components/time-until.tsx';
import { useMayConnect } from '../../core/access.ts';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { ListenersPart } from './listeners-part.tsx';
import { RunnerActions } from './runner-actions.tsx';
import { runnerStates } from './runner-labels.ts';
import { readRunnersAgain } from './runner-queries.ts';
import css from './runners.module.css';

type RunnerDrawerProps = {
  /** Undefined for an address that names none. */
  readonly runner: Runner | undefined;
  /** Its listeners. */
  readonly listeners: readonly Listener[];
  readonly address: string;
  readonly onClose: () => void;
};

/** One runner beside the list: how it is, its labels, its tickets and its listeners. */
export function RunnerDrawer({ runner, listeners, address, onClose }: RunnerDrawerProps) {
  const may = useMayConnect() === true;
  const head = (
    <DrawerHead what="runner" title={runner?.name} address={address} onClose={onClose}>
      {runner !== undefined && (
        <State
          state={runnerStates[runner.state].state}
          label={runnerStates[runner.state].label}
          look="pill"
        />
      )}
    </DrawerHead>
  );
  if (runner === undefined)
    return (
      <Drawer name="Runner" onClose={onClose}>
        {head}
        <div className={css.gone}>
          <FailurePanel state="idle" label="Not found" title="There is no such runner">
            <p>Enrolled runners stay in the list, also when they are revoked.</p>
          </FailurePanel>
        </div>
      </Drawer>
    );
  const {
    address: host,
    labels,
    version,
    createdAt,
    createdBy,
    enrolledAt,
    lastSeenAt,
    revokedAt,
    revokedBy,
  } = runner;
  return (
    <Drawer name={`Runner ${runner.name}`} onClose={onClose}>
      {head}
      {may && <RunnerActions key={runner.id} runner={runner} listeners={listeners.length} />}
      <Facts>
        <Fact name="ID">
          <code>{runner.id}</code>
        </Fact>
        <Fact name="Address">{host === '' ? 'Not set' : host}</Fact>
        <Fact name="Labels">
          <Labels labels={labels} />
        </Fact>
        <Fact name="Version">{version === '' ? 'Not known yet' : version}</Fact>
        <Fact name="Last seen">
          {lastSeenAt === undefined ? 'Never' : <TimeAgo at={timestampMs(lastSeenAt)} fromNow />}
        </Fact>
        {enrolledAt !== undefined && (
          <Fact name="Connected first">
            <TimeAgo at={timestampMs(enrolledAt)} fromNow />
          </Fact>
        )}
        {createdAt !== undefined && (
          <Fact name="Enrolled">
            <TimeAgo at={timestampMs(createdAt)} fromNow />
            {createdBy !== '' && <>by {createdBy}</>}
          </Fact>
        )}
        {revokedAt !== undefined && (
          <Fact name="Revoked">
            <TimeAgo at={timestampMs(revokedAt)} fromNow />
            {revokedBy !== '' && <>by {revokedBy}</>}
          </Fact>
        )}
      </Facts>
      {runner.tickets.length > 0 && <Tickets runner={runner} mayChange={may} />}
      <ListenersPart
        runner={runner}
        listeners={listeners}
        mayChange={may && runner.state !== RunnerState.REVOKED}
      />
    </Drawer>
  );
}

/** Labels as small facts. */
function Labels({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return 'None';
  return (
    <span className={css.labels}>
      {entries.map(([name, value]) => (
        <Tag key={name}>
          {name}={value}
        </Tag>
      ))}
    </span>
  );
}

function Tickets({ runner, mayChange }: { readonly runner: Runner; readonly mayChange: boolean }) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) => consoleRpc(RunnersService.method.revokeRunnerTicket, { id }),
    onSettled: () => readRunnersAgain(client),
  });
  return (
    <Part title="Open tickets" sub={runner.tickets.length}>
      <ul className={css.rows}>
        {runner.tickets.map(({ id, expiresAt }) => (
          <li key={id} className={css.row}>
            <span>
              <code>{id}</code>
              {expiresAt !== undefined && (
                <>
                  {' '}
                  expires <TimeUntil at={timestampMs(expiresAt)} />
                </>
              )}
            </span>
            {mayChange && (
              <Button
                size="xs"
                aria-label={`Revoke the ticket ${id}`}
                onClick={() => revoke.mutate(id)}
                loading={revoke.isPending && revoke.variables === id}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {revoke.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="The ticket was not revoked.">
          {sentenceOf(revoke.error)}
        </Banner>
      )}
    </Part>
  );
}
