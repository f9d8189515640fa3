import {
  createKeys,
  createSettings,
  type KeptSecrets,
  type Keys,
  type LiveSettings,
  type SettingVariable,
} from '../../src-main/features/settings/index.ts';
import { ConsoleError } from '../../src-shared/errors.ts';

const refused = 'This console keeps nothing: it was started on its environment alone.';

/** Keys and settings of the environment alone, for a console that keeps neither. */
export function environmentSettings(
  env: Readonly<Record<string, string | undefined>>,
  variables: readonly SettingVariable[] = [],
): { keys: Keys; settings: LiveSettings } {
  const refuse = async (): Promise<never> => {
    throw new ConsoleError('Refused', refused);
  };
  const nowhere: KeptSecrets = {
    destination: async () => ({ refused }),
    get: async () => undefined,
    rows: async () => ({ sealed: new Map(), sealedElsewhere: [], inKeychain: new Map() }),
    fromKeychain: async () => undefined,
    set: refuse,
    delete: refuse,
  };
  const secrets = variables.filter(({ secret }) => secret);
  const keys = createKeys({
    secrets,
    env,
    sandbox: () => ({}),
    kept: nowhere,
    addressOf: (name) => settings.valueOf(name),
    log: { warn: () => undefined },
  });
  const settings = createSettings({
    variables,
    env,
    sandbox: () => ({}),
    file: 'none',
    started: {},
    check: () => undefined,
    keys,
    keychain: { state: async () => ({ state: 'off', detail: refused }) },
    destination: nowhere.destination,
    store: { kind: 'sqlite', place: 'memory', encrypted: false, key_source: 'none' },
  });
  return { keys, settings: { ...settings, change: refuse } };
}
