import type { ThemeChoice } from '../../core/color-scheme.ts';
import type { Icon } from '../../core/icon.ts';
import { IconDeviceDesktop, IconMoon, IconSun } from '../../core/icons/icons.ts';

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
