import type { KeychainState, KeyItem, SettingItem, SettingSource, Settings } from '#shared/api/settings.ts';
import { counted } from '#shared/text.ts';
import type { StateName } from '../../core/state-name.ts';

/** Label of the source of a value. */
export const sourceLabels: Readonly<Record<SettingSource, string>> = {
  env: 'environment',
  sandbox: 'sandbox',
  keychain: 'keychain',
  sealed: 'store, sealed',
  settings: 'settings file',
  default: 'default',
  unset: 'not set',
};

/** Icon and label of whether a key is set. Healthy is quiet, as most consoles do not need most keys. */
export function keyState({ set, source }: KeyItem): { readonly state: StateName; readonly label: string } {
  return set
    ? { state: 'healthy', label: `Set, from the ${sourceLabels[source]}` }
    : { state: 'idle', label: 'Not set' };
}

/** Keys in the order they are of use: those that can be changed here, those that are set elsewhere, the rest. */
export function inUseOrder(keys: readonly KeyItem[]): readonly KeyItem[] {
  const rank = ({ settable, set }: KeyItem): number => (settable ? 0 : set ? 1 : 2);
  return [...keys].sort((a, b) => rank(a) - rank(b));
}

/** The keychain, by shape and word. */
export const keychainLabels: Readonly<
  Record<KeychainState['state'], { readonly state: StateName; readonly label: string }>
> = {
  available: { state: 'healthy', label: 'Available' },
  locked: { state: 'degraded', label: 'Locked' },
  absent: { state: 'idle', label: 'Absent' },
  off: { state: 'idle', label: 'Switched off' },
};

const keySources: Readonly<Record<Settings['store']['key_source'], string>> = {
  env: 'its key from the environment',
  keychain: 'its key in the keychain',
  passphrase: 'its key from the passphrase given at start',
  file: 'its key in a file beside it, which protects it from other users of this machine only',
  none: 'not encrypted by the console',
};

/** The store, in words. */
export function storeLabel({ kind, encrypted, key_source }: Settings['store']): string {
  const what = kind === 'sqlite' ? 'Embedded store' : 'PostgreSQL';
  return encrypted ? `${what}, encrypted, ${keySources[key_source]}` : `${what}, ${keySources.none}`;
}

/** Describes where secrets entered here are stored. */
export function keepsLabel(settings: Settings): string {
  switch (settings.keeps_secrets_in) {
    case 'keychain':
      return 'Secrets entered here are stored in the keychain of this machine.';
    case 'sealed':
      return 'Secrets entered here are kept in the store, encrypted with its key.';
    case undefined:
      return settings.keep_secrets_notice ?? 'Secrets cannot be stored here: set them in the environment.';
  }
}

type Group = { readonly title: string; readonly members: RegExp };

/** Groups of the configuration, in order; a variable is in the first that takes it. */
const groups: readonly Group[] = [
  { title: 'Addresses', members: /^CONSOLE_(LISTEN|PUBLIC_URL|ALLOWED_HOSTS|TRUST)/ },
  {
    title: 'Sign-in',
    members: /^(CONSOLE_(LOCAL_OPERATOR|ADMIN_|GOOGLE_|OIDC_|ALLOWED_EMAILS|SESSION_(IDLE_)?HOURS))/,
  },
  { title: 'Who may do what', members: /_ADMINS$/ },
  { title: 'Store and secrets', members: /^CONSOLE_(DATA_DIR|DATABASE|STORE|KEYCHAIN|SECRET|PASSPHRASE)/ },
  { title: 'Studio', members: /STUDIO/ },
  { title: 'Code host and registry', members: /GITHUB|CODE_HOST|REGISTRY/ },
  { title: 'Voice and models', members: /^(TTSD_|VOICE_|INFERENCE_)/ },
  { title: 'Billing', members: /^(STRIPE|RECAPTCHA)_/ },
];

const rest = 'Everything else';

/** The settings by group, in the order of the groups; a group without any is left out. */
export function grouped(
  settings: readonly SettingItem[],
): readonly { readonly title: string; readonly settings: readonly SettingItem[] }[] {
  const titleOf = ({ name }: SettingItem): string =>
    groups.find(({ members }) => members.test(name))?.title ?? rest;
  return [...groups.map(({ title }) => title), rest].flatMap((title) => {
    const inGroup = settings.filter((setting) => titleOf(setting) === title);
    return inGroup.length === 0 ? [] : [{ title, settings: inGroup }];
  });
}

/** Formats the current value of a setting; a list of people that may not be seen shows only its size. */
export function valueLabel({ value, size, source, default: usual }: SettingItem): string {
  if (value !== undefined && value !== '') return value;
  if (size !== undefined && source !== 'unset') return counted(size, 'name');
  return usual === undefined || usual === '' ? 'not set' : usual;
}

/** True when a setting is found by the words typed. */
export function settingMatches({ name, label, sentence }: SettingItem, typed: string): boolean {
  const text = `${name} ${label} ${sentence}`.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((term) => text.includes(term));
}

/** The key that has to be handed to another program. */
export const studioIdentityKey = 'CONSOLE_STUDIO_IDENTITY_KEY';
