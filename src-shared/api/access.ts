import { z } from 'zod';
import { asciiLowerCase } from '../lower-case.ts';
import { defineRoute } from './route.ts';

/** One allowlist, without the names on it: the caller learns only of themselves. */
export const allowlistItem = z.object({
  name: z.string(),
  configured: z.boolean(),
  /** Number of people on the list; absent when it is not configured. */
  size: z.number().int().optional(),
  /** Source of the list; absent when it is not set. */
  source: z.enum(['env', 'settings', 'store', 'sandbox']).optional(),
  rule_when_unset: z.enum(['everyone admitted', 'nobody']),
  /** Whether the caller may do what it guards. */
  member: z.boolean(),
  /** Short description of the actions it guards. */
  guards: z.string(),
});
export type AllowlistItem = z.infer<typeof allowlistItem>;

export const sessionAdminsAnswer = z.object({
  /** Their names, for session admins and the person at the desktop window; empty for everybody else. */
  admins: z.array(z.string()),
  /** Number of session admins, whoever asks. */
  size: z.number().int(),
  /** `env` when CONSOLE_SESSION_ADMINS names them (there they are changed, too), else `store`. */
  source: z.enum(['env', 'store']),
  you: z.boolean(),
  /**
   * True when the caller may name the first ones: nobody is named, and they are at the desktop window or signed in by
   * the local operator's link.
   */
  may_name_first: z.boolean(),
  /** Version of the stored list; a PUT that sends it back overwrites no one else's change. */
  revision: z.number().int(),
});
export type SessionAdmins = z.infer<typeof sessionAdminsAnswer>;

const email = z
  .string()
  .trim()
  .overwrite(asciiLowerCase)
  .max(320)
  .regex(/^[^\s@,]+@[^\s@,]+$/, 'must be an email address');

export const accessRoutes = [
  defineRoute({
    id: 'access.list',
    method: 'GET',
    path: '/api/access',
    access: { kind: 'read' },
    summary:
      "Every allowlist: whether it is set, its size, its rule when unset, and the caller's own membership.",
    answer: z.object({ items: z.array(allowlistItem) }),
  }),
  defineRoute({
    id: 'access.sessionAdmins',
    method: 'GET',
    path: '/api/session-admins',
    access: { kind: 'read' },
    summary:
      "Who may read the audit trail and end other people's sessions: names for session admins, their number for others.",
    answer: sessionAdminsAnswer,
  }),
  defineRoute({
    id: 'access.setSessionAdmins',
    method: 'PUT',
    path: '/api/session-admins',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      localOperator: true,
      firstSteps: true,
      action: 'session_admins.set',
      target: 'session-admins',
    },
    summary: 'Sets the session admins, unless the environment names them; the last one cannot be removed.',
    body: z.object({
      admins: z.array(email).max(500),
      /**
       * Revision of the list this change was based on: 409 when another change came between. Without it the
       * list is set unconditionally.
       */
      revision: z.number().int().optional(),
    }),
    answer: sessionAdminsAnswer,
  }),
] as const;
