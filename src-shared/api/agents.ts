import { z } from 'zod';
import { defineRoute } from './route.ts';

const name = z.string().trim().min(1).max(200);
const time = z.iso.datetime({ offset: true });

/** One agent's health as its app rolled it up. */
export const agentHealth = z.object({
  agent: name,
  state: z.enum(['healthy', 'degraded', 'failing', 'idle']),
  /** One sentence of the app's own. */
  detail: z.string().max(2000).optional(),
  last_run_at: time.optional(),
  runs_succeeded: z.number().int().nonnegative().optional(),
  runs_failed: z.number().int().nonnegative().optional(),
});
export type AgentHealth = z.infer<typeof agentHealth>;

/** One run of an agent's session. */
export const sessionRun = z.object({
  run_id: name,
  agent: name,
  repo: name.optional(),
  state: z.enum(['running', 'success', 'failure', 'cancelled']),
  started_at: time,
  ended_at: time.optional(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  summary: z.string().max(4000).optional(),
});
export type SessionRun = z.infer<typeof sessionRun>;

/** A command in a person's own queue, for the agent session that works for them. */
export const sessionCommand = z.object({
  id: z.string(),
  command: z.string(),
  state: z.enum(['queued', 'claimed', 'done', 'failed']),
  queued_at: z.iso.datetime(),
  claimed_at: z.iso.datetime().optional(),
  finished_at: z.iso.datetime().optional(),
  output: z.string().optional(),
});
export type SessionCommand = z.infer<typeof sessionCommand>;

const enqueue = z.object({ command: z.string().trim().min(1).max(8000) });

export const agentRoutes = [
  defineRoute({
    id: 'agents.reportHealth',
    method: 'POST',
    path: '/api/agent-health',
    access: { kind: 'machine', token: 'CONSOLE_HEALTH_INGEST_TOKEN' },
    summary: "Takes an app's rolled-up agent health; the last report of each app and agent counts.",
    body: z.object({ app: name, agents: z.array(agentHealth).min(1).max(200) }),
    answer: z.object({ accepted: z.number().int() }),
  }),
  defineRoute({
    id: 'agents.reportSessionRun',
    method: 'POST',
    path: '/api/session-runs',
    access: { kind: 'agent' },
    summary: 'Takes a session run report, idempotent by run id; a run that has ended stays as it ended.',
    body: sessionRun,
    answer: z.object({ run_id: z.string(), state: sessionRun.shape.state, created: z.boolean() }),
  }),
  defineRoute({
    id: 'sessionCommands.enqueue',
    method: 'POST',
    path: '/api/session-commands',
    access: { kind: 'own' },
    summary: "Puts a command into the caller's own queue.",
    body: enqueue,
    answer: sessionCommand,
  }),
  defineRoute({
    id: 'sessionCommands.claim',
    method: 'GET',
    path: '/api/session-commands',
    access: { kind: 'own' },
    summary: "Claims at most one command of the caller's queue, waiting for one up to `wait` seconds.",
    query: z.object({
      wait: z
        .string()
        .regex(/^\d{1,2}$/, 'must be whole seconds')
        .transform(Number)
        .pipe(z.number().max(25))
        .optional(),
    }),
    answer: z.object({ command: sessionCommand.optional() }),
  }),
  defineRoute({
    id: 'sessionCommands.finish',
    method: 'POST',
    path: '/api/session-commands/{id}/result',
    access: { kind: 'own' },
    summary: 'Takes the result of a claimed command, once.',
    params: z.object({ id: z.string().min(1).max(64) }),
    body: z.object({ status: z.enum(['done', 'failed']), output: z.string().max(100_000) }),
    answer: sessionCommand,
  }),
  defineRoute({
    id: 'sessionCommands.queue',
    method: 'GET',
    path: '/api/session-queue',
    access: { kind: 'own' },
    summary: "The caller's queue, newest first: what waits, what runs and the last results.",
    answer: z.object({ items: z.array(sessionCommand) }),
  }),
  defineRoute({
    id: 'sessionCommands.enqueueHere',
    method: 'POST',
    path: '/api/session-queue',
    access: { kind: 'own' },
    summary: "Puts a command into the caller's queue from the browser.",
    body: enqueue,
    answer: sessionCommand,
  }),
] as const;
