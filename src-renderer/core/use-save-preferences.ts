import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { Density, Theme } from '#shared/gen/profile/v1/profile_pb.js';
import { type Preferences, preferencesOf, preferencesQuery } from './queries.ts';
import { profileClient } from './rpc.ts';

/** Preferences to change; the rest stay as they are. */
export type PreferenceChange = Partial<Omit<Preferences, 'hiddenColumns'>> & {
  /** Replaces the hidden columns of one table. */
  readonly columns?: { readonly table: string; readonly hidden: readonly string[] };
};

const themeValues = { system: Theme.SYSTEM, light: Theme.LIGHT, dark: Theme.DARK } as const;
const densityValues = { default: Density.DEFAULT, compact: Density.COMPACT } as const;

/** Keeps changed preferences in the person's profile. The answer, the whole profile, becomes what the page knows. */
export function useSavePreferences(): UseMutationResult<Preferences, Error, PreferenceChange> {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['preferences'],
    mutationFn: async ({ theme, density, defaultTab, columns }: PreferenceChange) => {
      const answer = await profileClient.updateProfile({
        ...(theme !== undefined && { theme: themeValues[theme] }),
        ...(density !== undefined && { density: densityValues[density] }),
        ...(defaultTab !== undefined && { defaultTab }),
        ...(columns !== undefined && { columns: { table: columns.table, hidden: [...columns.hidden] } }),
      });
      return preferencesOf(answer.profile);
    },
    onSuccess: (preferences) => client.setQueryData(preferencesQuery.queryKey, preferences),
  });
}
