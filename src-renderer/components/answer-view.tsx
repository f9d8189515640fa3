import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Reading } from '#shared/api/reading.ts';
import { sentenceOf } from '../core/failure.ts';
import css from './answer-view.module.css';
import { FailurePanel } from './failure-panel.tsx';
import { Waiting } from './skeleton.tsx';
import { WithCode } from './with-code.tsx';

/** A query of a route that reads another system, as far as its room needs to know it. */
export type SourceQuery<Answer extends Reading> = {
  readonly data: Answer | undefined;
  readonly error: Error | null;
  readonly isFetching: boolean;
  refetch(): unknown;
};

/** Props shared by pages that show an answer with a reading. */
export type AnswerProps<Answer extends Reading> = {
  readonly query: SourceQuery<Answer>;
  /** Subject of messages, capitalised and plural: `Deliveries`. */
  readonly what: string;
  /** On a page of panels: what stands in place of the content is a panel too. */
  readonly board?: boolean;
  /** Shown while the first answer is under way, in the shape of the content. */
  readonly skeleton: ReactNode;
  readonly children: (answer: Answer) => ReactNode;
};

type AnswerViewProps<Answer extends Reading> = AnswerProps<Answer> & {
  /** Behind what is waited for, such as ` from the cluster`. */
  readonly from?: string;
  /** In place of the content when the source did not answer. */
  readonly unavailable: (answer: Answer) => ReactNode;
};

/** The content of an answer, or in its place: what is waited for, or who did not answer. */
export function AnswerView<Answer extends Reading>(props: AnswerViewProps<Answer>) {
  const { query, what, from = '', board = false, skeleton, unavailable, children } = props;
  const { data, error } = query;
  if (data !== undefined && data.source !== 'unavailable') return children(data);
  if (data === undefined && error === null) {
    return (
      <div className={css.waiting} data-board={board}>
        <Waiting label={`Reading ${what.toLowerCase()}${from}`} />
        {skeleton}
      </div>
    );
  }
  return (
    <div className={css.room} data-board={board}>
      {data !== undefined ? (
        unavailable(data)
      ) : (
        <FailurePanel
          state="unknown"
          label="Not read"
          title={`${what} were not read`}
          raw={error === null ? undefined : sentenceOf(error)}
          actions={<Again query={query} />}
        >
          <p>The console did not return them.</p>
        </FailurePanel>
      )}
    </div>
  );
}

type NotReadPanelProps = {
  readonly title: string;
  /** The sentences of the answer. */
  readonly reasons: readonly string[];
  readonly actions: ReactNode;
};

/** That a source did not answer, with its reasons. */
export function NotReadPanel({ title, reasons, actions }: NotReadPanelProps) {
  return (
    <FailurePanel state="unknown" label="Not read" title={title} actions={actions}>
      <ul className={css.reasons}>
        {reasons.map((reason) => (
          <li key={reason}>
            <WithCode>{reason}</WithCode>
          </li>
        ))}
      </ul>
    </FailurePanel>
  );
}

/** Asks once more. */
export function Again({ query }: { readonly query: SourceQuery<Reading> }) {
  return (
    <Button variant="filled" onClick={() => query.refetch()} loading={query.isFetching}>
      Retry
    </Button>
  );
}
