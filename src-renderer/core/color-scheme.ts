import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';

/**
 * Storage key of the chosen theme. The studio frame is same-origin: it reads this key and follows its `storage` event.
 */
const themeKey = 'console.theme';

/** The theme a person chooses. */
export const themes = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themes)[number];

/** Mantine says `auto` where the product says `system`. */
export const toMantine = (theme: ThemeChoice): MantineColorScheme => (theme === 'system' ? 'auto' : theme);
export const fromMantine = (scheme: MantineColorScheme): ThemeChoice =>
  scheme === 'auto' ? 'system' : scheme;

/** A stored value that is none of the three counts as `system`. */
export function readTheme(stored: string | null): ThemeChoice {
  return themes.find((theme) => theme === stored) ?? 'system';
}

/** Keeps Mantine's colour scheme under our own key and words, and follows a change made in another tab. */
export function colorSchemeManager(storage: Storage): MantineColorSchemeManager {
  let onStorage: ((event: StorageEvent) => void) | undefined;
  const unsubscribe = () => {
    if (onStorage !== undefined) window.removeEventListener('storage', onStorage);
    onStorage = undefined;
  };
  return {
    get: () => toMantine(readTheme(storage.getItem(themeKey))),
    set: (scheme) => storage.setItem(themeKey, fromMantine(scheme)),
    subscribe: (onUpdate) => {
      unsubscribe();
      onStorage = (event) => {
        if (event.storageArea === storage && event.key === themeKey)
          onUpdate(toMantine(readTheme(event.newValue)));
      };
      window.addEventListener('storage', onStorage);
    },
    unsubscribe,
    clear: () => storage.removeItem(themeKey),
  };
}
