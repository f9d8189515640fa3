import { z } from 'zod';
import { asciiLowerCase } from '../lower-case.ts';
import { defineRoute } from './route.ts';

const maySetUp = {
  kind: 'write',
  allowlist: 'CONSOLE_SESSION_ADMINS',
  localOperator: true,
  target: 'settings',
} as const;

/** True to keep what was tested once the test has passed; false only tests it. */
const keep = z.boolean();

const email = z
  .string()
  .trim()
  .overwrite(asciiLowerCase)
  .max(320)
  .regex(/^[^\s@,]+@[^\s@,]+$/, 'must be an email address');

export const setUpRoutes = [
  defineRoute({
    id: 'setUp.studio',
    method: 'POST',
    path: '/api/set-up/studio',
    access: { ...maySetUp, action: 'set_up.studio' },
    summary:
      "Tests a studio's address and identity key by a signed request that the studio answers, and keeps them, in effect at once; 422 with the reason.",
    body: z.strictObject({
      /** As STUDIO_UPSTREAM; absent for the one in use. */
      address: z.string().trim().min(1).max(2048).optional(),
      /** As CONSOLE_STUDIO_IDENTITY_KEY; absent for the one in use, which stays with its address. */
      key: z.string().trim().min(1).max(1024).optional(),
      keep,
    }),
    answer: z.object({ took_ms: z.number(), kept: z.boolean() }),
  }),
  defineRoute({
    id: 'setUp.signIn',
    method: 'POST',
    path: '/api/set-up/sign-in',
    access: { ...maySetUp, action: 'set_up.sign_in' },
    summary:
      'Tests sign-in with an OpenID provider by its discovery document and signing keys, and keeps it with who may sign in, in effect at once; 422 with the reason.',
    body: z.strictObject({
      issuer: z.url({ protocol: /^https?$/ }).max(2048),
      client_id: z
        .string()
        .trim()
        .max(512)
        .regex(/^[\x21-\x7e]+$/, 'must be the client id as the provider shows it'),
      /** Who may sign in: nobody else can. */
      allowed_emails: z.array(email).min(1, 'must name somebody who may sign in').max(500),
      keep,
    }),
    answer: z.object({
      /** Number of signing keys that the provider publishes. */
      keys: z.number().int(),
      jwks_url: z.string(),
      kept: z.boolean(),
    }),
  }),
] as const;
