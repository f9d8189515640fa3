import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { platformQuery } from '../../core/queries.ts';
import { useSession } from '../../core/session.tsx';

/** The person's chats, most recently updated first. */
export const chatsQuery = queryOptions({
  queryKey: ['studio', 'chats'],
  queryFn: async ({ signal }) => (await import('./read-studio.ts')).readChats(signal),
});

/** The apps the person's chats have named. */
export const appsQuery = queryOptions({
  queryKey: ['studio', 'apps'],
  queryFn: async ({ signal }) => (await import('./read-studio.ts')).readApps(signal),
});

/** The studio's apps with their live state, from the code host. */
export const appStatesQuery = queryOptions({
  queryKey: ['studio', 'states'],
  queryFn: () => call('studio.list'),
});

/** True when it makes sense to ask the studio: somebody is signed in and it is known to answer. */
export function useStudioReady(): boolean {
  const { me } = useSession();
  const platform = useQuery({ ...platformQuery, enabled: false });
  return me.authed && platform.data?.studio.state === 'ready';
}
