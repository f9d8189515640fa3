import { Button } from '@mantine/core';
import { FailurePanel } from '../../components/failure-panel.tsx';
import css from './gitops-page.module.css';
import type { GitopsAnswer } from './gitops-queries.ts';

type NoDeliveriesProps = {
  readonly answer: GitopsAnswer;
  /** True when there are deliveries and a filter leaves none. */
  readonly filtered: boolean;
  readonly onClear: () => void;
};

/** Instead of an empty table: why it is empty, and whether that is a real zero. */
export function NoDeliveries({ answer, filtered, onClear }: NoDeliveriesProps) {
  return (
    <div className={css.none}>
      {filtered ? (
        <FailurePanel
          state="idle"
          label="Empty"
          title="No delivery matches"
          actions={
            <Button variant="filled" onClick={onClear}>
              Clear all filters
            </Button>
          }
        >
          <p>All {answer.items.length} deliveries read were searched.</p>
        </FailurePanel>
      ) : (
        <FailurePanel
          state={answer.complete ? 'idle' : 'unknown'}
          label={answer.complete ? 'Empty' : 'Not read'}
          title={answer.complete ? 'Nothing is delivered yet' : 'No delivery in the data read'}
        >
          <p>
            {answer.mode === 'workflows'
              ? 'A delivery is a workflow that ran on a default branch by push, release or dispatch, and is not a review, governance or agent workflow. '
              : 'A delivery is an application of the GitOps controller. '}
            {answer.complete
              ? 'No results; everything was checked.'
              : 'Not everything was read, so there may be some.'}
          </p>
        </FailurePanel>
      )}
    </div>
  );
}
