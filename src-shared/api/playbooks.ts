import { z } from 'zod';
import { defineRoute } from './route.ts';

const name = z.string().trim().min(1).max(200);

/** Largest JSON of an event's data and of a step's result, in characters. */
const largestPlaybookData = 32_000;

/** An object of JSON that is not too large to keep with a run. */
const data = z
  .record(z.string().min(1).max(200), z.json())
  .refine(
    (value) => JSON.stringify(value).length <= largestPlaybookData,
    `has more than ${largestPlaybookData} characters as JSON`,
  );

export const playbookRoutes = [
  defineRoute({
    id: 'playbooks.event',
    method: 'POST',
    path: '/api/playbook-events',
    access: { kind: 'agent' },
    summary:
      "Takes an event that may start playbooks, idempotent by the App's own event id: one that comes twice starts once.",
    body: z.strictObject({
      /** The App's own id of the event. */
      id: name,
      /** Such as `run.failed`; playbooks name the types that start them. */
      type: z
        .string()
        .max(100)
        .regex(/^[a-z0-9]+([._-][a-z0-9]+)*$/, 'must be lower case words joined by . _ or -'),
      data: data.default({}),
    }),
    answer: z.object({
      /** False for an event that was taken before. */
      created: z.boolean(),
      /** Runs that it started, of this time or the first. */
      runs: z.array(z.object({ playbook: z.string(), run_id: z.string() })),
    }),
  }),
  defineRoute({
    id: 'playbooks.stepReport',
    method: 'POST',
    path: '/api/playbook-runs/step-report',
    access: { kind: 'agent' },
    summary:
      "Takes a dispatched agent's report on its step, idempotent by run, step and attempt; the first report of an outcome counts.",
    body: z.strictObject({
      run_id: name,
      step: name,
      attempt: z.number().int().min(1).max(1000),
      state: z.enum(['running', 'done', 'failed']),
      /** One sentence of the agent's own. */
      summary: z.string().max(2000).optional(),
      result: data.optional(),
    }),
    answer: z.object({
      run_id: z.string(),
      step: z.string(),
      attempt: z.number().int(),
      state: z.enum(['running', 'done', 'failed']),
      /** False for a report that was taken before. */
      created: z.boolean(),
    }),
  }),
] as const;
