import { useLocalStorage } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Preferences, preferencesQuery } from '../../core/queries.ts';
import { useSession } from '../../core/session.tsx';
import { useSavePreferences } from '../../core/use-save-preferences.ts';

const none: readonly string[] = [];

/**
 * The columns hidden in a table, and the way to hide others. Kept in the profile of the signed-in person; on an open
 * console, which has nobody to keep them for, on this machine.
 */
export function useHiddenColumns(table: string): [readonly string[], (hidden: readonly string[]) => void] {
  const { me } = useSession();
  const client = useQueryClient();
  const { data: preferences } = useQuery({ ...preferencesQuery, enabled: me.authed });
  const { mutate } = useSavePreferences();
  const [here, setHere] = useLocalStorage<readonly string[]>({
    key: `console.columns.${table}`,
    defaultValue: none,
    getInitialValueInEffect: false,
    deserialize: readHidden,
  });
  const hide = useCallback(
    (hidden: readonly string[]) => {
      if (!me.authed) {
        setHere(hidden);
        return;
      }
      client.setQueryData<Preferences>(
        preferencesQuery.queryKey,
        (known) => known && { ...known, hiddenColumns: { ...known.hiddenColumns, [table]: hidden } },
      );
      // What was not kept is shown as it is kept.
      const onError = () => client.invalidateQueries({ queryKey: preferencesQuery.queryKey });
      mutate({ columns: { table, hidden } }, { onError });
    },
    [client, me.authed, mutate, setHere, table],
  );
  return [me.authed ? (preferences?.hiddenColumns[table] ?? none) : here, hide];
}

/** Parses the stored list of hidden columns. Anything another version may have stored hides nothing. */
function readHidden(stored: string | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : none;
  } catch {
    return none;
  }
}
