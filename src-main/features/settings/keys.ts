import type { KeyItem, SettingSource } from '#shared/api/settings.ts';
import { ConsoleError } from '#shared/errors.ts';
import { generatedSecret, generates, secretFault } from '../../config/index.ts';
import { KeychainError } from '../../sources/keychain/index.ts';
import { isSameAddress, readBoundSecret, writeBoundSecret } from './bound-secret.ts';
import type { KeptSecrets } from './kept-secrets.ts';

/** Secrets the console uses, by the variable that may hold them. */
export const secretNames = [
  'CONSOLE_ADMIN_PASSWORD',
  'CONSOLE_STUDIO_IDENTITY_KEY',
  'CONSOLE_SESSION_KEY',
  'CONSOLE_HEALTH_INGEST_TOKEN',
  'CONSOLE_JUDGEMENT_INGEST_TOKEN',
  'CONSOLE_LINEAGE_INGEST_TOKEN',
  'CONSOLE_RECON_INGEST_TOKEN',
  'CONSOLE_METRICS_TOKEN',
  'CONSOLE_GITHUB_PRIVATE_KEY',
  'CONSOLE_REGISTRY_TOKEN',
  'INFERENCE_API_KEY',
  'RECAPTCHA_SECRET_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'TTSD_API_KEY',
  'VOICE_REMOTE_API_KEY',
] as const;
export type SecretName = (typeof secretNames)[number];

/** Returns whether this is one of the secrets the console uses. */
export function isSecretName(name: string): name is SecretName {
  return secretNames.some((known) => known === name);
}

/** The console's secrets as they are now: a change is in effect at once. */
export type Keys = {
  /** The value in use: of the environment, else the kept one; undefined when unset. Never to be logged or answered. */
  value(name: SecretName): string | undefined;
  list(): Promise<KeyItem[]>;
  /**
   * Keeps a secret for the address it is sent to now, or for `address`: it is never sent to another one. Throws
   * `NotFound` for an unknown name, `Conflict` while the environment holds it, `Refused` where it cannot be kept.
   */
  set(name: string, value: string, address?: string): Promise<KeyItem>;
  /** Sets a newly generated value. Throws as `set`; `Refused` for a secret issued elsewhere. */
  generate(name: string): Promise<KeyItem>;
  /** Throws as `set`, and `NotFound` when none is kept. */
  delete(name: string): Promise<KeyItem>;
};

/** A variable that holds a secret. */
export type SecretVariable = {
  readonly name: string;
  /** Its name in words. */
  readonly label: string;
  readonly sentence: string;
  /** `env` for one that only the environment can set. */
  readonly where: 'env' | 'keys' | 'settings';
  /** The variable that holds the address it is sent to; undefined for one that never leaves. */
  readonly sentTo?: string | undefined;
};

export type KeysOptions = {
  readonly secrets: readonly SecretVariable[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Variables set by the sandbox; they take precedence over the environment for what the sandbox set itself.
   */
  readonly sandbox: () => Readonly<Record<string, string | undefined>>;
  readonly kept: KeptSecrets;
  /** The value in use of a variable that holds an address. */
  readonly addressOf: (name: string) => string | undefined;
  readonly log: { warn(fields: object, message: string): void };
};

/** The keys of a running console. */
export type LiveKeys = Keys & {
  /**
   * Reads the kept secrets that nothing else sets: at the start, and again to pick up changes by another
   * console or a command. A secret the keychain could not return is not read again until it changes or the
   * keys are listed.
   */
  refresh(): Promise<void>;
};

/** The keys of a console, each from the first place that sets it: sandbox, environment, where it is kept. */
export function createKeys({ secrets, env, sandbox, kept, addressOf, log }: KeysOptions): LiveKeys {
  let sealed: ReadonlyMap<string, string> = new Map();
  /** By name: the mark of the keychain's secret when it was read, and its value. */
  const held = new Map<string, { mark: string; value: string | undefined }>();
  /** Last warning, logged once: a secret that cannot be opened stays so until a person acts. */
  let reported = '';

  const fixed = (name: string): { value: string; source: SettingSource } | undefined => {
    const made = sandbox()[name];
    if (made?.trim()) return { value: made, source: 'sandbox' };
    if (env[name]?.trim()) return { value: env[name], source: 'env' };
    return undefined;
  };

  const sentToOf = (name: string): string | undefined =>
    secrets.find((secret) => secret.name === name)?.sentTo;

  const keptText = (name: string): { value: string; source: SettingSource } | undefined => {
    const inStore = sealed.get(name);
    const inKeychain = held.get(name)?.value;
    if (inStore !== undefined) return { value: inStore, source: 'sealed' };
    return inKeychain === undefined ? undefined : { value: inKeychain, source: 'keychain' };
  };

  /** The kept secret, unless it was given for another address than the one it would be sent to now. */
  const keptValue = (name: string): { value: string; source: SettingSource } | undefined => {
    const text = keptText(name);
    const sentTo = sentToOf(name);
    if (text === undefined || sentTo === undefined) return text;
    const bound = readBoundSecret(text.value);
    if (bound === undefined || !isSameAddress(bound.address, addressOf(sentTo))) return undefined;
    return { value: bound.value, source: text.source };
  };

  const inUse = (name: string): { value: string; source: SettingSource } | undefined =>
    fixed(name) ?? keptValue(name);

  /** Returns why a stored secret is not in use, or undefined. */
  const withheldOf = (name: string): string | undefined => {
    const text = keptText(name);
    const sentTo = sentToOf(name);
    if (text === undefined || sentTo === undefined || inUse(name) !== undefined) return undefined;
    const given = readBoundSecret(text.value)?.address || 'no address';
    return `The stored ${name} was entered for ${given} and is not sent to ${addressOf(sentTo) ?? 'another one'}: enter it again, or set ${sentTo} back.`;
  };

  /** One after the other: an older answer of the store must not take the place of a newer one. */
  let lastRead: Promise<void> = Promise.resolve();
  const read = (again: boolean): Promise<void> => {
    const next = lastRead.then(() => readRows(again));
    lastRead = next.catch(() => undefined);
    return next;
  };

  const readRows = async (again: boolean): Promise<void> => {
    const rows = await kept.rows();
    sealed = rows.sealed;
    for (const name of held.keys()) if (!rows.inKeychain.has(name)) held.delete(name);
    const unread = [...rows.inKeychain].filter(([name, mark]) => {
      const before = held.get(name);
      const changed = before?.mark !== mark || (again && before.value === undefined);
      return changed && isKey(name) && fixed(name) === undefined;
    });
    await Promise.all(
      unread.map(async ([name, mark]) => held.set(name, { mark, value: await fromKeychain(name) })),
    );
    tellUnopened(rows.sealedElsewhere.filter(isKey));
  };

  const isKey = (name: string): boolean =>
    secrets.some((secret) => secret.name === name && secret.where === 'keys');

  const fromKeychain = async (name: string): Promise<string | undefined> => {
    try {
      return await kept.fromKeychain(name);
    } catch (error) {
      if (!(error instanceof KeychainError)) throw error;
      log.warn({ name, reason: error.message }, 'a key in the keychain cannot be read and counts as unset');
      return undefined;
    }
  };

  const tellUnopened = (names: readonly string[]): void => {
    const text = names.join(', ');
    if (text !== '' && text !== reported)
      log.warn({ names: text }, 'stored keys cannot be opened with this store key and count as unset');
    reported = text;
  };

  const item = (
    { name, label, sentence, where }: SecretVariable,
    destination: { refused: string } | string,
  ): KeyItem => {
    const used = inUse(name);
    const whyNot = whyNotSettable(name, where, used?.source, destination);
    const withheld = withheldOf(name);
    return {
      name,
      label,
      sentence,
      set: used !== undefined,
      source: used?.source ?? 'unset',
      settable: whyNot === undefined,
      ...(whyNot === undefined ? {} : { why_not: whyNot }),
      ...(withheld === undefined ? {} : { withheld }),
      generates: where === 'keys' && generates(name),
    };
  };

  const changeable = (name: string): SecretVariable => {
    const secret = secrets.find((known) => known.name === name);
    if (secret === undefined) throw new ConsoleError('NotFound', `${name} is not a key of this console.`);
    const held = fixed(name);
    if (held !== undefined) {
      throw new ConsoleError(
        'Conflict',
        held.source === 'env'
          ? `${name} is set in the console's environment, which overrides a stored one: change it there and restart the console.`
          : `${name} is the sandbox's own: it is generated at every start.`,
      );
    }
    if (secret.where === 'env')
      throw new ConsoleError('Refused', `${name} can only be set in the console's environment.`);
    return secret;
  };

  const set = async (secret: SecretVariable, value: string, address?: string): Promise<KeyItem> => {
    const { name, sentTo } = secret;
    const text = sentTo === undefined ? value : writeBoundSecret(value, address ?? addressOf(sentTo));
    const keptIn = await kept.set(name, text);
    await read(true);
    return item(secret, keptIn);
  };

  return {
    refresh: () => read(false),

    value(name) {
      const value = inUse(name)?.value;
      // Spaces may be part of a password; elsewhere they are a line's end that came along.
      return name === 'CONSOLE_ADMIN_PASSWORD' ? value : value?.trim();
    },

    async list() {
      await read(true);
      const destination = await kept.destination();
      return secrets.map((secret) => item(secret, destination));
    },

    async set(name, value, address) {
      const secret = changeable(name);
      const fault = secretFault(name, value);
      if (fault !== undefined) throw new ConsoleError('BadInput', `The value for ${name} ${fault}`);
      return set(secret, value, address);
    },

    async generate(name) {
      const secret = changeable(name);
      const value = generatedSecret(name);
      if (value === undefined)
        throw new ConsoleError(
          'Refused',
          `${name} cannot be generated: it comes from the service it is for.`,
        );
      return set(secret, value);
    },

    async delete(name) {
      const secret = changeable(name);
      if (!(await kept.delete(name)))
        throw new ConsoleError(
          'NotFound',
          `${name} is not stored by this console, so there is nothing to delete.`,
        );
      await read(false);
      return item(secret, await kept.destination());
    },
  };
}

function whyNotSettable(
  name: string,
  where: SecretVariable['where'],
  source: SettingSource | undefined,
  destination: { refused: string } | string,
): string | undefined {
  if (source === 'env') return `Set in the console's environment: change it there and restart.`;
  if (source === 'sandbox') return `The sandbox's own, generated at every start.`;
  if (where === 'env') return `${name} can only be set in the console's environment.`;
  return typeof destination === 'object' ? destination.refused : undefined;
}
