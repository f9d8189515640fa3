import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { sentenceOf } from '../core/failure.ts';
import { FailurePanel } from './failure-panel.tsx';
import { SkeletonRows, Waiting } from './skeleton.tsx';

type PlainAnswerProps<Answer> = {
  readonly query: {
    readonly data: Answer | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  /** What is read, in the middle of a sentence: `the access lists`. Plural. */
  readonly what: string;
  /** What a failure means for the person, beside the raw reason. */
  readonly meanwhile: string;
  /** Rows of grey that stand for the content. */
  readonly rows?: number;
  /** Class of the frame around what stands in place of the content. */
  readonly frame?: string | undefined;
  readonly children: (answer: Answer) => ReactNode;
};

/**
 * Shows the content of one answer of the console itself; in its place while it is loading or when it failed, that. An answer that
 * says where it was read from (`Reading`) is shown by `SourceRead` or `ClusterRead`.
 */
export function PlainAnswer<Answer>(props: PlainAnswerProps<Answer>) {
  const { query, what, meanwhile, rows = 3, frame, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.error === null)
    return (
      <div className={frame}>
        <Waiting label={`Reading ${what}`} />
        <SkeletonRows rows={rows} />
      </div>
    );
  return (
    <div className={frame}>
      <FailurePanel
        state="unknown"
        label="Not read"
        title={`${what.charAt(0).toUpperCase()}${what.slice(1)} were not read`}
        raw={sentenceOf(query.error)}
        actions={
          <Button variant="filled" onClick={() => query.refetch()} loading={query.isFetching}>
            Retry
          </Button>
        }
      >
        <p>{meanwhile}</p>
      </FailurePanel>
    </div>
  );
}
