import { Button } from '@mantine/core';
import { FailurePanel } from '../../components/failure-panel.tsx';

type NoReviewsProps = {
  readonly complete: boolean;
  /** The repository the page is narrowed to. */
  readonly repo: string | undefined;
  readonly onClear: () => void;
};

/** Instead of the list when there is no review at all. */
export function NoReviews({ complete, repo, onClear }: NoReviewsProps) {
  const where = repo === undefined ? '' : ` in ${repo}`;
  return (
    <FailurePanel
      state={complete ? 'idle' : 'unknown'}
      label={complete ? 'Empty' : 'Partly read'}
      title={complete ? `No reviews yet${where}` : `No review in the data read${where}`}
      actions={
        repo !== undefined && (
          <Button variant="filled" onClick={onClear}>
            Reviews of every repository
          </Button>
        )
      }
    >
      <p>
        A review is a workflow whose file is named <code>review-&lt;type&gt;.yml</code>, such as{' '}
        <code>review-security.yml</code>. It appears here with its first run.
      </p>
      <p>
        {complete
          ? 'No results; everything was checked.'
          : 'Not everything was read, so there may be some; the reasons are shown above.'}
      </p>
    </FailurePanel>
  );
}

type NotAmongReviewsProps = {
  readonly run: number | undefined;
  readonly onClear: () => void;
};

/** Instead of a review that is not in the list. */
export function NotAmongReviews({ run, onClear }: NotAmongReviewsProps) {
  return (
    <FailurePanel
      state="idle"
      label={run === undefined ? 'Empty' : 'Not listed'}
      title={run === undefined ? 'No review matches' : `Run ${run} is not one of the reviews read`}
      actions={
        <Button variant="filled" onClick={onClear}>
          {run === undefined ? 'Clear all filters' : 'Show every review'}
        </Button>
      }
    >
      <p>
        {run === undefined
          ? 'All reviews read were searched.'
          : 'It may be older than the newest hundred runs of its repository, or not be a review.'}
      </p>
    </FailurePanel>
  );
}
