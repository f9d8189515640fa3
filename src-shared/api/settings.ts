import { z } from 'zod';
import { defineRoute } from './route.ts';

/** The source of a setting's value; the first match wins. */
export const settingSource = z.enum(['env', 'sandbox', 'keychain', 'sealed', 'settings', 'default', 'unset']);
export type SettingSource = z.infer<typeof settingSource>;

const variableName = z.string().regex(/^[A-Z][A-Z0-9_]{2,63}$/, 'must be the name of a variable');

/** One variable that is no secret. */
export const settingItem = z.object({
  name: variableName,
  /** Its name in words, such as `Public address`. */
  label: z.string(),
  type: z.string(),
  sentence: z.string(),
  /** In effect now; absent when unset, and for lists of people unless the caller may see them. */
  value: z.string().optional(),
  default: z.string().optional(),
  /** Number of names in a list of people. */
  size: z.number().int().optional(),
  source: settingSource,
  /** False where only the environment can set it. */
  settable: z.boolean(),
  /** True when a change is in effect at once, else with the next start. */
  live: z.boolean(),
  /** Kept in the settings file and in effect from the next start. */
  pending: z.string().optional(),
});
export type SettingItem = z.infer<typeof settingItem>;

/** One secret: whether it is set and where it came from, never its value. */
export const keyItem = z.object({
  name: variableName,
  /** Its name in words. */
  label: z.string(),
  sentence: z.string(),
  set: z.boolean(),
  source: settingSource,
  /** True when PUT and DELETE can change it: the environment does not set it, and it can be stored. */
  settable: z.boolean(),
  /** Reason it cannot be changed here, and where it can. */
  why_not: z.string().optional(),
  /** Reason a stored one is not in use: it was given for another address than the one it would be sent to. */
  withheld: z.string().optional(),
  /** True when the console can make a good one itself. */
  generates: z.boolean(),
});
export type KeyItem = z.infer<typeof keyItem>;

/** The system's keychain, as it answered. */
export const keychainState = z.object({
  /** `off`: CONSOLE_KEYCHAIN says not to use it. */
  state: z.enum(['available', 'locked', 'absent', 'off']),
  /** Consequence for this console and what to do, in one or two sentences. */
  detail: z.string(),
});
export type KeychainState = z.infer<typeof keychainState>;

export const settingsAnswer = z.object({
  settings: z.array(settingItem),
  keys: z.array(keyItem),
  keychain: keychainState,
  store: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    /** The file, or the database's host and name. */
    place: z.string(),
    /** True for the embedded store, which is encrypted always. */
    encrypted: z.boolean(),
    /**
     * Storage of its key: `file` is a 0600 file beside the store, which protects it from other users only.
     */
    key_source: z.enum(['env', 'keychain', 'passphrase', 'file', 'none']),
    /** Weakness of that storage and what to set; absent when there is none. */
    notice: z.string().optional(),
  }),
  /** Storage of secrets given here; absent when there is none, and `keep_secrets_notice` says what to set. */
  keeps_secrets_in: z.enum(['keychain', 'sealed']).optional(),
  keep_secrets_notice: z.string().optional(),
  /** The settings file. */
  file: z.string(),
});
export type Settings = z.infer<typeof settingsAnswer>;

const mayChange = {
  kind: 'write',
  allowlist: 'CONSOLE_SESSION_ADMINS',
  localOperator: true,
} as const;

export const settingsRoutes = [
  defineRoute({
    id: 'settings.read',
    method: 'GET',
    path: '/api/settings',
    access: { kind: 'read' },
    summary: 'Every setting with its source; which keys are set and where each resolved from, never a value.',
    answer: settingsAnswer,
  }),
  defineRoute({
    id: 'settings.change',
    method: 'PUT',
    path: '/api/settings',
    access: { ...mayChange, action: 'settings.change', target: 'settings' },
    summary:
      'Keeps values in the settings file, checked first; null forgets one. In effect from the next start.',
    body: z.object({ values: z.record(variableName, z.string().max(8192).nullable()) }),
    answer: settingsAnswer,
  }),
  defineRoute({
    id: 'keys.set',
    method: 'PUT',
    path: '/api/keys/{name}',
    access: { ...mayChange, action: 'keys.set', target: 'params.name' },
    summary:
      'Keeps a secret in the keychain, or makes a new one; in effect at once. 422 where it cannot be kept.',
    params: z.object({ name: variableName }),
    body: z.union([
      z.strictObject({ value: z.string().min(1).max(65_536) }),
      z.strictObject({ generate: z.literal(true) }),
    ]),
    answer: keyItem,
  }),
  defineRoute({
    id: 'keys.delete',
    method: 'DELETE',
    path: '/api/keys/{name}',
    access: { ...mayChange, action: 'keys.delete', target: 'params.name' },
    summary: 'Forgets a kept secret; in effect at once.',
    params: z.object({ name: variableName }),
    answer: keyItem,
  }),
] as const;
