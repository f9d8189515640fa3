import { errorMessage } from '../base/error-message.ts';
import { checkRepeatedly } from '../base/repeated-check.ts';
import { type Config, ConfigError, type Environment, readConfig, variables } from '../config/index.ts';
import {
  createKeys,
  createSettings,
  filled,
  type LiveKeys,
  type LiveSettings,
  readSettingsFile,
  settingsFile,
} from '../features/settings/index.ts';
import type { ConsoleStore } from './console-store.ts';

/** Settings of a start: what is in effect, and what the settings file held. */
export type ResolvedSettings = {
  readonly config: Config;
  readonly inFile: Readonly<Record<string, string>>;
};

/**
 * Resolves the settings, each from the first source that sets it: the environment, the settings file, the
 * default. Throws `ConfigError` naming the variable, and the file if it
 * is set there.
 */
export function resolveSettings(env: Environment): ResolvedSettings {
  const file = settingsFile(readConfig(env).dataDir);
  const inFile = settingsIn(file);
  try {
    return { config: readConfig({ ...inFile, ...filled(env) }), inFile };
  } catch (error) {
    // The environment alone was read before, so it is the file's.
    if (error instanceof ConfigError && Object.keys(inFile).length > 0)
      throw new ConfigError(`In ${file}, ${error.message}`, { cause: error });
    throw error;
  }
}

function settingsIn(file: string): Record<string, string> {
  try {
    return readSettingsFile(file, variables);
  } catch (error) {
    throw new ConfigError(errorMessage(error), { cause: error });
  }
}

/** Keys and settings of a running console. */
export type ConsoleSettings = {
  readonly keys: LiveKeys;
  readonly settings: LiveSettings;
  /** Stops looking for what other consoles changed. */
  close(): void;
};

type Options = {
  readonly env: Environment;
  /** Variables that the sandbox sets now; the same object for as long as they are the same. */
  readonly sandbox: () => Environment;
  readonly resolved: ResolvedSettings;
  readonly opened: Pick<ConsoleStore, 'kept' | 'keychain' | 'status'>;
  readonly log: { warn(fields: object, message: string): void; debug(fields: object, message: string): void };
};

/** Interval at which the store is polled for secrets changed by another console or a command, in ms. */
const refreshEvery = 2000;

/** Keys and settings on an open store: kept secrets are read when it resolves. */
export async function openSettings(options: Options): Promise<ConsoleSettings> {
  const { env, sandbox, resolved, opened, log } = options;
  const keys = createKeys({
    secrets: variables.filter(({ secret }) => secret),
    env,
    sandbox,
    kept: opened.kept,
    addressOf: (name) => settings.valueOf(name),
    log,
  });
  await keys.refresh();
  const settings = createSettings({
    variables,
    env,
    sandbox,
    file: settingsFile(resolved.config.dataDir),
    started: resolved.inFile,
    check: (values) => readConfig({ ...values }),
    keys,
    keychain: opened.keychain,
    destination: opened.kept.destination,
    store: opened.status,
  });
  const stop = watchStore(keys, log);
  return { keys, settings, close: stop };
}

function watchStore(keys: LiveKeys, log: Options['log']): () => void {
  return checkRepeatedly({
    everyMs: refreshEvery,
    check: () => keys.refresh(),
    // The database is away: what was read before stays in use, and the routes tell that it is away.
    failed: (error) => log.debug({ err: error }, 'stored secrets could not be refreshed'),
  });
}
