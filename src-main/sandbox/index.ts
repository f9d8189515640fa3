import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { startStudio } from '../backends/studio/index.ts';
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
  const key = randomBytes(32);
  const { INFERENCE_REMOTE_URL: url, INFERENCE_MODEL: model, INFERENCE_API_KEY: apiKey } = options.env;
  const studio = await startStudio({
    listen: { host: '127.0.0.1', port: 0 },
    identityKey: key,
    storeFile: join(options.dataDir, 'sandbox', 'studio.db'),
    log: options.log,
    ...(url === undefined || url === ''
      ? {}
      : {
          inference: {
            url,
            ...(model === undefined ? {} : { model }),
            ...(apiKey === undefined ? {} : { apiKey }),
          },
        }),
  });
  return {
    env: { STUDIO_UPSTREAM: studio.url, CONSOLE_STUDIO_IDENTITY_KEY: key.toString('base64') },
    close: () => studio.close(),
  };
}
