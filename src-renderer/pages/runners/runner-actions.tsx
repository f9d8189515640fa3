import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Runner, RunnerState, RunnersService } from '#shared/gen/datasource/v1/runners_pb.js';
import { counted } from '#shared/text.ts';
import { Banner } from '../../components/banner.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { consoleRpc } from '../../core/rpc.ts';
import { EditRunner } from './runner-form.tsx';
import { readRunnersAgain } from './runner-queries.ts';
import css from './runners.module.css';
import { TicketShown } from './ticket-shown.tsx';

type RunnerActionsProps = { readonly runner: Runner; readonly listeners: number };

/** Changes a runner, answers another ticket for it, or revokes it. */
export function RunnerActions({ runner, listeners }: RunnerActionsProps) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<'edit' | 'revoke'>();
  const ticket = useMutation({
    mutationFn: () => consoleRpc(RunnersService.method.createRunnerTicket, { runnerId: runner.id }),
    // The ticket must not stay in the cache of mutations.
    gcTime: 0,
    onSuccess: () => readRunnersAgain(client),
  });
  const revoke = useMutation({
    mutationFn: () => consoleRpc(RunnersService.method.revokeRunner, { id: runner.id }),
    onSuccess: () => setAsked(undefined),
    onSettled: () => readRunnersAgain(client),
  });
  if (runner.state === RunnerState.REVOKED) return null;
  return (
    <div className={css.actions}>
      <Button onClick={() => setAsked('edit')}>Edit</Button>
      <Button onClick={() => ticket.mutate()} loading={ticket.isPending}>
        New ticket
      </Button>
      <Button onClick={() => setAsked('revoke')}>Revoke</Button>
      {ticket.error !== null && (
        <Banner look="failing" urgent icon={<Glyph state="failing" />} title="No ticket was made.">
          {sentenceOf(ticket.error)}
        </Banner>
      )}
      {ticket.data !== undefined && (
        <Dialog title={`Ticket of ${runner.name}`} width={560} onClose={ticket.reset}>
          <TicketShown
            runnerId={runner.id}
            ticket={ticket.data.ticket}
            secret={ticket.data.secret}
            onClose={ticket.reset}
          />
        </Dialog>
      )}
      {asked === 'edit' && <EditRunner runner={runner} onClose={() => setAsked(undefined)} />}
      {asked === 'revoke' && (
        <ConfirmDialog
          title={`Revoke ${runner.name}?`}
          verb={`Revoke ${runner.name}`}
          onConfirm={() => revoke.mutate()}
          onClose={() => setAsked(undefined)}
          working={revoke.isPending}
          error={revoke.error}
          failed="It was not revoked."
        >
          <p>
            The token and the tickets of <b>{runner.name}</b> end for good. Its program stops within seconds,
            and closes {listeners === 0 ? 'whatever it opened' : `its ${counted(listeners, 'listener')}`}:
            applications lose the way to the data behind it.
          </p>
          <p>This cannot be taken back; enrol another runner instead. It is recorded in the audit trail.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
