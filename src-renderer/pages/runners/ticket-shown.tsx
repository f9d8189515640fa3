import { timestampMs } from '@bufbuild/protobuf/wkt';
import { Button } from '@mantine/core';
import type { RunnerTicket } from '#shared/gen/datasource/v1/runners_pb.js';
import { CommandBlock } from '../../components/command-block.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { TimeUntil } from '../../components/time-until.tsx';
import css from './runners.module.css';

type TicketShownProps = {
  readonly runnerId: string;
  readonly ticket: RunnerTicket | undefined;
  readonly secret: string;
  readonly onClose: () => void;
};

/** Shows a new ticket this once, and how a runner redeems it. */
export function TicketShown({ runnerId, ticket, secret, onClose }: TicketShownProps) {
  const expires = ticket?.expiresAt;
  return (
    <div className={css.form}>
      <p className={css.words}>
        This ticket is shown once: the console keeps only a digest. It is redeemed once
        {expires !== undefined && (
          <>
            , and expires <TimeUntil at={timestampMs(expires)} />
          </>
        )}
        .
      </p>
      <ol className={css.steps}>
        <li>
          Save the ticket as <code>ticket</code> on the runner’s machine.
          <div className={css.ticket}>
            <code>{secret}</code>
            <CopyButton text={() => secret} label="Copy ticket" />
          </div>
        </li>
        <li>
          Run there:
          <CommandBlock
            command={`operator-console runner --console ${location.origin} --id ${runnerId} --token-file ./runner.json --ticket-file ./ticket`}
          />
        </li>
      </ol>
      <div className={css.foot}>
        <Button variant="filled" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
