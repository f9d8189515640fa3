import type { Review } from '#shared/api/runs.ts';
import { CommitId } from '../../components/commit-id.tsx';
import { formatAgo } from '../../components/format-time.ts';
import { Glyph } from '../../components/glyph.tsx';
import { useNow } from '../../core/use-now.ts';
import css from './no-findings.module.css';
import type { ReviewAnswer } from './reviews-queries.ts';

type NoFindingsProps = {
  /** An answer that was read in full. */
  readonly answer: ReviewAnswer;
  readonly review: Review;
};

/** A review that found nothing, with what makes that a real nothing. */
export function NoFindings({ answer, review }: NoFindingsProps) {
  const now = useNow(10_000);
  const failed = review.state !== 'success';
  return (
    <section className={css.calm} aria-label="No findings">
      <h3 className={css.title}>
        <Glyph state={failed ? 'idle' : 'healthy'} />
        No findings
      </h3>
      <p className={css.words}>
        {failed
          ? 'The review reported no findings but did not succeed; see its log.'
          : 'The review finished with nothing to report on this change.'}
      </p>
      <ul className={css.proof}>
        <li>
          <Glyph state="healthy" />
          {checkLabel(answer.checks, review.name)}
        </li>
        <li>
          <Glyph state="healthy" />
          At commit <CommitId sha={review.sha} />
        </li>
        <li>
          <Glyph state="healthy" />
          {answer.source === 'github' ? 'From the code host' : `From ${answer.source}`},{' '}
          {formatAgo(Date.parse(answer.read_at), now)}
        </li>
      </ul>
    </section>
  );
}

function checkLabel(checks: readonly string[] | undefined, review: string): string {
  if (checks === undefined || checks.length === 0) return `All checks of ${review} were read`;
  const named = new Intl.ListFormat('en-GB').format(checks);
  return checks.length === 1
    ? `Its check was read: ${named}`
    : `Its ${checks.length} checks were read: ${named}`;
}
