import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import type { Icon } from '../icon.ts';
import type { ThemeChoice } from './color-scheme.ts';

export const themeTitles: Readonly<Record<ThemeChoice, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
};

export const themeIcons: Readonly<Record<ThemeChoice, Icon>> = {
  system: IconDeviceDesktop,
  light: IconSun,
  dark: IconMoon,
};
