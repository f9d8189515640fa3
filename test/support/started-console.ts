import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../src-main/config/index.ts';
import { type RunningConsole, startConsole } from '../../src-main/start/start-console.ts';
import { throwIfHeld, watchHolds } from './request-holds.ts';

/** A console as `serve` starts it, in this process: its own folder, no keychain, signed in as the window's operator. */
export type StartedConsole = {
  readonly running: RunningConsole;
  readonly folder: string;
  /** The parsed answer and its status, asked as the local operator. */
  api(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Stops it and starts another on the same folder. */
  again(env?: Environment): Promise<StartedConsole>;
  /** Stops it; its folder goes too unless `keep`. */
  close(keep?: boolean): Promise<void>;
};

/** Folders of the tests that this process runs. */
const folders: string[] = [];

/** A folder of a test's own, removed at the end of the run. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  // One listener for all of them: many files share this process.
  if (folders.push(folder) === 1)
    process.on('exit', () => {
      for (const each of folders) rmSync(each, { recursive: true, force: true });
    });
  return folder;
}

/** A store key as a person would make it. */
export function newStoreKey(): string {
  return randomBytes(32).toString('base64');
}

/** Starts a console with a new store key in its environment unless `env` says otherwise. */
export async function startedConsole(
  env: Environment = {},
  { folder = newFolder(), sandbox = false }: { folder?: string; sandbox?: boolean } = {},
): Promise<StartedConsole> {
  const environment = {
    CONSOLE_DATA_DIR: folder,
    CONSOLE_KEYCHAIN: 'off',
    CONSOLE_LOG_LEVEL: 'silent',
    CONSOLE_STORE_KEY: newStoreKey(),
    ...env,
  };
  watchHolds();
  const running = await startConsole({ env: environment, sandbox });
  const session = await running.startOperatorSession();
  return {
    running,
    folder,
    async api(method, path, body) {
      const answer = await fetch(`${running.url}${path}`, {
        method,
        headers: {
          ...(session === undefined ? {} : { cookie: `console_session=${session.token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: await answer.json() };
    },
    async again(other = {}) {
      await running.close();
      return startedConsole({ ...environment, ...other }, { folder, sandbox });
    },
    async close(keep = false) {
      await running.close();
      if (!keep) rmSync(folder, { recursive: true, force: true });
      throwIfHeld();
    },
  };
}
