import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { type PreferenceChange, type Preferences, preferencesQuery } from './queries.ts';

/** Keeps changed preferences in the person's profile. The answer, the whole profile, becomes what the page knows. */
export function useSavePreferences(): UseMutationResult<Preferences, Error, PreferenceChange> {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ['preferences'],
    mutationFn: async (change) => (await import('./profile.ts')).savePreferences(change),
    onSuccess: (preferences) => client.setQueryData(preferencesQuery.queryKey, preferences),
  });
}
