import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Reading } from '#shared/api/reading.ts';
import { sentenceOf } from '../app/failure.ts';
import { TargetWays } from '../app/targets/target-ways.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { PlaceLink } from './place-link.tsx';
import { Waiting } from './skeleton.tsx';
import css from './source-read.module.css';
import type { SourceQuery } from './source-read.tsx';
import { WithCode } from './with-code.tsx';

/** What every read of a cluster says of itself. */
export type ClusterReading = Reading & { readonly target?: string | undefined };

type ClusterReadProps<Answer extends ClusterReading> = {
  readonly query: SourceQuery<Answer>;
  /** What is read, as a sentence begins with it: `Services`. Plural. */
  readonly what: string;
  /** On a page of panels: what stands in place of the content is a panel too. */
  readonly board?: boolean;
  /** Shown while the first answer is under way, in the shape of the content. */
  readonly skeleton: ReactNode;
  readonly children: (answer: Answer) => ReactNode;
};

/** The content read from a cluster or a bundle, or in its place: what is waited for, did not answer, or is not attached. */
export function ClusterRead<Answer extends ClusterReading>(props: ClusterReadProps<Answer>) {
  const { query, what, board = false, skeleton, children } = props;
  if (query.data === undefined && query.error === null) {
    return (
      <div className={css.waiting} data-board={board}>
        <Waiting words={`Reading ${what.toLowerCase()} from the cluster`} />
        {skeleton}
      </div>
    );
  }
  if (query.data !== undefined && query.data.source !== 'unavailable') return children(query.data);
  return (
    <div className={css.room} data-board={board}>
      <NotRead query={query} what={what} />
    </div>
  );
}

function NotRead({ query, what }: { readonly query: SourceQuery<ClusterReading>; readonly what: string }) {
  const again = (
    <Button variant="filled" onClick={() => query.refetch()} loading={query.isFetching}>
      Try again
    </Button>
  );
  if (query.data === undefined) {
    return (
      <FailurePanel
        state="unknown"
        word="Not read"
        title={`${what} were not read`}
        raw={query.error === null ? undefined : sentenceOf(query.error)}
        actions={again}
      >
        <p>The console itself did not give them. Nothing is known of them right now.</p>
      </FailurePanel>
    );
  }
  const { target, unmeasured } = query.data;
  if (target === undefined) {
    return (
      <FailurePanel
        state="idle"
        word="Not attached"
        title="No cluster is attached"
        actions={
          <PlaceLink place={{ tab: 'overview' }} look="filled">
            Attach a cluster
          </PlaceLink>
        }
      >
        <p>
          {what} are read from a cluster, or from a bundle that was taken of one. Choose a cluster of your
          kubeconfig, open a bundle, or explore the sandbox.
        </p>
      </FailurePanel>
    );
  }
  return (
    <FailurePanel
      state="unknown"
      word="Not read"
      title={`${what} in ${target} were not read`}
      actions={<TargetWays target={target} reading={query.isFetching} />}
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
