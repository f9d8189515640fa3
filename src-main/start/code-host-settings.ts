import { ConfigError, readCodeHostConfig } from '../config/index.ts';
import type { Keys, LiveSettings } from '../features/settings/index.ts';
import type { CodeHostSettings } from '../sources/code-host/index.ts';

/**
 * How the code host is reached by now. A value that somebody wrote into the settings file by hand and that cannot be used
 * leaves the last usable ones in effect; the settings page tells what is wrong with it.
 */
export function liveCodeHostSettings(settings: LiveSettings, keys: Keys): () => CodeHostSettings {
  let usable = readCodeHostConfig(settings.valueOf);
  return () => {
    try {
      usable = readCodeHostConfig(settings.valueOf);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
    return { ...usable, privateKey: keys.value('CONSOLE_GITHUB_PRIVATE_KEY') };
  };
}
