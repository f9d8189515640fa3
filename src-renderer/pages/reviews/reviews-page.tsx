import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { repositoryName } from '#shared/api/reading.ts';
import { severity as severityShape } from '#shared/api/runs.ts';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { isUnderWay } from '../../components/run-state.ts';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { movedIndex } from '../../core/keys.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { NoReviews, NotAmongReviews } from './no-reviews.tsx';
import { groupsOfReviews, historyOf } from './review-list.ts';
import { ReviewRail } from './review-rail.tsx';
import { ReviewReading } from './review-reading.tsx';
import { ReviewSide } from './review-side.tsx';
import { type ReviewsView, reviewsAddress } from './reviews-address.ts';
import css from './reviews-page.module.css';
import { type ReviewsAnswer, reviewsQuery } from './reviews-queries.ts';
import { useReviewsCommands } from './use-reviews-commands.ts';

/** Refresh interval while the page is visible, in milliseconds; shorter while a review is running. */
const everyMs = 60_000;
const everyMsWhileRunning = 15_000;

/** Shows the newest review of each type and repository, and one of them to read. */
export function ReviewsPage() {
  const [address, go] = usePageAddress();
  const { every } = useReading();
  const { q, type, repo, run, section } = address;
  const inRepo = repo !== null && repositoryName.safeParse(repo).success ? repo : undefined;
  const severity = severityShape.safeParse(address.severity).data;
  const wanted = run !== null && /^\d{1,15}$/.test(run) ? Number(run) : undefined;
  const reviews = useQuery({
    ...reviewsQuery(inRepo),
    refetchInterval: (query) =>
      every(
        query.state.data?.items.some(({ state }) => isUnderWay(state)) === true
          ? everyMsWhileRunning
          : everyMs,
      ),
  });
  const input = useRef<HTMLInputElement>(null);
  const view = useMemo<ReviewsView>(
    () => ({
      q: q ?? undefined,
      type: type ?? undefined,
      repo: inRepo,
      severity,
      run: wanted,
      posted: section === 'posted',
    }),
    [q, type, inRepo, severity, wanted, section],
  );
  const narrow = useCallback(
    (change: ReviewsView, how: 'push' | 'replace' = 'push') =>
      go(reviewsAddress({ ...view, ...change }), how),
    [go, view],
  );
  const groups = useMemo(
    () =>
      reviews.data === undefined
        ? []
        : groupsOfReviews(reviews.data, {
            ...(q !== null && { q }),
            ...(type !== null && { type }),
          }),
    [reviews.data, q, type],
  );
  const rows = useMemo(() => groups.flatMap((group) => group.rows), [groups]);
  // Every review can be opened, also one that a newer of its type has taken the row of.
  const open =
    wanted === undefined ? rows[0]?.review : reviews.data?.items.find(({ run_id }) => run_id === wanted);
  const openKey = open === undefined ? undefined : `${open.type} ${open.repo}`;
  const move = useCallback(
    (step: 1 | -1) => {
      const at = rows.findIndex(({ review }) => `${review.type} ${review.repo}` === openKey);
      const next = rows[movedIndex(at, step, rows.length)];
      if (next !== undefined) narrow({ run: next.review.run_id, posted: false }, 'replace');
    },
    [rows, openKey, narrow],
  );
  const show = useCallback((runId: number) => narrow({ run: runId, posted: false }), [narrow]);
  useReviewsCommands({ rows, input, move, show });

  return (
    <Page
      title="Reviews"
      sub={headline(reviews.data)}
      flush
      actions={<ReadingCoverage reading={reviews.data} />}
    >
      <SourceRead query={reviews} what="Reviews" skeleton={<SkeletonRows rows={9} />}>
        {(answer) =>
          answer.items.length === 0 ? (
            <div className={css.empty}>
              <ReadingNotices query={reviews} />
              <NoReviews complete={answer.complete} repo={inRepo} onClear={() => go({ tab: 'reviews' })} />
            </div>
          ) : (
            <div className={css.room}>
              <div className={css.split}>
                <ReviewRail
                  inputRef={input}
                  groups={groups}
                  answer={answer}
                  view={view}
                  openKey={openKey}
                  onNarrow={narrow}
                />
                <div className={css.reading}>
                  <div className={css.notices}>
                    <ReadingNotices query={reviews} />
                  </div>
                  {open === undefined ? (
                    <div className={css.empty}>
                      <NotAmongReviews run={wanted} onClear={() => go({ tab: 'reviews' })} />
                    </div>
                  ) : (
                    <ReviewReading
                      key={open.run_id}
                      review={open}
                      view={view}
                      readAt={reviews.dataUpdatedAt}
                      onNarrow={narrow}
                    />
                  )}
                </div>
                {open !== undefined && (
                  <ReviewSide review={open} history={historyOf(answer, open)} view={view} onShow={show} />
                )}
              </div>
            </div>
          )
        }
      </SourceRead>
    </Page>
  );
}

function headline(answer: ReviewsAnswer | undefined): string {
  if (answer === undefined || answer.items.length === 0) return '';
  const running = answer.items.filter(({ state }) => isUnderWay(state)).length;
  const errors = answer.latest.reduce(
    (sum, { findings }) => sum + findings.filter(({ severity }) => severity === 'error').length,
    0,
  );
  const found = errors === 0 ? 'no errors in the newest' : `${errors} errors in the newest`;
  return running === 0 ? found : `${found}, ${running} under way`;
}
