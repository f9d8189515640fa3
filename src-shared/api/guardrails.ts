import { z } from 'zod';
import { defineRoute } from './route.ts';

/** Classes of acts that the platform may do by itself, as far as the guardrails let it. */
export const actClass = z.enum([
  'reports',
  'agents',
  'workloads',
  'data_sources',
  'credentials',
  'deletion',
  'access',
  'oversight',
]);
export type ActClass = z.infer<typeof actClass>;

/** `off`: only people act; `ask`: a person approves each act; `auto`: the platform acts by itself. Strictest first. */
export const autonomy = z.enum(['off', 'ask', 'auto']);
export type Autonomy = z.infer<typeof autonomy>;

export const guardrails = z.object({
  classes: z.array(
    z.object({
      class: actClass,
      /** Acts of this class, in a few words. */
      acts: z.string(),
      autonomy,
      /** The most autonomy that a hard guardrail leaves; `auto` where none limits it. */
      most: autonomy,
    }),
  ),
  /** Limits that nobody can loosen. */
  hard: z.array(z.object({ class: actClass, most: autonomy, sentence: z.string() })),
  /** Version of the stored choice; a PUT names the one it was based on. */
  revision: z.number().int().nonnegative(),
  /** Time of the last change; absent while nothing was changed. */
  changed_at: z.iso.datetime().optional(),
});
export type Guardrails = z.infer<typeof guardrails>;

export const guardrailRoutes = [
  defineRoute({
    id: 'guardrails.read',
    method: 'GET',
    path: '/api/guardrails',
    access: { kind: 'read' },
    summary: 'Autonomy of each class of acts, and the hard guardrails that limit it.',
    answer: guardrails,
  }),
  defineRoute({
    id: 'guardrails.set',
    method: 'PUT',
    path: '/api/guardrails',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      action: 'guardrails.set',
      target: 'guardrails',
    },
    summary:
      'Sets the autonomy of the classes it names. 409 for another revision than the stored one, 422 for more than a hard guardrail allows.',
    body: z.strictObject({
      revision: z.number().int().nonnegative().max(2_000_000_000),
      autonomy: z.partialRecord(actClass, autonomy),
    }),
    answer: guardrails,
  }),
] as const;
