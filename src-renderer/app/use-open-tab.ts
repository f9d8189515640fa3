import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { usePageAddress } from '../core/page-address.ts';
import { preferencesQuery } from '../core/queries.ts';
import { useSession } from '../core/session.tsx';
import { openTab, tabs } from '../core/tabs.ts';

const known = tabs.map(({ tab }) => tab);

/** The open tab, undefined while the person's default is still being read; and the way to another. */
export function useOpenTab(): [string | undefined, (tab: string) => void] {
  const [address, go] = usePageAddress();
  const { me } = useSession();
  const preferences = useQuery({ ...preferencesQuery, enabled: me.authed });
  const undecided = address.tab === null && me.authed && preferences.isPending;
  const current = undecided ? undefined : openTab(address.tab, preferences.data?.defaultTab ?? '', known);
  // Asking for the open page keeps what is open on it: the studio frame would otherwise start again.
  const open = useCallback(
    (tab: string) => {
      if (tab !== current) go({ tab });
    },
    [go, current],
  );
  return [current, open];
}
