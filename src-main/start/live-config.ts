import { type Config, ConfigError, readConfig } from '../config/index.ts';
import type { LiveSettings } from '../features/settings/index.ts';

/**
 * Returns the settings as they are now, checked; the same object for as long as they are the same. Values that somebody
 * wrote into the settings file by hand and that cannot be used leave the last usable ones in effect.
 */
export function liveConfig(settings: Pick<LiveSettings, 'values'>, started: Config): () => Config {
  let usable = started;
  let seen: ReturnType<LiveSettings['values']> | undefined;
  return () => {
    const values = settings.values();
    if (values === seen) return usable;
    seen = values;
    try {
      usable = readConfig(values);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
    return usable;
  };
}
