import type { Finding, Review } from '#shared/api/runs.ts';
import { runStates } from '../../components/run-state.ts';
import { findingsLabel, formatCount } from './review-labels.ts';
import type { ReviewsAnswer } from './reviews-queries.ts';

/** Filter of the list. */
export type ReviewFilter = { readonly q?: string; readonly type?: string };

/** A review as the list shows it: the newest of its type in its repository. */
export type ReviewRow = {
  readonly review: Review;
  /** Findings, if the list has them. */
  readonly findings: readonly Finding[] | undefined;
  /** In a few words: what it found, or why that is not known. */
  readonly found: string;
};

export type ReviewGroup = { readonly type: string; readonly rows: readonly ReviewRow[] };

const keyOf = ({ type, repo }: { type: string; repo: string }): string => `${type} ${repo}`;

/** The newest review of each type in each repository, by type; types and reviews that need a person first. */
export function groupsOfReviews(answer: ReviewsAnswer, { q, type }: ReviewFilter): readonly ReviewGroup[] {
  const latest = new Map(answer.latest.map((entry) => [keyOf(entry), entry]));
  const newest = new Map<string, Review>();
  for (const review of answer.items) if (!newest.has(keyOf(review))) newest.set(keyOf(review), review);
  const groups = new Map<string, ReviewRow[]>();
  for (const [key, review] of newest) {
    if ((type !== undefined && review.type !== type) || !passes(review, q)) continue;
    const known = latest.get(key);
    const findings = known?.run_id === review.run_id ? known.findings : undefined;
    const row = { review, findings, found: foundLabel(review, findings) };
    groups.set(review.type, [...(groups.get(review.type) ?? []), row]);
  }
  return [...groups]
    .map(([name, rows]) => ({ type: name, rows: rows.toSorted((a, b) => rank(a) - rank(b)) }))
    .sort((a, b) => worst(a.rows) - worst(b.rows) || a.type.localeCompare(b.type));
}

/** Every review of the same type in the same repository, newest first. */
export const historyOf = (answer: ReviewsAnswer, review: Review): readonly Review[] =>
  answer.items.filter((other) => keyOf(other) === keyOf(review));

function passes(review: Review, q: string | undefined): boolean {
  if (q === undefined) return true;
  const { type, repo, name, title = '', branch = '' } = review;
  const all = `${type}\n${repo}\n${name}\n${title}\n${branch}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((term) => all.includes(term));
}

function foundLabel(review: Review, findings: readonly Finding[] | undefined): string {
  if (review.state === 'running') return 'running';
  if (review.state === 'queued' || review.state === 'waiting')
    return runStates[review.state].label.toLowerCase();
  if (findings !== undefined) return findingsLabel(findings);
  return review.findings_count === undefined ? 'findings not read' : formatCount(review.findings_count);
}

/** Errors first, then warnings, what failed or was not read, notes, and what is in order. */
function rank({ review, findings }: ReviewRow): number {
  const found = new Set(findings?.map(({ severity }) => severity));
  if (found.has('error')) return 0;
  if (found.has('warning')) return 1;
  if (review.state === 'failure') return 2;
  if (findings === undefined && review.findings_count === undefined) return 3;
  return found.has('note') ? 4 : 5;
}

/** Returns the severity rank of sorted rows. */
const worst = ([first]: readonly ReviewRow[]): number => (first === undefined ? 6 : rank(first));
