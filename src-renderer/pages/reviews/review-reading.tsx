import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Review } from '#shared/api/runs.ts';
import { capitalised } from '#shared/text.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { isUnderWay, runStates } from '../../components/run-state.ts';
import { RunTime } from '../../components/run-time.tsx';
import { SkeletonRows, Waiting } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { Tag } from '../../components/tag.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { sentenceOf } from '../../core/failure.ts';
import { IconExternalLink, IconFileText, IconLink } from '../../core/icons/icons.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useReading } from '../../core/reading.tsx';
import { FindingList } from './finding-list.tsx';
import { NoFindings } from './no-findings.tsx';
import { PostedComments } from './posted-comments.tsx';
import css from './review-reading.module.css';

import { type ReviewsView, reviewsAddress } from './reviews-address.ts';
import { type ReviewAnswer, reviewQuery } from './reviews-queries.ts';

type ReviewReadingProps = {
  readonly review: Review;
  readonly view: ReviewsView;
  /** Time the list was read, in this machine's epoch ms. */
  readonly readAt: number;
  readonly onNarrow: (change: ReviewsView, how?: 'push' | 'replace') => void;
};

const everyMs = 15_000;

/** One review to read: what it found, and what was posted about the change. */
export function ReviewReading({ review, view, readAt, onNarrow }: ReviewReadingProps) {
  const { every } = useReading();
  const href = useHref();
  const underWay = isUnderWay(review.state);
  const found = useQuery({
    ...reviewQuery(review),
    // What an ended review found does not change.
    ...(underWay && { refetchInterval: every(everyMs) }),
  });
  const now = found.data?.review ?? review;
  return (
    <article className={css.article} aria-label={`${capitalised(review.type)} review of ${review.repo}`}>
      <header className={css.head}>
        <div className={css.line}>
          <State {...runStates[now.state]} look="pill" />
          <Tag>{review.type}</Tag>
          <span className={css.fact}>
            {review.repo}
            {review.pull_request !== undefined && ` #${review.pull_request}`},{' '}
            <TimeAgo at={Date.parse(review.started)} />
            {now.took_seconds !== undefined && (
              <>
                , {isUnderWay(now.state) ? 'for ' : 'took '}
                <RunTime state={now.state} tookSeconds={now.took_seconds} readAt={readAt} />
              </>
            )}
          </span>
          <span className={css.tools}>
            <CopyIcon
              text={() => `${location.origin}${href(reviewsAddress({ run: review.run_id }))}`}
              label="Copy the link to this review"
              icon={IconLink}
            />
          </span>
        </div>
        <h2 className={css.title}>{review.title ?? review.name}</h2>
        {now.detail !== undefined && <p className={css.detail}>{now.detail}</p>}
        <div className={css.actions}>
          <LogButton review={review} />
          <Button
            component="a"
            href={review.url}
            target="_blank"
            rel="noreferrer"
            leftSection={<IconExternalLink size={14} stroke={2} aria-hidden />}
          >
            Open on code host
          </Button>
        </div>
      </header>
      <Found found={found} review={now} view={view} onNarrow={onNarrow} />
      <PostedComments
        review={review}
        said={found.data?.unmeasured ?? []}
        wanted={view.posted === true}
        onWanted={() => onNarrow({ run: review.run_id, posted: true }, 'replace')}
      />
    </article>
  );
}

function LogButton({ review: { repo, run_id } }: { readonly review: Review }) {
  const [, go] = usePageAddress();
  const href = useHref();
  const to = { tab: 'runs', section: 'log', run: `workflow:${repo}:${run_id}` };
  return (
    <Button
      component="a"
      href={href(to)}
      onClick={(event) => {
        if (openedByPlainClick(event)) go(to);
      }}
      leftSection={<IconFileText size={14} stroke={2} aria-hidden />}
    >
      Log
    </Button>
  );
}

type FoundProps = {
  readonly found: {
    readonly data: ReviewAnswer | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  readonly review: Review;
  readonly view: ReviewsView;
  readonly onNarrow: ReviewReadingProps['onNarrow'];
};

/** Shows the review's findings, or why they are not known. */
function Found({ found, review, view, onNarrow }: FoundProps) {
  const { data, error } = found;
  if (data !== undefined && data.findings.length > 0) {
    return <FindingList answer={data} review={review} view={view} onNarrow={onNarrow} />;
  }
  if (isUnderWay(review.state)) {
    return (
      <div className={css.part}>
        <h3 className={css.calm}>
          {review.state === 'running' ? 'This review is running' : 'This review has not started'}
        </h3>
        <p className={css.detail}>
          Its findings appear here when it finishes. The page checks every {everyMs / 1000} s.
        </p>
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className={css.part}>
        {error === null ? (
          <>
            <SkeletonRows rows={5} />
            <Waiting label="Loading its findings" />
          </>
        ) : (
          <Unread raw={[sentenceOf(error)]} found={found} />
        )}
      </div>
    );
  }
  if (data.source === 'unavailable' || !data.complete) {
    return (
      <div className={css.part}>
        <Unread raw={data.unmeasured} found={found} />
      </div>
    );
  }
  return (
    <div className={css.part}>
      <NoFindings answer={data} review={review} />
    </div>
  );
}

type UnreadProps = { readonly raw: readonly string[]; readonly found: FoundProps['found'] };

function Unread({ raw, found }: UnreadProps) {
  return (
    <FailurePanel
      state="unknown"
      label="Not read"
      title="The findings of this review were not read"
      raw={raw.join('\n')}
      actions={
        <Button variant="filled" onClick={() => found.refetch()} loading={found.isFetching}>
          Retry
        </Button>
      }
    >
      <p>Its log may say more.</p>
    </FailurePanel>
  );
}
