import { z } from 'zod';
import { sandboxData } from '#shared/sandbox-data.ts';

/** What the sandbox's process tells the console's. */
export const fromSandbox = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started'), env: z.record(z.string(), z.string()), data: sandboxData }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  /** A line of its log, as pino writes it. */
  z.object({ kind: z.literal('log'), line: z.string() }),
]);

export type FromSandbox = z.infer<typeof fromSandbox>;

/** What the console's process tells the sandbox's: all of its options that are data, once, where to report, and then to close. */
export const toSandbox = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    config: z.object({
      dataDir: z.string(),
      kubeconfig: z.array(z.string()),
      adminEmail: z.string(),
      codeHost: z.object({ appId: z.string().optional() }),
      allowlists: z.object({ CONSOLE_SESSION_ADMINS: z.array(z.string()).optional() }),
      voice: z.object({ tts: z.boolean().optional(), stt: z.boolean().optional() }),
    }),
    env: z.record(z.string(), z.string().optional()),
    admin: z.boolean(),
    level: z.string(),
  }),
  /** Report to the console that listens there. */
  z.object({ kind: z.literal('report'), consoleUrl: z.url() }),
  z.object({ kind: z.literal('close') }),
]);

export type ToSandbox = z.infer<typeof toSandbox>;
