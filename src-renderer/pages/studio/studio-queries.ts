import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../core/api.ts';
import { platformQuery } from '../../core/queries.ts';
import { studioClient } from '../../core/rpc.ts';
import { useSession } from '../../core/session.tsx';
import type { StudioApp, StudioChat } from './rail-model.ts';

const moment = (at: Timestamp | undefined): number | undefined =>
  at === undefined ? undefined : timestampMs(at);

/** The person's chats, most recently updated first. */
export const chatsQuery = queryOptions({
  queryKey: ['studio', 'chats'],
  queryFn: async ({ signal }): Promise<readonly StudioChat[]> => {
    const { chats } = await studioClient.listChats({}, { signal });
    return chats.map(({ id, title, project, updatedAt }) => ({
      id,
      title,
      project,
      updatedAt: moment(updatedAt),
    }));
  },
});

/** The apps the person's chats have named. */
export const appsQuery = queryOptions({
  queryKey: ['studio', 'apps'],
  queryFn: async ({ signal }): Promise<readonly StudioApp[]> => {
    const { apps } = await studioClient.listApps({}, { signal });
    return apps.map(({ name, chatId, updatedAt }) => ({ name, chatId, updatedAt: moment(updatedAt) }));
  },
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
