import { z } from 'zod';
import { defineRoute } from './route.ts';

/** The demo platform of this console: whether it runs, and whether it can be started. */
export const sandboxAnswer = z.object({
  state: z.enum(['off', 'starting', 'on', 'stopping']),
  /** Reason it cannot be started here and what to do instead; absent when it can be, or runs. */
  why_not: z.string().optional(),
});
export type SandboxState = z.infer<typeof sandboxAnswer>;

const mayStart = {
  kind: 'write',
  allowlist: 'CONSOLE_SESSION_ADMINS',
  localOperator: true,
  firstSteps: true,
  target: 'sandbox',
} as const;

export const sandboxRoutes = [
  defineRoute({
    id: 'sandbox.read',
    method: 'GET',
    path: '/api/sandbox',
    access: { kind: 'read' },
    summary: 'Whether the sandbox platform runs on this console, and whether it can be started.',
    answer: sandboxAnswer,
  }),
  defineRoute({
    id: 'sandbox.start',
    method: 'POST',
    path: '/api/sandbox',
    access: { ...mayStart, action: 'sandbox.start' },
    summary:
      'Starts the sandbox platform and attaches to it, without a restart; answers once it runs. 409 where a studio is attached.',
    answer: sandboxAnswer,
  }),
  defineRoute({
    id: 'sandbox.stop',
    method: 'DELETE',
    path: '/api/sandbox',
    access: { ...mayStart, action: 'sandbox.stop' },
    summary: 'Stops the sandbox platform: what it and its agents reported is gone with it.',
    answer: sandboxAnswer,
  }),
] as const;
