import { describe, expect, it } from 'vitest';
import type { Finding, Review } from '#shared/api/runs.ts';
import {
  changeOf,
  findingsLabel,
  groupsOf,
  lineLabel,
  verdictOf,
} from '../../../../src-renderer/pages/reviews/review-labels.ts';
import { groupsOfReviews, historyOf } from '../../../../src-renderer/pages/reviews/review-list.ts';
import { reviewsAddress } from '../../../../src-renderer/pages/reviews/reviews-address.ts';
import type { ReviewsAnswer } from '../../../../src-renderer/pages/reviews/reviews-queries.ts';

const review = (run_id: number, more: Partial<Review> = {}): Review => ({
  type: 'security',
  run_id,
  repo: 'harbour',
  name: 'Security review',
  state: 'success',
  started: '2026-11-21T07:00:00.000Z',
  url: `https://code.example/northgate/harbour/actions/runs/${run_id}`,
  sha: 'a'.repeat(40),
  ...more,
});
const finding = (severity: Finding['severity'], path: string, line?: number): Finding => ({
  severity,
  path,
  ...(line !== undefined && { line }),
  title: `${severity} in ${path}`,
  body: '',
});
const answer = (items: Review[], latest: ReviewsAnswer['latest'] = []): ReviewsAnswer => ({
  items,
  latest,
  source: 'github',
  complete: true,
  read_at: '2026-11-21T07:00:00.000Z',
  unmeasured: [],
});

describe('the list of reviews', () => {
  const items = [
    review(9, { state: 'running' }),
    review(8),
    review(7, { type: 'quality', repo: 'campaign', findings_count: 0 }),
    review(6, { type: 'security', repo: 'cockpit' }),
    review(5, { type: 'quality', repo: 'cockpit' }),
  ];
  const latest = [
    { type: 'security', repo: 'harbour', run_id: 8, findings: [finding('error', 'a.ts')] },
    {
      type: 'security',
      repo: 'cockpit',
      run_id: 6,
      findings: [finding('error', 'a.ts'), finding('note', 'b.ts')],
    },
    { type: 'quality', repo: 'cockpit', run_id: 5, findings: [finding('warning', 'a.ts')] },
  ];

  it('has the newest of each type and repository, what needs a person first', () => {
    const groups = groupsOfReviews(answer(items, latest), {});
    expect(
      groups.map(({ type, rows }) => [type, rows.map(({ review: { run_id }, found }) => [run_id, found])]),
    ).toEqual([
      [
        'security',
        [
          [6, '1 error, 1 note'],
          [9, 'running'],
        ],
      ],
      [
        'quality',
        [
          [5, '1 warning'],
          [7, 'no findings'],
        ],
      ],
    ]);
  });

  it('never takes findings that were not read for none', () => {
    const [group] = groupsOfReviews(answer([review(4)]), {});
    expect(group?.rows[0]?.found).toBe('findings not read');
  });

  it('does not lend a running review the findings of the one before', () => {
    const [group] = groupsOfReviews(answer(items.slice(0, 2), latest), {});
    expect(group?.rows[0]?.findings).toBeUndefined();
  });

  it('narrows by words and by type, and the history of a review stays whole', () => {
    const narrowed = groupsOfReviews(answer(items, latest), { q: 'COCKPIT review', type: 'security' });
    expect(narrowed.flatMap(({ rows }) => rows.map((row) => row.review.run_id))).toEqual([6]);
    expect(historyOf(answer(items), review(8)).map(({ run_id }) => run_id)).toEqual([9, 8]);
  });

  it('has an address for what is open and what it is narrowed to', () => {
    expect(reviewsAddress({ type: 'security', severity: undefined, run: 8, posted: true })).toEqual({
      tab: 'reviews',
      type: 'security',
      run: '8',
      section: 'posted',
    });
  });
});

describe('findings', () => {
  it('stand by severity, then by file, then down the file', () => {
    const found = [
      finding('note', 'z.ts', 1),
      finding('error', 'b.ts', 30),
      finding('error', 'a.ts', 2),
      finding('error', 'b.ts', 4),
    ];
    const groups = groupsOf(found).map(({ severity, files }) => [
      severity,
      files.map(({ path, findings }) => [path, findings.map(({ line }) => line)]),
    ]);
    expect(groups).toEqual([
      [
        'error',
        [
          ['a.ts', [2]],
          ['b.ts', [4, 30]],
        ],
      ],
      ['note', [['z.ts', [1]]]],
    ]);
    expect(findingsLabel(found)).toBe('3 errors, 1 note');
    expect(findingsLabel([])).toBe('no findings');
  });

  it('are placed as an editor takes it', () => {
    expect(lineLabel({ ...finding('note', 'a.ts', 3), end_line: 5 })).toBe('a.ts:3-5');
    expect(lineLabel({ ...finding('note', 'a.ts', 3), end_line: 3 })).toBe('a.ts:3');
    expect(lineLabel(finding('note', 'a.ts'))).toBe('a.ts');
  });
});

describe('words about a review', () => {
  it('name the change by what a person knows it by', () => {
    expect(changeOf(review(1, { pull_request: 4, title: 'Set limits' }))).toBe('#4 Set limits');
    expect(changeOf(review(1, { branch: 'limits' }))).toBe('limits');
    expect(changeOf(review(1))).toBe('aaaaaaa');
  });

  it('give each verdict its own state', () => {
    const comment = {
      kind: 'verdict',
      author: 'a',
      agent: true,
      body: '',
      url: 'https://code.example/1',
      at: '2026-11-21T07:00:00.000Z',
    } as const;
    const states = ['approved', 'changes_requested', 'commented', 'dismissed'].map(
      (verdict) => verdictOf({ ...comment, verdict }).state,
    );
    expect(states).toEqual(['healthy', 'failing', 'idle', 'idle']);
  });
});
