import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer, RouteInput } from '#shared/api/route.ts';
import type { Review } from '#shared/api/runs.ts';
import { ConsoleError } from '#shared/errors.ts';
import { counted } from '#shared/text.ts';
import { inParallel } from '../../base/in-parallel.ts';
import type { CodeHost, WorkflowRun } from '../../sources/code-host/index.ts';
import { type Findings, type FindingsReader, newAllowance } from './findings.ts';
import { olderRunsGap, recentRuns } from './recent-runs.ts';
import { readComments } from './review-comments.ts';
import { isOver, status } from './workflow-run.ts';

export type ReviewParts = {
  readonly codeHost: CodeHost;
  readonly findings: FindingsReader;
  /** Epoch ms. */
  readonly now: () => number;
};

type ReviewRun = WorkflowRun & { readonly reviewType: string };
type List = RouteAnswer<RouteOf<'reviews.list'>>;
type One = RouteAnswer<RouteOf<'reviews.one'>>;
type Detail = RouteAnswer<RouteOf<'reviews.detail'>>;
type ReviewParams = RouteInput<RouteOf<'reviews.one'>>['params'];

/** Reviews whose findings are read at a time. */
const workers = 4;

/** `GET /api/reviews`: the findings of the newest ended review of each type and repository are read, the others' kept ones shown. */
export async function reviewList(
  { codeHost, findings, now }: ReviewParts,
  repo: string | undefined,
): Promise<List> {
  const recent = await recentRuns(codeHost, now, repo);
  const runs = recent.repos
    .flatMap((read) => read.runs.filter(isReview))
    .toSorted((a, b) => Date.parse(status(b, 0).started) - Date.parse(status(a, 0).started) || b.id - a.id);
  const newest = [
    ...Map.groupBy(runs.filter(isOver), (run) => `${run.repo}:${run.reviewType}`).values(),
  ].flatMap(([run]) => run ?? []);
  const allowance = newAllowance();
  const read = await inParallel(newest, workers, async (run) => ({
    run,
    found: await findings.read(run, allowance),
  }));
  const foundNow = new Map(read.map(({ run, found }) => [run, found]));
  const unmeasured = [
    ...recent.unmeasured,
    ...olderRunsGap(recent),
    ...missingIn(read.map(({ found }) => found)),
  ];
  return {
    items: runs.map((run) => reviewOf(run, now(), (foundNow.get(run) ?? findings.known(run))?.count)),
    latest: read.flatMap(({ run, found }) =>
      found.count === undefined
        ? []
        : { type: run.reviewType, repo: run.repo, run_id: run.id, findings: [...found.findings] },
    ),
    source: recent.source,
    complete: unmeasured.length === 0,
    read_at: new Date(recent.readAt).toISOString(),
    unmeasured,
  };
}

/** Returns one sentence for each reason why findings are missing, with the number of reviews affected. */
function missingIn(found: readonly Findings[]): string[] {
  const times = new Map<string, number>();
  for (const reason of found.flatMap(({ reasons }) => reasons))
    times.set(reason, (times.get(reason) ?? 0) + 1);
  return [...times].map(
    ([reason, count]) => `Findings of ${counted(count, 'review')} were not all read: ${reason}.`,
  );
}

/** `GET /api/reviews/{type}/{runId}`. Throws `NotFound` for a review that is not among the runs that could be read. */
export async function oneReview(
  parts: ReviewParts,
  review: ReviewParams,
  repo: string | undefined,
): Promise<One> {
  const found = await findReview(parts, review, repo);
  if (!('run' in found)) return found.answer;
  return readingOf(parts, found);
}

/** `GET /api/reviews/{type}/{runId}/detail`: the same, and what was posted on the code host. */
export async function reviewDetail(
  parts: ReviewParts,
  review: ReviewParams,
  repo: string | undefined,
): Promise<Detail> {
  const found = await findReview(parts, review, repo);
  if (!('run' in found)) return { ...found.answer, comments: [] };
  const [reading, { comments, pullRequest, unmeasured }] = await Promise.all([
    readingOf(parts, found),
    readComments(parts.codeHost, found.run),
  ]);
  return {
    ...reading,
    review: { ...reading.review, pull_request: pullRequest },
    comments: [...comments],
    complete: reading.complete && unmeasured.length === 0,
    unmeasured: [...reading.unmeasured, ...unmeasured],
  };
}

type FoundReview = { readonly run: ReviewRun; readonly readAt: number; readonly stale: string | undefined };

/** The run, or the answer that says why none could be looked for. */
async function findReview(
  { codeHost, now }: ReviewParts,
  { type, runId }: ReviewParams,
  repo: string | undefined,
): Promise<FoundReview | { readonly answer: One }> {
  const unavailable = (unmeasured: readonly string[]) => ({
    answer: {
      findings: [],
      source: 'unavailable',
      complete: false,
      read_at: new Date(now()).toISOString(),
      unmeasured: [...unmeasured],
    },
  });
  const isIt = (run: WorkflowRun): run is ReviewRun =>
    run.id === runId && isReview(run) && run.reviewType === type;

  if (repo !== undefined) {
    const got = await codeHost.workflowRun(repo, runId);
    if (got.ok && isIt(got.value)) return { run: got.value, readAt: got.readAt, stale: got.stale };
    if (!got.ok && got.kind !== 'not-found')
      return unavailable([`Run ${runId} of ${repo} was not read: ${got.reason}.`]);
    throw new ConsoleError('NotFound', `There is no ${type} review ${runId} in ${repo}.`);
  }
  const recent = await recentRuns(codeHost, now);
  if (recent.source === 'unavailable') return unavailable(recent.unmeasured);
  for (const { runs, stale } of recent.repos) {
    const run = runs.find(isIt);
    if (run !== undefined) return { run, readAt: recent.readAt, stale };
  }
  throw new ConsoleError(
    'NotFound',
    [
      `The ${type} review ${runId} is not among the runs that were read: give its repository, too.`,
      ...recent.unmeasured,
    ].join(' '),
  );
}

async function readingOf(
  { codeHost, findings, now }: ReviewParts,
  { run, readAt, stale }: FoundReview,
): Promise<One & { review: Review }> {
  const found = await findings.read(run, newAllowance());
  const unmeasured = [
    ...(stale === undefined ? [] : [`Run ${run.id} is as it was read before: ${stale}.`]),
    ...found.reasons.map((reason) => `Findings were not all read: ${reason}.`),
  ];
  return {
    review: reviewOf(run, now(), found.count),
    findings: [...found.findings],
    ...(found.checks === undefined ? {} : { checks: [...found.checks] }),
    source: codeHost.source,
    complete: unmeasured.length === 0,
    read_at: new Date(readAt).toISOString(),
    unmeasured,
  };
}

function isReview(run: WorkflowRun): run is ReviewRun {
  return run.family === 'review' && run.reviewType !== undefined;
}

function reviewOf(run: ReviewRun, now: number, findings_count: number | undefined): Review {
  return {
    type: run.reviewType,
    run_id: run.id,
    repo: run.repo,
    name: run.name,
    title: run.title,
    ...status(run, now),
    url: run.htmlUrl,
    sha: run.sha,
    branch: run.branch,
    pull_request: run.pullRequests[0],
    findings_count,
  };
}
