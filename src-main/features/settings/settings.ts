import type { KeychainState, SettingItem, SettingSource, Settings } from '#shared/api/settings.ts';
import { ConsoleError } from '#shared/errors.ts';
import { isSameAddress } from './bound-secret.ts';
import type { KeptIn } from './kept-secrets.ts';
import type { Keys } from './keys.ts';
import { readSettingsFile, writeSettingsFile } from './settings-file.ts';

/** The settings, their sources, and the means to change them. */
export type LiveSettings = {
  /** Returns the source of a variable's value in use. */
  sourceOf(name: string): SettingSource;
  /**
   * Returns a variable's value in use, its default included; for one that is `live`, the file's current
   * value.
   */
  valueOf(name: string): string | undefined;
  /** Returns every value in use but the defaults; another object once one of them changed. */
  values(): Readonly<Record<string, string>>;
  /** Returns whether `change` can set it; false for what the environment sets. */
  settable(name: string): boolean;
  /** `people`: the caller may see who is on the lists of people. */
  read(options: { people: boolean }): Promise<Settings>;
  /** Checks all values as a start would, then keeps them; null forgets one. Throws `BadInput`, `Conflict`, `Refused`. */
  change(values: Readonly<Record<string, string | null>>): Promise<void>;
};

type Values = Readonly<Record<string, string | undefined>>;

/** A variable as `config.ts` declares it. */
export type SettingVariable = {
  readonly name: string;
  /** Its name in words. */
  readonly label: string;
  readonly type: string;
  readonly default: string;
  readonly sentence: string;
  readonly where: 'env' | 'settings' | 'keys';
  readonly secret: boolean;
  readonly people: boolean;
  readonly freeText: boolean;
  readonly live: boolean;
  /** For a secret, the variable that holds the address it is sent to. */
  readonly sentTo: string | undefined;
};

export type SettingsOptions = {
  readonly variables: readonly SettingVariable[];
  readonly env: Values;
  /**
   * Variables that the sandbox sets now; they take precedence over the environment for what the sandbox set itself. The
   * same object for as long as they are the same.
   */
  readonly sandbox: () => Values;
  /** The settings file, and what it held when the console started. */
  readonly file: string;
  readonly started: Values;
  /** Checks values as at startup. Throws an Error with a message for the person. */
  readonly check: (values: Values) => void;
  readonly keys: Pick<Keys, 'list'>;
  readonly keychain: { state(): Promise<KeychainState> };
  readonly destination: () => Promise<KeptIn | { readonly refused: string }>;
  readonly store: Settings['store'];
};

/** The settings of a running console. Some change at the next start; pending changes are reported. */
export function createSettings(options: SettingsOptions): LiveSettings {
  const { variables, env, file, started } = options;
  /** The file's content when it was last read or written here. */
  let current = started;

  const resolved = (variable: SettingVariable, inFile: Values): { value?: string; source: SettingSource } => {
    const { name } = variable;
    const sandbox = options.sandbox();
    if (sandbox[name]?.trim()) return { value: sandbox[name], source: 'sandbox' };
    if (env[name]?.trim()) return { value: env[name].trim(), source: 'env' };
    if (inFile[name]?.trim()) return { value: inFile[name].trim(), source: 'settings' };
    if (variable.default === '') return { source: 'unset' };
    return variable.freeText ? { source: 'default' } : { value: variable.default, source: 'default' };
  };

  const named = (name: string): SettingVariable | undefined => variables.find((known) => known.name === name);

  const inUse = (variable: SettingVariable): { value?: string; source: SettingSource } =>
    resolved(variable, variable.live ? current : started);

  const isSettable = (variable: SettingVariable): boolean =>
    variable.where === 'settings' && resolved(variable, current).source !== 'env';

  let merged:
    | { readonly file: Values; readonly sandbox: Values; readonly values: Record<string, string> }
    | undefined;
  const values = (): Record<string, string> => {
    const sandbox = options.sandbox();
    if (merged === undefined || merged.file !== current || merged.sandbox !== sandbox) {
      const isLive = (name: string): boolean => named(name)?.live === true;
      const inFile = [
        ...Object.entries(started).filter(([name]) => !isLive(name)),
        ...Object.entries(current).filter(([name]) => isLive(name)),
      ];
      const mergedValues = { ...filled(Object.fromEntries(inFile)), ...filled(env), ...filled(sandbox) };
      merged = { file: current, sandbox, values: mergedValues };
    }
    return merged.values;
  };

  const item = (variable: SettingVariable, inFile: Values, people: boolean): SettingItem => {
    const { name, label, type, sentence } = variable;
    const now = resolved(variable, variable.live ? inFile : started);
    const next = resolved(variable, inFile);
    const hidden = variable.people && !people;
    // The sandbox is this start's own: the next one may be without it.
    const waits = now.source === 'sandbox' ? inFile[name] !== undefined : next.value !== now.value;
    return {
      name,
      label,
      type,
      sentence,
      ...(now.value === undefined || hidden ? {} : { value: shown(variable, now.value) }),
      ...(variable.default === '' ? {} : { default: variable.default }),
      ...(variable.people && now.value !== undefined ? { size: namesIn(now.value) } : {}),
      source: now.source,
      settable: isSettable(variable),
      live: variable.live,
      ...(waits && !hidden ? { pending: shown(variable, inFile[name] ?? next.value ?? '') } : {}),
    };
  };

  /**
   * Returns the file's content. A file that has become invalid by hand says nothing about the next start;
   * `change` reports what is wrong with it.
   */
  const whatTheFileSays = (): Values => {
    try {
      current = readable(file, variables);
      return current;
    } catch {
      return started;
    }
  };

  /**
   * Refuses another address for a secret of the environment, which the environment did not mean for it. A kept secret
   * knows its address, and is withheld from another.
   */
  const refuseForSecrets = async (
    before: Values,
    values: Readonly<Record<string, string | null>>,
  ): Promise<void> => {
    const after = Object.fromEntries(
      Object.entries({ ...before, ...values }).map(([name, value]) => [name, value ?? undefined]),
    );
    const held = (await options.keys.list()).filter(({ source }) => source === 'env');
    for (const { name, sentTo } of variables) {
      const address = variables.find((variable) => variable.name === sentTo);
      if (address === undefined || !held.some((key) => key.name === name)) continue;
      const next = resolved(address, after).value;
      if (!isSameAddress(next, resolved(address, current).value)) {
        throw new ConsoleError(
          'Refused',
          `Nothing was changed: ${name} is set in the console's environment and would be sent to the new address. Set ${address.name} in the environment, too.`,
        );
      }
    }
  };

  return {
    sourceOf(name) {
      const variable = named(name);
      return variable === undefined ? 'unset' : inUse(variable).source;
    },

    valueOf(name) {
      const variable = named(name);
      return variable === undefined ? undefined : inUse(variable).value;
    },

    values,

    settable(name) {
      const variable = named(name);
      return variable !== undefined && isSettable(variable);
    },

    async read({ people }) {
      const keys = await options.keys.list();
      const destination = await options.destination();
      const inFile = whatTheFileSays();
      return {
        settings: variables.filter(({ secret }) => !secret).map((variable) => item(variable, inFile, people)),
        keys,
        keychain: await options.keychain.state(),
        store: options.store,
        ...(typeof destination === 'object'
          ? { keep_secrets_notice: destination.refused }
          : { keeps_secrets_in: destination }),
        file,
      };
    },

    async change(values) {
      for (const name of Object.keys(values)) refuseUnsettable(name, variables, env);
      const before = readable(file, variables);
      await refuseForSecrets(before, values);
      const after = Object.entries({ ...before, ...values }).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].trim() !== '',
      );
      const kept = Object.fromEntries(after);
      try {
        options.check({ ...kept, ...filled(env) });
      } catch (error) {
        throw new ConsoleError(
          'BadInput',
          `Nothing was changed: ${error instanceof Error ? error.message : ''}`,
          {},
          {
            cause: error,
          },
        );
      }
      writeSettingsFile(file, kept);
      current = kept;
    },
  };
}

/** Returns the values without those set to an empty text. */
export function filled(values: Values): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => (entry[1] ?? '').trim() !== ''),
  );
}

function refuseUnsettable(name: string, variables: readonly SettingVariable[], env: Values): void {
  const variable = variables.find((known) => known.name === name);
  if (variable === undefined) throw new ConsoleError('BadInput', `${name} is not a setting of this console.`);
  if (variable.where === 'keys')
    throw new ConsoleError(
      'Refused',
      `${name} is a secret: give it to PUT /api/keys/${name}, which keeps it safely.`,
    );
  if (env[name]?.trim())
    throw new ConsoleError(
      'Conflict',
      `${name} is set in the console's environment, which overrides the settings file: change it there and restart the console.`,
    );
  if (variable.where === 'env')
    throw new ConsoleError('Refused', `${name} can only be set in the console's environment.`);
}

/**
 * Reads the file as it is now. A person may have edited it since the start: a mistake in it is reported, and
 * left to them.
 */
function readable(file: string, variables: readonly SettingVariable[]): Record<string, string> {
  try {
    return readSettingsFile(file, variables);
  } catch (error) {
    throw new ConsoleError(
      'Conflict',
      error instanceof Error ? error.message : `${file} cannot be read.`,
      {},
      {
        cause: error,
      },
    );
  }
}

/** A value as anybody may see it: an address without its user name and password. */
function shown({ type }: SettingVariable, value: string): string {
  return type === 'url' ? value.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/?#]*@/i, '$1') : value;
}

function namesIn(list: string): number {
  return list.split(',').filter((name) => name.trim() !== '').length;
}
