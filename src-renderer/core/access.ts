import { type QueryClient, queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { AllowlistItem, SessionAdmins } from '#shared/api/access.ts';
import type { Allowlist } from '#shared/api/route.ts';
import { call } from './api.ts';
import { inDesktopWindow } from './desktop.ts';
import { useSession } from './session.tsx';

/** Every allowlist, with the person's own membership. */
export const allowlistsQuery = queryOptions({
  queryKey: ['access', 'allowlists'],
  queryFn: async (): Promise<readonly AllowlistItem[]> => (await call('access.list')).items,
});

/** Reads the session admins, and whether the person is one. */
export const sessionAdminsQuery = queryOptions({
  queryKey: ['access', 'session-admins'],
  queryFn: () => call('access.sessionAdmins'),
});

/** One allowlist as the person may know it; undefined until it is read. */
export function useAllowlist(name: Allowlist): UseQueryResult<AllowlistItem | undefined> {
  return useQuery({ ...allowlistsQuery, select: (items) => items.find((item) => item.name === name) });
}

/**
 * Returns whether the person may change settings, keys and session admins: session admins may, and so may the owner of
 * the desktop window, who owns its keychain. Undefined until known; the console makes the final decision.
 */
export function useMayAdminister(): boolean | undefined {
  const { me } = useSession();
  const { data } = useAllowlist('CONSOLE_SESSION_ADMINS');
  if (!me.authed) return false;
  return inDesktopWindow ? true : data?.member;
}

/**
 * Returns whether the person may name the first session admins: nobody is named, and they are at the desktop window or
 * signed in by the local operator's link. Undefined until known.
 */
export function useMayNameFirst(): boolean | undefined {
  const { me } = useSession();
  const { data } = useQuery({ ...sessionAdminsQuery, enabled: me.authed });
  return me.authed ? data?.may_name_first : false;
}

/** Takes up the console's answer to a change of the session admins. */
export function keepSessionAdmins(client: QueryClient, answer: SessionAdmins): void {
  client.setQueryData(sessionAdminsQuery.queryKey, answer);
  client.invalidateQueries({ queryKey: allowlistsQuery.queryKey });
}

/** Returns whether the person may change connections and runners. Undefined until known; the console decides. */
export function useMayConnect(): boolean | undefined {
  const { me } = useSession();
  const { data } = useAllowlist('CONSOLE_CONNECTION_ADMINS');
  return me.authed ? data?.member : false;
}
