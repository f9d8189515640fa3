import { join } from 'node:path';
import { app } from 'electron';
import { makeFolderSync } from '../base/make-folder.ts';
import type { Environment } from '../config/index.ts';

/** The folders of the program's data. */
export type DataFolder = {
  /** The console's: its store. */
  readonly console: string;
  /** Electron's and the window's. */
  readonly window: string;
};

/**
 * Takes the data folder from CONSOLE_DATA_DIR, else the system's place for the program. Electron's own files go below
 * it, single instance lock included: two data folders are two programs, one data folder is one. Call before `ready`.
 */
export function useDataFolder(env: Environment): DataFolder {
  const configured = env.CONSOLE_DATA_DIR?.trim();
  const folder = configured === undefined || configured === '' ? app.getPath('userData') : configured;
  const window = join(folder, 'window');
  // Sessions and chats are the person's own.
  makeFolderSync(window);
  app.setPath('userData', window);
  return { console: folder, window };
}
