import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { KeyItem, Settings } from '#shared/api/settings.ts';
import { call } from './api.ts';

/** Every setting and key with its source. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: () => call('settings.read'),
});

/** Takes up the console's answer to a change of one key. */
export function keepKey(client: QueryClient, key: KeyItem): void {
  client.setQueryData<Settings>(settingsQuery.queryKey, (known) =>
    known === undefined
      ? undefined
      : { ...known, keys: known.keys.map((item) => (item.name === key.name ? key : item)) },
  );
  client.invalidateQueries({ queryKey: settingsQuery.queryKey });
}
