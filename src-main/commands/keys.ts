import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import type { SettingSource } from '#shared/api/settings.ts';
import { promptSecret } from '../base/prompt-secret.ts';
import { ConfigError, type Environment } from '../config/index.ts';
import { type AuditEvent, audited, createAuditTrail } from '../features/audit/index.ts';
import {
  isSecretName,
  type Keys,
  locateStoreKey,
  moveStoreKey,
  type StoreKey,
} from '../features/settings/index.ts';
import { KeychainError } from '../sources/keychain/index.ts';
import { openSettings, resolveSettings } from '../start/console-settings.ts';
import { openConsoleStore, storeFile, storeKeyLocations } from '../start/console-store.ts';
import { secretManifest } from './secret-manifest.ts';

type DataDirOption = { readonly dataDir?: string };
type Opened = {
  readonly keys: Keys;
  readonly storeKey: StoreKey;
  /** Runs an act on a key and writes it to the audit trail, as the console does. */
  act<T>(action: string, target: string, run: (event: AuditEvent) => Promise<T>): Promise<T>;
};

/**
 * Minimum length of a passphrase, in characters: it is all that protects the key from a person who copies the
 * folder.
 */
const leastPassphrase = 12;

const dataDir = ['--data-dir <folder>', 'folder of the store (CONSOLE_DATA_DIR)'] as const;

/**
 * `operator-console keys`: manages the console's secrets from a terminal, also while a console is running.
 */
export function keysCommand(): Command {
  const keys = new Command('keys').description("the console's keys: list, set, hand over, protect");
  keys
    .command('list')
    .description('which keys are set and where each comes from, never a value')
    .option(...dataDir)
    .action(list);
  keys
    .command('set <name>')
    .description('keep a secret: its value is read from standard input, or asked for')
    .option(...dataDir)
    .action(set);
  keys
    .command('generate <name>')
    .description('make a new key and keep it')
    .option(...dataDir)
    .action(generate);
  keys
    .command('delete <name>')
    .description('forget a kept secret')
    .option(...dataDir)
    .action(forget);
  keys
    .command('show <name>')
    .description('print a secret to your own terminal')
    .option('--force', 'also where the output is no terminal, such as a pipe')
    .option(...dataDir)
    .action(show);
  keys
    .command('secret <name>')
    .description('print a Kubernetes Secret that holds it, for kubectl apply -f -')
    .requiredOption('--namespace <namespace>', 'namespace of the Secret')
    .requiredOption('--name <name>', 'name of the Secret')
    .option(...dataDir)
    .action(secret);
  keys
    .command('protect')
    .description("put the store's key under a passphrase, or move it into the keychain")
    .option('--keychain', 'into the keychain')
    .option(...dataDir)
    .action(protect);
  return keys;
}

async function list(options: DataDirOption): Promise<void> {
  await withKeys(options, async ({ keys, storeKey }) => {
    const items = await keys.list();
    const width = Math.max(...items.map(({ name }) => name.length));
    for (const { name, source } of items)
      process.stdout.write(`${name.padEnd(width)}  ${sourceLabels[source]}\n`);
    process.stdout.write(`\nThe store's key ${storeKeyLabels[storeKey.source]}.\n`);
  });
}

const storeKeyLabels: Readonly<Record<StoreKey['source'], string>> = {
  env: 'is given by CONSOLE_STORE_KEY',
  keychain: 'is kept in the keychain',
  passphrase: 'is under a passphrase',
  file: 'lies in a file beside the store: `operator-console keys protect` puts it under a passphrase',
};

const sourceLabels: Readonly<Record<SettingSource, string>> = {
  env: 'set in the environment',
  sandbox: 'set by the sandbox',
  keychain: 'kept in the keychain',
  sealed: 'kept sealed in the store',
  settings: 'set in the settings file',
  default: 'not set',
  unset: 'not set',
};

async function set(name: string, options: DataDirOption): Promise<void> {
  const value = await readValue(name);
  await withKeys(options, async ({ keys, act }) => {
    const { source } = await act('keys.set', name, async (event) => {
      const item = await keys.set(name, value);
      event.record(`${name} was given and is ${sourceLabels[item.source]}.`, { kept_in: item.source });
      return item;
    });
    process.stdout.write(`${name} is ${sourceLabels[source]}. ${whenInEffect}\n`);
  });
}

async function generate(name: string, options: DataDirOption): Promise<void> {
  await withKeys(options, async ({ keys, act }) => {
    const { source } = await act('keys.set', name, async (event) => {
      const item = await keys.generate(name);
      event.record(`${name} was made by the console and is ${sourceLabels[item.source]}.`, {
        kept_in: item.source,
      });
      return item;
    });
    process.stdout.write(`${name} was made and is ${sourceLabels[source]}. ${whenInEffect}\n`);
  });
}

async function forget(name: string, options: DataDirOption): Promise<void> {
  await withKeys(options, async ({ keys, act }) => {
    await act('keys.delete', name, async (event) => {
      await keys.delete(name);
      event.record(`${name} was forgotten.`);
    });
    process.stdout.write(`${name} was forgotten. ${whenInEffect}\n`);
  });
}

const whenInEffect = 'A console that is running takes it up within a few seconds.';

async function show(name: string, { force, ...folder }: DataDirOption & { force?: boolean }): Promise<void> {
  if (!process.stdout.isTTY && force !== true)
    throw new ConfigError(
      'The output is no terminal, so the secret would end up in a file or a log: add --force if that is meant.',
    );
  await withKeys(folder, async (opened) => {
    process.stdout.write(`${await reveal(name, opened, 'was shown on a terminal')}\n`);
  });
}

async function secret(
  name: string,
  { namespace, name: secretName, ...folder }: DataDirOption & { namespace: string; name: string },
): Promise<void> {
  await withKeys(folder, async (opened) => {
    // Checked first: what cannot be printed must not be recorded as handed over.
    secretManifest({ namespace, name: secretName, entries: {} });
    const value = await reveal(name, opened, `was handed over as Secret ${namespace}/${secretName}`);
    process.stdout.write(secretManifest({ namespace, name: secretName, entries: { [name]: value } }));
  });
}

function reveal(name: string, { keys, act }: Opened, summary: string): Promise<string> {
  return act('keys.show', name, async (event) => {
    const value = isSecretName(name) ? keys.value(name) : undefined;
    if (value === undefined)
      throw new ConfigError(
        isSecretName(name)
          ? `${name} is not set: give it with \`operator-console keys set ${name}\`, or \`keys generate\` where the console can make it.`
          : `${name} is not a key of this console: \`operator-console keys list\` names them.`,
      );
    event.record(`${name} ${summary}.`);
    return value;
  });
}

async function protect({
  keychain: toKeychain,
  ...folder
}: DataDirOption & { keychain?: boolean }): Promise<void> {
  const { config } = resolveSettings(environment(folder));
  const locations = storeKeyLocations(config);
  const current = await locateStoreKey(
    locations,
    config.databaseUrl === undefined ? storeFile(config) : undefined,
  );
  if (current?.source === 'env')
    throw new ConfigError(
      'The store key is given by CONSOLE_STORE_KEY: remove the variable to keep the key elsewhere.',
    );
  const root = current?.root ?? randomBytes(32);
  let passphrase: string | undefined;
  if (toKeychain === true) {
    try {
      await moveStoreKey(locations, root, 'keychain');
    } catch (error) {
      if (!(error instanceof KeychainError)) throw error;
      throw new ConfigError(`The key stays where it was. ${error.message}`, { cause: error });
    }
  } else {
    passphrase = await newPassphrase(current?.source === 'passphrase' ? undefined : config.keyPassphrase);
    await moveStoreKey(locations, root, { passphrase });
  }
  const where = toKeychain === true ? 'in the keychain' : 'under a passphrase';
  await withKeys(
    folder,
    ({ act }) =>
      act('keys.protect', 'CONSOLE_STORE_KEY', async (event) =>
        event.record(`The store's key is now ${where}.`),
      ),
    passphrase,
  );
  process.stdout.write(
    toKeychain === true
      ? "The store's key is in the keychain.\n"
      : "The store's key is under the passphrase: give it in CONSOLE_KEY_PASSPHRASE, or on the terminal at every start. Without it the store cannot be opened by anyone.\n",
  );
}

async function newPassphrase(given: string | undefined): Promise<string> {
  const passphrase = given ?? (await promptTwice());
  if ([...passphrase].length < leastPassphrase)
    throw new ConfigError(
      `The passphrase is too short: give ${leastPassphrase} characters or more. Nothing was changed.`,
    );
  return passphrase;
}

async function promptTwice(): Promise<string> {
  if (!process.stdin.isTTY)
    throw new ConfigError('There is no terminal to ask for a passphrase: give it in CONSOLE_KEY_PASSPHRASE.');
  const first = await promptSecret('New passphrase: ');
  if ((await promptSecret('Again: ')) !== first)
    throw new ConfigError('The two passphrases differ. Nothing was changed.');
  return first;
}

/**
 * Reads the value to keep: prompted for on a terminal, else all of standard input without the final line
 * break.
 */
async function readValue(name: string): Promise<string> {
  const value = process.stdin.isTTY ? await promptSecret(`${name}: `) : await text(process.stdin);
  const trimmed = value.replace(/\r?\n$/, '');
  if (trimmed === '')
    throw new ConfigError(`No value for ${name} came on standard input: nothing was changed.`);
  return trimmed;
}

function environment({ dataDir: folder }: DataDirOption): Environment {
  return { ...process.env, ...(folder === undefined ? {} : { CONSOLE_DATA_DIR: folder }) };
}

async function withKeys<T>(
  folder: DataDirOption,
  use: (opened: Opened) => Promise<T>,
  passphrase?: string,
): Promise<T> {
  const env = environment(folder);
  const resolved = resolveSettings({
    ...env,
    ...(passphrase === undefined ? {} : { CONSOLE_KEY_PASSPHRASE: passphrase }),
  });
  const opened = await openConsoleStore(resolved.config);
  const { store, auditHead: head } = opened;
  const say = (fields: object, message: string): void => {
    process.stderr.write(`${message}: ${Object.values(fields).map(String).join(', ')}\n`);
  };
  try {
    const settings = await openSettings({
      env,
      sandbox: {},
      resolved,
      opened,
      log: { warn: say, debug: () => undefined },
    });
    settings.close();
    const trail = createAuditTrail({ store, now: Date.now, log: { error: say, warn: say }, head });
    try {
      return await use({
        keys: settings.keys,
        storeKey: opened.storeKey,
        act: (action, target, run) => audited(trail, { actor: whoRuns(), action, target }, {}, run),
      });
    } finally {
      await trail.close();
    }
  } finally {
    await store.close();
  }
}

/** Returns the system's user name for the audit record: there is no sign-in at a terminal. */
export function whoRuns(): string {
  try {
    return `${userInfo().username} (command line)`;
  } catch {
    // A container may run under an id that has no name.
    return `user ${process.getuid?.() ?? ''} (command line)`;
  }
}
