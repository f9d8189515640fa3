import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { pages } from './navigation.ts';
import { usePlace } from './place.ts';
import { preferencesQuery } from './queries.ts';
import { useSession } from './session.tsx';
import { openTab } from './tabs.ts';

const tabs = pages.map((page) => page.tab);

/** The open tab, undefined while the person's default is still being read; and the way to another. */
export function useOpenTab(): [string | undefined, (tab: string) => void] {
  const [address, go] = usePlace();
  const { me } = useSession();
  const preferences = useQuery({ ...preferencesQuery, enabled: me.authed });
  const undecided = address.tab === null && me.authed && preferences.isPending;
  const current = undecided ? undefined : openTab(address.tab, preferences.data?.defaultTab ?? '', tabs);
  // Asking for the open page keeps what is open on it: the studio frame would otherwise start again.
  const open = useCallback(
    (tab: string) => {
      if (tab !== current) go({ tab });
    },
    [go, current],
  );
  return [current, open];
}
