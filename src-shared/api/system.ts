import { z } from 'zod';
import { defineRoute } from './route.ts';

/** `GET /api/platform`: what this console is attached to. */
export const platformAnswer = z.object({
  version: z.string(),
  /** True when the platform is the sandbox this console started itself. */
  sandbox: z.boolean(),
  studio: z.object({
    /** `ready`: answered. `key_missing`: the identity key does not resolve. `unreachable`: no answer. */
    state: z.enum(['ready', 'key_missing', 'unreachable']),
    upstream: z.string(),
    /** Reason it is not ready and what to do, in one sentence. */
    detail: z.string().optional(),
    took_ms: z.number().optional(),
  }),
  source: z.string(),
  complete: z.boolean(),
  read_at: z.iso.datetime(),
  unmeasured: z.array(z.string()),
});
export type Platform = z.infer<typeof platformAnswer>;

export const systemRoutes = [
  defineRoute({
    id: 'system.healthz',
    method: 'GET',
    path: '/healthz',
    access: { kind: 'open' },
    summary: 'Liveness: answers `ok`.',
    answer: 'text',
  }),
  defineRoute({
    id: 'system.openapi',
    method: 'GET',
    path: '/api/openapi.json',
    access: { kind: 'read' },
    summary: 'This route table as an OpenAPI 3.1 document.',
    answer: z.record(z.string(), z.unknown()),
  }),
  defineRoute({
    id: 'system.platform',
    method: 'GET',
    path: '/api/platform',
    access: { kind: 'read' },
    summary: 'Version, sandbox flag and whether the studio answers.',
    answer: platformAnswer,
  }),
] as const;
