import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readStudioConfig, startStudio } from '../backends/studio/index.ts';
import type { Environment } from '../config.ts';

export type Sandbox = {
  /** What the console must know of the sandbox, as the variables it would read. */
  readonly env: Readonly<Record<'STUDIO_UPSTREAM' | 'CONSOLE_STUDIO_IDENTITY_KEY', string>>;
  close(): Promise<void>;
};

/**
 * A whole small platform on loopback for a newcomer and for tests. The studio keeps its chats in `dataDir`; the key it
 * shares with the console is new at every start and is never written down.
 */
export async function startSandbox(options: {
  dataDir: string;
  env: Environment;
  log: Logger;
}): Promise<Sandbox> {
  const CONSOLE_STUDIO_IDENTITY_KEY = randomBytes(32).toString('base64');
  const studio = await startStudio({
    ...readStudioConfig({ ...options.env, CONSOLE_STUDIO_IDENTITY_KEY }),
    listen: { host: '127.0.0.1', port: 0 },
    storeFile: join(options.dataDir, 'sandbox', 'studio.db'),
    // Its start is no news to who asked for a sandbox.
    log: options.log.child({ backend: 'studio' }, { level: quieter(options.log.level) }),
  });
  return { env: { STUDIO_UPSTREAM: studio.url, CONSOLE_STUDIO_IDENTITY_KEY }, close: () => studio.close() };
}

function quieter(level: string): string {
  return level === 'info' ? 'warn' : level;
}
