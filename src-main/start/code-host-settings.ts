import { ConfigError, readCodeHostConfig } from '../config/index.ts';
import type { Keys, LiveSettings } from '../features/settings/index.ts';
import type { CodeHostSettings } from '../sources/code-host/index.ts';

/**
 * Returns the current settings of the code host. An unusable value written into the settings file by hand
 * leaves the last usable ones in effect; the settings page shows what is wrong with it.
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
