import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Environment, readConfig } from '../../src-main/config.ts';
import {
  type ConsoleTables,
  consoleMigrations,
  createConsole,
  type OperatorConsole,
} from '../../src-main/console/create-console.ts';
import { openStore } from '../../src-main/store/index.ts';
import { repoRoot } from './repo-root.ts';

export type TestConsole = OperatorConsole & {
  /** `host:port`. */
  readonly host: string;
  /** Moves the console's clock, in ms. */
  advance(ms: number): void;
  /** A Cookie header of a freshly signed-in local operator. */
  cookie(): Promise<string>;
};

/** A console with a store of its own in memory, a clock the test moves, and nothing configured but `env`. */
export async function testConsole(
  env: Environment = {},
  options: { webDir?: string; storeFile?: string } = {},
): Promise<TestConsole> {
  let ahead = 0;
  const config = readConfig({
    CONSOLE_STUDIO_IDENTITY_KEY: randomBytes(32).toString('base64'),
    STUDIO_UPSTREAM: 'http://127.0.0.1:9',
    CONSOLE_LISTEN: '127.0.0.1:0',
    ...env,
  });
  const store = await openStore<ConsoleTables>({
    file: options.storeFile ?? ':memory:',
    migrations: consoleMigrations,
  });
  const running = await createConsole(config, {
    store,
    log: pino({ level: 'silent' }),
    now: () => Date.now() + ahead,
    webDir: options.webDir ?? join(repoRoot, 'test/support/no-such-bundle'),
    version: '0.0.0-test',
    sandbox: false,
    sameSite: 'Lax',
  });
  return {
    ...running,
    host: new URL(running.url).host,
    advance: (ms) => {
      ahead += ms;
    },
    async cookie() {
      const session = await running.startOperatorSession();
      if (session === undefined) throw new Error('the local operator is off in this console');
      return `console_session=${session.token}`;
    },
    async close() {
      await running.close(200);
      await store.destroy();
    },
  };
}
