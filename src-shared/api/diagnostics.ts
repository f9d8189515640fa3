import { z } from 'zod';
import { defineRoute } from './route.ts';
import { keyItem, settingItem, settingsAnswer } from './settings.ts';
import { target } from './targets.ts';

/** The diagnostics a person sends with a question: never a key, a token or a kubeconfig. */
export const diagnosticsAnswer = z.object({
  version: z.string(),
  program: z.enum(['desktop', 'headless']),
  read_at: z.iso.datetime(),
  started_at: z.iso.datetime(),
  platform: z.object({
    /** Node's name of the system, such as `linux`, and its release. */
    system: z.string(),
    release: z.string(),
    arch: z.string(),
    node: z.string(),
    electron: z.string().optional(),
  }),
  /** True when the platform behind is the sandbox this program started. */
  sandbox: z.boolean(),
  store: settingsAnswer.shape.store.pick({ kind: true, encrypted: true, key_source: true }),
  /** Values with whatever has the form of a secret removed; lists of people by their size only. */
  settings: z.array(settingItem.pick({ name: true, value: true, size: true, source: true })),
  /** Secrets: set or not set, and where. */
  keys: z.array(keyItem.pick({ name: true, set: true, source: true })),
  targets: z.array(target.pick({ kind: true, name: true, state: true, version: true })),
  log: z.object({
    /** The newest log file. */
    file: z.string(),
    /** The newest warnings and errors of the log, oldest first. */
    errors: z.array(z.string()),
  }),
});
export type Diagnostics = z.infer<typeof diagnosticsAnswer>;

export const diagnosticsRoutes = [
  defineRoute({
    id: 'diagnostics.read',
    method: 'GET',
    path: '/api/diagnostics',
    access: { kind: 'read', allowlist: 'CONSOLE_SESSION_ADMINS', localOperator: true },
    summary:
      'Versions, platform, settings, targets and the last errors, without secrets, to hand over with a question.',
    answer: diagnosticsAnswer,
  }),
] as const;
