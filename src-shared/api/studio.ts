import { z } from 'zod';
import { defineRoute } from './route.ts';

const appStatus = z.object({
  open_jobs: z.number().int(),
  has_brief: z.boolean(),
  default_branch: z.string(),
  verification: z.string(),
  last_run_found: z.boolean(),
  last_run_status: z.enum(['pending', 'success', 'failure', 'error']).optional(),
  last_run_url: z.string().optional(),
  last_run_sha: z.string().optional(),
  last_run_description: z.string().optional(),
  state: z.enum(['working', 'building', 'live', 'failed', 'idle']),
  state_detail: z.string(),
  source: z.string(),
  read_at: z.iso.datetime(),
  cached: z.boolean(),
  reads: z.record(z.string(), z.string()),
});

/** `GET /api/studio` (CON-010 to CON-027). */
export const studioListAnswer = z.object({
  apps: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      html_url: z.string(),
      updated_at: z.iso.datetime(),
      kind: z.enum(['web', 'pipeline']),
      status: appStatus.optional(),
    }),
  ),
  org: z.string(),
  source: z.string(),
  complete: z.boolean(),
  unmeasured: z.array(z.string()),
  statusComplete: z.boolean(),
});
export type StudioList = z.infer<typeof studioListAnswer>;

export const studioRoutes = [
  defineRoute({
    id: 'studio.list',
    method: 'GET',
    path: '/api/studio',
    access: { kind: 'read' },
    summary: "The studio's apps with their live state, most recently updated first.",
    answer: studioListAnswer,
    methodNotAllowedText:
      'The console no longer files briefs: open the studio and send the brief there. GET lists the studio apps.',
  }),
] as const;
