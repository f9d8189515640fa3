import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { z } from 'zod';
import { type Config, ConfigError, type Environment, readConfig } from './config.ts';
import {
  type ConsoleTables,
  consoleMigrations,
  createConsole,
  type OperatorConsole,
} from './console/create-console.ts';
import { createSignInLinks, type SameSite, signInAddress } from './features/sign-in/index.ts';
import { writePrivateFile } from './private-file.ts';
import { startSandbox } from './sandbox/index.ts';
import { openStore } from './store/index.ts';

export type StartOptions = {
  readonly env: Environment;
  /** Start the sandbox platform and attach to it. */
  readonly sandbox: boolean;
  /** Of the session cookie; `Strict` for the desktop window. */
  readonly sameSite?: SameSite;
};

export type RunningConsole = Omit<OperatorConsole, 'close'> & { close(): Promise<void> };

/** Starts a console with everything it owns: the store, and the sandbox where asked. Both ways in call this. */
export async function startConsole({
  env,
  sandbox,
  sameSite = 'Lax',
}: StartOptions): Promise<RunningConsole> {
  const asked = readConfig(env);
  const log = pino({ level: asked.logLevel }, pino.destination({ dest: 2, sync: true }));
  const platform = sandbox ? await startSandbox({ dataDir: asked.dataDir, env, log }) : undefined;
  try {
    const config = platform === undefined ? asked : readConfig({ ...env, ...platform.env });
    const store = await openStore<ConsoleTables>({ file: storeFile(config), migrations: consoleMigrations });
    const running = await createConsole(config, {
      store,
      log,
      now: Date.now,
      webDir: config.webDir ?? join(projectRoot(), 'out', 'renderer'),
      version: version(),
      sandbox,
      sameSite,
    });
    const place = runningFile(config);
    writePrivateFile(place, { origin: running.browserOrigin, pid: process.pid });
    return {
      ...running,
      async close() {
        // Another console may have taken the folder over meanwhile: its note is not ours to remove.
        if (readRunning(place)?.pid === process.pid) rmSync(place);
        // Together: an answer that streams through the console ends when the studio lets it end.
        await Promise.all([running.close(), platform?.close()]);
        await store.destroy();
      },
    };
  } catch (error) {
    await platform?.close();
    throw error;
  }
}

/**
 * A one-time sign-in link for the console that runs on this machine with the same data folder: whoever may write its
 * store may sign in to it. Throws when none runs there, or its local operator is off.
 */
export async function newSignInLink(env: Environment): Promise<string> {
  const config = readConfig(env);
  if (!config.localOperator)
    throw new ConfigError('CONSOLE_LOCAL_OPERATOR is off: there are no sign-in links.');
  const running = readRunning(runningFile(config));
  if (running === undefined) {
    throw new Error(
      `No console runs with the data folder ${config.dataDir}: start one, or name its folder with --data-dir.`,
    );
  }
  const store = await openStore<ConsoleTables>({ file: storeFile(config), migrations: consoleMigrations });
  try {
    return signInAddress(running.origin, await createSignInLinks(store, Date.now).create());
  } finally {
    await store.destroy();
  }
}

const runningSchema = z.object({ origin: z.url(), pid: z.number().int().positive() });

/** The console that says it runs in this folder, or undefined: none, a note that cannot be read, or one left by a crash. */
function readRunning(file: string): z.infer<typeof runningSchema> | undefined {
  try {
    const running = runningSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    process.kill(running.pid, 0);
    return running;
  } catch {
    return undefined;
  }
}

function runningFile(config: Config): string {
  return join(config.dataDir, 'running.json');
}

function storeFile(config: Config): string {
  return join(config.dataDir, 'console.db');
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
