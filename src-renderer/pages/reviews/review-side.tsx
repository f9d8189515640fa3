import { useRef } from 'react';
import type { Review } from '#shared/api/runs.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { capitalised } from '#shared/text.ts';
import { commitUrl, pullRequestUrl } from '../../components/code-host-links.ts';
import { CommitId } from '../../components/commit-id.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { useOneStop } from '../../components/list/use-one-stop.ts';
import { OutLink } from '../../components/out-link.tsx';
import { isUnderWay, runStates } from '../../components/run-state.ts';
import { Spoken } from '../../components/spoken.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { changeOf, formatCount } from './review-labels.ts';
import css from './review-side.module.css';
import { type ReviewsView, reviewsAddress } from './reviews-address.ts';

type ReviewSideProps = {
  readonly review: Review;
  /** Reviews of the same type in the same repository, newest first; this one is among them. */
  readonly history: readonly Review[];
  readonly view: ReviewsView;
  readonly onShow: (runId: number) => void;
};

/** Shows what was reviewed, and the previous and later reviews of this kind. */
export function ReviewSide({ review, history, view, onShow }: ReviewSideProps) {
  const [, go] = usePageAddress();
  const others = useRef<HTMLUListElement>(null);
  useOneStop(others);
  const href = useHref();
  const pull = pullRequestUrl(review);
  const shipped: PageAddress = { tab: 'lineage', sha: review.sha, repo: review.repo };
  return (
    <aside className={css.side} aria-label="About this review">
      <h3 className={css.heading}>Reviewed</h3>
      <dl className={css.facts}>
        <dt>Commit</dt>
        <dd>
          <CommitId sha={review.sha} url={commitUrl(review)} />
        </dd>
        {review.pull_request !== undefined && (
          <>
            <dt>Pull request</dt>
            <dd>
              {pull === undefined ? (
                `#${review.pull_request}`
              ) : (
                <OutLink href={pull}>#{review.pull_request}</OutLink>
              )}
            </dd>
          </>
        )}
        {review.branch !== undefined && (
          <>
            <dt>Branch</dt>
            <dd>
              <code>{review.branch}</code>
            </dd>
          </>
        )}
        <dt>By</dt>
        <dd>{review.name}</dd>
      </dl>
      <p className={css.shipped}>
        <a
          href={href(shipped)}
          onClick={(event) => {
            if (openedByPlainClick(event)) go(shipped);
          }}
        >
          Did this ship?
        </a>
      </p>
      <h3 className={css.heading}>
        {capitalised(review.type)} reviews of {review.repo} <span>{history.length}</span>
      </h3>
      <ul ref={others} className={css.history}>
        {history.map((other) => (
          <li key={other.run_id}>
            <a
              className={css.other}
              href={href(reviewsAddress({ ...view, run: other.run_id, posted: false }))}
              aria-current={other.run_id === review.run_id ? 'true' : undefined}
              title={other.title}
              onClick={(event) => {
                if (openedByPlainClick(event)) onShow(other.run_id);
              }}
            >
              <Glyph state={runStates[other.state].state} />
              <Spoken>{`${runStates[other.state].label}: `}</Spoken>
              <span className={css.change}>{changeOf(other)}</span>
              <span className={css.found}>
                {isUnderWay(other.state) || other.findings_count === undefined
                  ? ''
                  : formatCount(other.findings_count)}
              </span>
              <span className={css.when}>
                <TimeAgo at={Date.parse(other.started)} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </aside>
  );
}
