import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Reading } from '#shared/api/reading.ts';
import { placeAddress } from '#shared/place.ts';
import { codeHostQuery } from '../app/code-host.ts';
import { sentenceOf } from '../app/failure.ts';
import { usePlace } from '../app/place.ts';
import { openedByPlainClick } from '../app/plain-click.ts';
import { FailurePanel } from './failure-panel.tsx';
import { Waiting } from './skeleton.tsx';
import css from './source-read.module.css';
import { WithCode } from './with-code.tsx';

/** A query of a route that reads another system, as far as its room needs to know it. */
export type SourceQuery<Answer extends Reading> = {
  readonly data: Answer | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  refetch(): unknown;
};

type SourceReadProps<Answer extends Reading> = {
  readonly query: SourceQuery<Answer>;
  /** What is read, as a sentence begins with it: `Deliveries`. Plural. */
  readonly what: string;
  /** On a page of panels: what stands in place of the content is a panel too. */
  readonly board?: boolean;
  /** Shown while the first answer is under way, in the shape of the content. */
  readonly skeleton: ReactNode;
  readonly children: (answer: Answer) => ReactNode;
};

/** The content of an answer, or in its place: what is waited for, what did not answer, or what is not attached. */
export function SourceRead<Answer extends Reading>(props: SourceReadProps<Answer>) {
  const { query, what, board = false, skeleton, children } = props;
  if (query.data === undefined) {
    if (query.error === null) {
      return (
        <div className={css.waiting} data-board={board}>
          <Waiting words={`Reading ${what.toLowerCase()}`} />
          {skeleton}
        </div>
      );
    }
    return (
      <div className={css.room} data-board={board}>
        <FailurePanel
          state="unknown"
          word="Not read"
          title={`${what} were not read`}
          raw={sentenceOf(query.error)}
          actions={<Again query={query} />}
        >
          <p>The console itself did not give them. Nothing is known of them right now.</p>
        </FailurePanel>
      </div>
    );
  }
  if (query.data.source !== 'unavailable') return children(query.data);
  return (
    <div className={css.room} data-board={board}>
      <Unavailable query={query} what={what} unmeasured={query.data.unmeasured} />
    </div>
  );
}

type UnavailableProps = {
  readonly query: SourceQuery<Reading>;
  readonly what: string;
  readonly unmeasured: readonly string[];
};

function Unavailable({ query, what, unmeasured }: UnavailableProps) {
  const [, go] = usePlace();
  const attachment = useQuery(codeHostQuery);
  if (attachment.isPending) return <Waiting words="Asking whether a code host is attached" />;
  const settings = { tab: 'settings', section: 'codeHost' };
  if (attachment.data?.configured === false) {
    return (
      <FailurePanel
        state="idle"
        word="Not attached"
        title="No code host is attached"
        actions={
          <Button
            component="a"
            variant="filled"
            href={placeAddress(settings)}
            onClick={(event) => {
              if (openedByPlainClick(event)) go(settings);
            }}
          >
            Attach the code host
          </Button>
        }
      >
        <p>
          {what} are read from the code host through a GitHub App. This console has none yet, so nothing was
          asked for and nothing is known.
        </p>
      </FailurePanel>
    );
  }
  return (
    <FailurePanel
      state="unknown"
      word="Not read"
      title={`${what} were not read`}
      actions={
        <>
          <Again query={query} />
          <Button
            component="a"
            href={placeAddress(settings)}
            onClick={(event) => {
              if (openedByPlainClick(event)) go(settings);
            }}
          >
            See the code host
          </Button>
        </>
      }
    >
      <ul className={css.reasons}>
        {unmeasured.map((reason) => (
          <li key={reason}>
            <WithCode>{reason}</WithCode>
          </li>
        ))}
      </ul>
    </FailurePanel>
  );
}

function Again({ query }: { readonly query: SourceQuery<Reading> }) {
  return (
    <Button variant="filled" onClick={() => query.refetch()} loading={query.isFetching}>
      Try again
    </Button>
  );
}
