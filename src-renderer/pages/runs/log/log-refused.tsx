import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ErrorName } from '#shared/errors.ts';
import { FailurePanel } from '../../../components/failure-panel.tsx';
import type { CallFailed } from '../../../core/call-route.ts';
import type { StateName } from '../../../core/state-name.ts';
import { useNow } from '../../../core/use-now.ts';

type LogRefusedProps = {
  readonly error: CallFailed;
  /** True while the run it belongs to has not ended; undefined when that is not known. */
  readonly underWay: boolean | undefined;
  /** The run on the code host. */
  readonly url: string | undefined;
  readonly onAgain: () => void;
};

type Refusal = {
  readonly state: StateName;
  readonly label: string;
  readonly title: string;
  readonly why: string;
};

const refusals: Readonly<Partial<Record<ErrorName, Refusal>>> = {
  NotFound: {
    state: 'idle',
    label: 'Not found',
    title: 'The code host has no log of this run',
    why: 'Logs are deleted after a while. The run and its outcome stay.',
  },
  Refused: {
    state: 'failing',
    label: 'Refused',
    title: 'The log’s archive was refused',
    why: 'The console opens only archives that are safe to open. Nothing of it was shown or kept.',
  },
  TooManyRequests: {
    state: 'working',
    label: 'Busy',
    title: 'The console is opening other logs',
    why: 'It opens two at a time, so that one log cannot slow down everything else.',
  },
};

const notRead: Refusal = {
  state: 'unknown',
  label: 'Not read',
  title: 'The log was not read',
  why: 'Its content is unknown.',
};

const stillGoing: Refusal = {
  state: 'working',
  label: 'Under way',
  title: 'This run has no log yet',
  why: 'The code host provides the log once the run has finished.',
};

/** Explains why there is no log, and what to do. A busy console is retried automatically. */
export function LogRefused({ error, underWay, url, onAgain }: LogRefusedProps) {
  const known = error.name === 'NotFound' && underWay === true ? stillGoing : refusals[error.name];
  const { state, label, title, why } = known ?? notRead;
  const final = error.name === 'Refused';
  return (
    <FailurePanel
      state={state}
      label={label}
      title={title}
      raw={error.message}
      actions={
        <>
          {!final && (
            <Button variant="filled" onClick={onAgain}>
              Retry
            </Button>
          )}
          {url !== undefined && (
            <Button component="a" href={url} target="_blank" rel="noreferrer">
              Open the run on the code host
            </Button>
          )}
        </>
      }
      foot={
        error.retryAfterSeconds !== undefined && (
          <NextTry seconds={error.retryAfterSeconds} onAgain={onAgain} />
        )
      }
    >
      <p>{why}</p>
    </FailurePanel>
  );
}

/** Counts down from when it is first shown. */
function NextTry({ seconds, onAgain }: { readonly seconds: number; readonly onAgain: () => void }) {
  const [at] = useState(() => Date.now() + seconds * 1000);
  const left = Math.max(0, Math.ceil((at - useNow(1000)) / 1000));
  useEffect(() => {
    if (left === 0) onAgain();
  }, [left, onAgain]);
  return `Next try in ${left} s.`;
}
