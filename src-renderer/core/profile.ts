import { Density, ProfileService, Theme } from '#shared/gen/profile/v1/profile_pb.js';
import type { ThemeChoice } from './color-scheme.ts';
import type { PreferenceChange, Preferences, TableArrangement } from './queries.ts';
import { consoleRpc } from './rpc.ts';

// Loaded when the preferences are first read, and gRPC-web with it: the first page is drawn without them.

const { getProfile, updateProfile } = ProfileService.method;

type ProfileLike = {
  readonly theme: Theme;
  readonly density: Density;
  readonly defaultTab: string;
  readonly tables: readonly (TableArrangement & { readonly table: string })[];
};

const themeLabels: Readonly<Partial<Record<Theme, ThemeChoice>>> = {
  [Theme.SYSTEM]: 'system',
  [Theme.LIGHT]: 'light',
  [Theme.DARK]: 'dark',
};

/** Reads a profile message; what it leaves unspecified keeps the product's default. */
function preferencesOf(profile: ProfileLike | undefined): Preferences {
  return {
    theme: profile === undefined ? undefined : themeLabels[profile.theme],
    density: profile?.density === Density.COMPACT ? 'compact' : 'default',
    defaultTab: profile?.defaultTab ?? '',
    tables: Object.fromEntries(
      (profile?.tables ?? []).map(({ table, hidden, sort, widths }) => [table, { hidden, sort, widths }]),
    ),
  };
}

const themeValues = { system: Theme.SYSTEM, light: Theme.LIGHT, dark: Theme.DARK } as const;
const densityValues = { default: Density.DEFAULT, compact: Density.COMPACT } as const;

/** Reads the signed-in person's preferences. */
export async function readPreferences(): Promise<Preferences> {
  return preferencesOf((await consoleRpc(getProfile, {})).profile);
}

/** Keeps changed preferences. Returns all of them. */
export async function savePreferences({
  theme,
  density,
  defaultTab,
  columns,
}: PreferenceChange): Promise<Preferences> {
  const answer = await consoleRpc(updateProfile, {
    ...(theme !== undefined && { theme: themeValues[theme] }),
    ...(density !== undefined && { density: densityValues[density] }),
    ...(defaultTab !== undefined && { defaultTab }),
    ...(columns !== undefined && {
      columns: { ...columns, hidden: [...columns.hidden], widths: { ...columns.widths } },
    }),
  });
  return preferencesOf(answer.profile);
}
