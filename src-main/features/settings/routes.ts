import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { SettingSource } from '#shared/api/settings.ts';
import type { Keys } from './keys.ts';
import type { LiveSettings } from './settings.ts';

type SettingsRouteId = Extract<RouteId, `settings.${string}` | `keys.${string}`>;

export type SettingsHandlerOptions = {
  readonly settings: LiveSettings;
  readonly keys: Keys;
  /** Returns whether a caller may see who is on the lists of people. */
  readonly isSessionAdmin: (email: string) => Promise<boolean>;
};

const keptIn: Readonly<Partial<Record<SettingSource, string>>> = {
  keychain: 'in the keychain',
  sealed: 'sealed in the store',
};

/** The routes of settings and keys. */
export function settingsHandlers({
  settings,
  keys,
  isSessionAdmin,
}: SettingsHandlerOptions): Handlers<SettingsRouteId> {
  const maySeePeople = async ({
    email,
    localOperator,
  }: {
    email: string | undefined;
    localOperator: boolean;
  }) => localOperator || (email !== undefined && (await isSessionAdmin(email)));
  return {
    'settings.read': async (_input, { caller }) => settings.read({ people: await maySeePeople(caller) }),
    'settings.change': async ({ body }, { record }) => {
      record(`Settings: ${Object.keys(body.values).join(', ')}.`, { names: Object.keys(body.values) });
      await settings.change(body.values);
      return settings.read({ people: true });
    },
    'keys.set': async ({ params: { name }, body }, { record }) => {
      const item = 'value' in body ? await keys.set(name, body.value) : await keys.generate(name);
      const made = 'value' in body ? 'given' : 'made by the console';
      record(`${name} was ${made} and is kept ${keptIn[item.source] ?? 'here'}.`, { kept_in: item.source });
      return item;
    },
    'keys.delete': async ({ params: { name } }, { record }) => {
      const item = await keys.delete(name);
      record(`${name} was forgotten.`);
      return item;
    },
  };
}
