import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readStudioConfig, startStudio } from '../backends/studio/index.ts';
import type { Config, Environment } from '../config.ts';

export type Sandbox = {
  /** What the console must know of the sandbox, as the variables it would read. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

/**
 * A whole small platform on loopback for a newcomer and for tests. The studio keeps its chats in the data folder; the
 * key it shares with the console is new at every start and is never written down. The local operator is a session
 * admin unless the environment names others, so that a newcomer sees every page.
 */
export async function startSandbox(options: {
  config: Config;
  env: Environment;
  log: Logger;
}): Promise<Sandbox> {
  const { config, env, log } = options;
  const CONSOLE_STUDIO_IDENTITY_KEY = randomBytes(32).toString('base64');
  const studio = await startStudio({
    ...readStudioConfig({ ...env, CONSOLE_STUDIO_IDENTITY_KEY }),
    listen: { host: '127.0.0.1', port: 0 },
    storeFile: join(config.dataDir, 'sandbox', 'studio.db'),
    // Its start is no news to who asked for a sandbox.
    log: log.child({ backend: 'studio' }, { level: quieter(log.level) }),
  });
  const admins = config.allowlists.CONSOLE_SESSION_ADMINS;
  return {
    env: {
      STUDIO_UPSTREAM: studio.url,
      CONSOLE_STUDIO_IDENTITY_KEY,
      ...(admins === undefined ? { CONSOLE_SESSION_ADMINS: config.adminEmail } : {}),
    },
    close: () => studio.close(),
  };
}

function quieter(level: string): string {
  return level === 'info' ? 'warn' : level;
}
