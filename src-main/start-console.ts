import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { type Environment, readConfig } from './config.ts';
import {
  type ConsoleTables,
  consoleMigrations,
  createConsole,
  type OperatorConsole,
} from './console/create-console.ts';
import { startSandbox } from './sandbox/index.ts';
import { openStore } from './store/index.ts';

export type StartOptions = {
  readonly env: Environment;
  /** Start the sandbox platform and attach to it. */
  readonly sandbox: boolean;
};

export type RunningConsole = Omit<OperatorConsole, 'close'> & { close(): Promise<void> };

/** Starts a console with everything it owns: the store, and the sandbox where asked. Both ways in call this. */
export async function startConsole({ env, sandbox }: StartOptions): Promise<RunningConsole> {
  const asked = readConfig(env);
  const log = pino({ level: asked.logLevel }, pino.destination({ dest: 2, sync: true }));
  const platform = sandbox ? await startSandbox({ dataDir: asked.dataDir, env, log }) : undefined;
  try {
    const config = platform === undefined ? asked : readConfig({ ...env, ...platform.env });
    const store = await openStore<ConsoleTables>({
      file: join(config.dataDir, 'console.db'),
      migrations: consoleMigrations,
    });
    const running = await createConsole(config, {
      store,
      log,
      now: Date.now,
      webDir: config.webDir ?? join(projectRoot(), 'out', 'renderer'),
      version: version(),
      sandbox,
    });
    return {
      ...running,
      async close() {
        await running.close();
        await platform?.close();
        await store.destroy();
      },
    };
  } catch (error) {
    await platform?.close();
    throw error;
  }
}

/** The folder of package.json: above this file in the source tree, in the build and in the packaged app alike. */
export function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}

/** The program's version, from package.json. */
export function version(): string {
  return z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8'))).version;
}
