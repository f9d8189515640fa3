import { z } from 'zod';
import { readingFields, repositoryName, webLink } from './reading.ts';
import { defineRoute } from './route.ts';
import { targetId } from './targets.ts';

/**
 * The state of a run. `waiting`: for a person; `failure` includes a run that could not start or timed out.
 */
export const runState = z.enum([
  'queued',
  'waiting',
  'running',
  'success',
  'failure',
  'cancelled',
  'skipped',
]);
export type RunState = z.infer<typeof runState>;

/** `workflow`: on the code host; `job`: of a CronJob; `app-agent`: last reported by an app; `session`: of an agent session. */
export const runKind = z.enum(['workflow', 'job', 'app-agent', 'session']);
export type RunKind = z.infer<typeof runKind>;

/**
 * The purpose of a workflow, by its file name (docs/code-host.md): `review-<type>.yml`,
 * `governance-<name>.yml`, `agent-<name>.yml`.
 */
export const runFamily = z.enum(['review', 'governance', 'agent', 'other']);
export type RunFamily = z.infer<typeof runFamily>;

/** Workflows in a list of agent runs: those of agents (`family`) by default, `other` the rest, `all` both. */
export const workflowChoice = z.enum(['other', 'all']);
export type WorkflowChoice = z.infer<typeof workflowChoice>;

export const run = z.object({
  /** Unique in the list, such as `workflow:harbour:8123`. */
  id: z.string(),
  kind: runKind,
  family: runFamily.optional(),
  repo: z.string().optional(),
  name: z.string(),
  /** Subject of the run, such as the title of its pull request or commit. */
  title: z.string().optional(),
  state: runState,
  /** Reason for the state where the state alone does not say it, such as `ran out of time`. */
  detail: z.string().optional(),
  started: z.iso.datetime(),
  /** Until its end, or until now while it runs; absent for what has not begun. */
  took_seconds: z.number().nonnegative().optional(),
  url: webLink.optional(),
  /** The code host's number of it; what `/api/agent-runs/logs` takes. Workflow runs only. */
  run_id: z.number().int().optional(),
  attempt: z.number().int().optional(),
  /** Event that started it, such as `pull_request`, `push` or `schedule`. */
  event: z.string().optional(),
  branch: z.string().optional(),
  sha: z.string().optional(),
  actor: z.string().optional(),
  pull_request: z.number().int().optional(),
});
export type Run = z.infer<typeof run>;

export const severity = z.enum(['error', 'warning', 'note']);
export type Severity = z.infer<typeof severity>;

/** One finding of a review: an annotation its check left on the code host. */
export const finding = z.object({
  path: z.string(),
  line: z.number().int().optional(),
  end_line: z.number().int().optional(),
  severity,
  title: z.string(),
  body: z.string(),
  /** Link to the line at the reviewed commit. */
  url: webLink.optional(),
});
export type Finding = z.infer<typeof finding>;

export const review = z.object({
  type: z.string(),
  run_id: z.number().int(),
  repo: z.string(),
  name: z.string(),
  title: z.string().optional(),
  state: runState,
  detail: z.string().optional(),
  started: z.iso.datetime(),
  took_seconds: z.number().nonnegative().optional(),
  url: webLink,
  sha: z.string(),
  branch: z.string().optional(),
  pull_request: z.number().int().optional(),
  /** Absent while it runs, and when it was not read. */
  findings_count: z.number().int().optional(),
});
export type Review = z.infer<typeof review>;

/** A comment by an agent or a person on the reviewed change at the code host. */
export const reviewComment = z.object({
  kind: z.enum(['verdict', 'comment']),
  author: z.string(),
  /** True for an App's or another bot's. */
  agent: z.boolean(),
  /** Verdict: `approved`, `changes_requested`, `commented` or `dismissed`. */
  verdict: z.string().optional(),
  path: z.string().optional(),
  line: z.number().int().optional(),
  body: z.string(),
  url: webLink,
  at: z.iso.datetime(),
});
export type ReviewComment = z.infer<typeof reviewComment>;

const reviewParams = z.object({
  type: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be a review type'),
  runId: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the number of a run')
    .transform(Number),
});
/** Says where to look for the run; without it the repositories whose runs are read are looked through. */
const inRepo = z.object({ repo: repositoryName.optional() });

const reviewRead = z.object({
  review: review.optional(),
  findings: z.array(finding),
  /** Names of the checks whose findings were read; absent when they were not. */
  checks: z.array(z.string()).optional(),
  ...readingFields,
});

export const runRoutes = [
  defineRoute({
    id: 'runs.list',
    method: 'GET',
    path: '/api/runs',
    access: { kind: 'read' },
    summary:
      'Every agent run across kinds, newest first: workflow runs, scheduled jobs, app agents, sessions.',
    query: z.object({
      kind: runKind.optional(),
      /** Other workflows than those of agents are listed only where this says so. */
      workflows: workflowChoice.optional(),
      repo: repositoryName.optional(),
      state: runState.optional(),
      /** Started at or after. */
      since: z.iso.datetime({ offset: true }).optional(),
      /** Words that are all in the name, title, repository, branch or actor. */
      q: z.string().max(200).optional(),
      limit: z
        .string()
        .regex(/^\d{1,4}$/)
        .transform(Number)
        .pipe(z.number().min(1).max(1000))
        .optional(),
      cursor: z.string().max(300).optional(),
      /** Target whose Jobs are listed. */
      target: targetId.optional(),
    }),
    answer: z.object({
      items: z.array(run),
      next_cursor: z.string().optional(),
      /** Number of runs per state, over all that pass the other filters, before paging. */
      counts: z.partialRecord(runState, z.number().int()),
      /** Repositories that can be filtered by. */
      repos: z.array(z.string()),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'runs.agentRuns',
    method: 'GET',
    path: '/api/agent-runs',
    access: { kind: 'read' },
    summary: 'Agent runs that pull requests started, per repository.',
    query: inRepo.extend({ workflows: workflowChoice.optional() }),
    answer: z.object({
      items: z.array(z.object({ repo: z.string(), url: webLink, runs: z.array(run) })),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'runs.logs',
    method: 'GET',
    path: '/api/agent-runs/logs',
    access: { kind: 'read' },
    summary:
      "One run's log archive as text, 50 MB of it at most; what is wrong with an archive is told in its last line. While the code host is away the answer is JSON: source, complete, read_at, unmeasured.",
    query: z.object({
      repo: repositoryName,
      run_id: z
        .string()
        .regex(/^\d{1,15}$/, 'must be the number of a run')
        .transform(Number),
    }),
    answer: 'stream',
  }),
  defineRoute({
    id: 'runs.governance',
    method: 'GET',
    path: '/api/governance-runs',
    access: { kind: 'read' },
    summary: 'Run history of the governance-family agents, newest first.',
    query: inRepo,
    answer: z.object({ items: z.array(run), ...readingFields }),
  }),
  defineRoute({
    id: 'reviews.list',
    method: 'GET',
    path: '/api/reviews',
    access: { kind: 'read' },
    summary: 'Running and past reviews, newest first, with the latest findings of each review type.',
    query: inRepo,
    answer: z.object({
      items: z.array(review),
      /** The newest finished review for each type and repository, with its findings. */
      latest: z.array(
        z.object({
          type: z.string(),
          repo: z.string(),
          run_id: z.number().int(),
          findings: z.array(finding),
        }),
      ),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'reviews.one',
    method: 'GET',
    path: '/api/reviews/{type}/{runId}',
    access: { kind: 'read' },
    summary: "One review run's findings. 404 when it is not among the runs that could be read.",
    params: reviewParams,
    query: inRepo,
    answer: reviewRead,
  }),
  defineRoute({
    id: 'reviews.detail',
    method: 'GET',
    path: '/api/reviews/{type}/{runId}/detail',
    access: { kind: 'read' },
    summary: "One review run's findings, and what was posted about the change on the code host.",
    params: reviewParams,
    query: inRepo,
    answer: reviewRead.extend({ comments: z.array(reviewComment) }),
  }),
] as const;
