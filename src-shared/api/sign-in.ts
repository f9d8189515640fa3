import { z } from 'zod';
import { defineRoute } from './route.ts';

/** `GET /api/me`: field names as in CON-028; a value that does not exist is absent. */
export const meAnswer = z.object({
  authed: z.boolean(),
  email: z.string().optional(),
  authRequired: z.boolean(),
  passwordAuth: z.boolean(),
  googleAuth: z.boolean(),
  googleClientId: z.string().optional(),
  recaptchaSiteKey: z.string().optional(),
  voiceTts: z.boolean(),
  voiceStt: z.boolean(),
});
export type Me = z.infer<typeof meAnswer>;

/** One of the caller's sessions. `id` is a handle for revoking, not the cookie's value. */
export const sessionItem = z.object({
  id: z.string(),
  method: z.enum(['password', 'identity-provider', 'link', 'desktop']),
  user_agent: z.string().optional(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  current: z.boolean(),
});
export type SessionItem = z.infer<typeof sessionItem>;

const credential = z.string().min(1).max(16_384);

export const signInRoutes = [
  defineRoute({
    id: 'signIn.me',
    method: 'GET',
    path: '/api/me',
    access: { kind: 'open', identified: true },
    summary: 'Sign-in state and client configuration.',
    answer: meAnswer,
  }),
  defineRoute({
    id: 'signIn.callback',
    method: 'POST',
    path: '/auth/callback',
    access: { kind: 'open' },
    summary: 'Identity-provider credential by form post, with the double-submit token `g_csrf_token`.',
    accepts: ['application/x-www-form-urlencoded'],
    body: z.object({ credential, g_csrf_token: z.string().min(1).max(1024) }),
    answer: 'redirect',
  }),
  defineRoute({
    id: 'signIn.google',
    method: 'POST',
    path: '/auth/google',
    access: { kind: 'open' },
    summary: 'Identity-provider credential by JSON, from the web app.',
    body: z.object({ credential }),
    answer: z.object({ email: z.string() }),
  }),
  defineRoute({
    id: 'signIn.password',
    method: 'POST',
    path: '/auth/password',
    access: { kind: 'open' },
    summary:
      'Username and password; 404 unless CONSOLE_ADMIN_PASSWORD is set. 5 wrong tries a minute per address, 20 per account and 100 over all, then 429.',
    accepts: ['application/json', 'application/x-www-form-urlencoded'],
    body: z.object({ username: z.string().min(1).max(320), password: z.string().min(1).max(1024) }),
    answer: z.object({ email: z.string() }),
  }),
  defineRoute({
    id: 'signIn.link',
    method: 'GET',
    path: '/auth/link',
    access: { kind: 'open' },
    summary: 'Redeems a one-time sign-in link (single use, 10 minutes) and goes to `/`.',
    query: z.object({ token: z.string().min(1).max(256) }),
    answer: 'redirect',
  }),
  defineRoute({
    id: 'signIn.command',
    method: 'GET',
    path: '/api/sign-in-command',
    access: { kind: 'open' },
    summary:
      'The command that prints a new sign-in link, with its data folder: only to a caller on the machine of a console that nobody else reaches.',
    answer: z.object({
      /** Absent to anybody else: it names a folder of the machine. */
      command: z.string().optional(),
    }),
  }),
  defineRoute({
    id: 'signIn.logout',
    method: 'any',
    path: '/auth/logout',
    access: { kind: 'open', identified: true },
    summary: 'Revokes the server-side session and clears the cookie.',
    answer: z.object({ signed_out: z.boolean() }),
  }),
  defineRoute({
    id: 'sessions.list',
    method: 'GET',
    path: '/api/sessions',
    access: { kind: 'own' },
    summary: "The caller's own open sessions, newest first.",
    answer: z.object({ items: z.array(sessionItem) }),
  }),
  defineRoute({
    id: 'sessions.everyone',
    method: 'GET',
    path: '/api/sessions/everyone',
    access: { kind: 'read', allowlist: 'CONSOLE_SESSION_ADMINS' },
    summary: "Everybody's open sessions, last seen first, 500 at most.",
    answer: z.object({
      items: z.array(sessionItem.extend({ email: z.string() })),
      /** False when there are more than were listed. */
      complete: z.boolean(),
    }),
  }),
  defineRoute({
    id: 'sessions.revokeOne',
    method: 'DELETE',
    path: '/api/sessions/{id}',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      ownSubject: true,
      action: 'sessions.revoke',
      target: 'params.id',
    },
    summary: "Ends one session: one's own, or anyone's for session admins.",
    params: z.object({ id: z.string().min(1).max(128) }),
    answer: z.object({ revoked: z.number().int() }),
  }),
  defineRoute({
    id: 'sessions.revokeAll',
    method: 'POST',
    path: '/api/sessions/revoke-all',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      ownSubject: true,
      action: 'sessions.revoke_all',
      target: 'body.subject',
    },
    summary: "Ends every session of a subject: one's own, or anyone's for session admins.",
    body: z.object({
      subject: z
        .string()
        .min(1)
        .max(320)
        .regex(/^\P{Cc}+$/u, 'must be the email of a person'),
    }),
    answer: z.object({ revoked: z.number().int() }),
  }),
] as const;
