import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent } from 'react';
import { type ThemeChoice, toMantine } from './color-scheme.ts';
import { preferencesQuery } from './queries.ts';
import { useSession } from './session.tsx';
import { useSavePreferences } from './use-save-preferences.ts';

/** Changes the theme here at once, and in the person's profile when somebody is signed in. */
export function useChooseTheme(): (theme: ThemeChoice) => void {
  const { me } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const { mutate } = useSavePreferences();
  return useCallback(
    (theme) => {
      setColorScheme(toMantine(theme));
      if (me.authed) mutate({ theme });
    },
    [me.authed, setColorScheme, mutate],
  );
}

/** Lets the profile decide the theme and density of this window, once it is read. */
export function useProfileAppearance(): void {
  const { me } = useSession();
  const { setColorScheme } = useMantineColorScheme();
  const { data } = useQuery({ ...preferencesQuery, enabled: me.authed });
  const theme = data?.theme;
  const density = data?.density ?? 'default';
  const apply = useEffectEvent((chosen: ThemeChoice) => setColorScheme(toMantine(chosen)));
  useEffect(() => {
    if (theme !== undefined) apply(theme);
  }, [theme]);
  useEffect(() => {
    document.documentElement.dataset.density = density;
  }, [density]);
}
