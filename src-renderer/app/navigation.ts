import { IconAdjustmentsHorizontal, IconLink, IconShieldLock, IconTemplate } from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import { StudioPage } from '../pages/forge-studio/studio-page.tsx';
import type { Icon } from './icon.ts';

/** One page of the console: its place in the rail, its key and what it shows. */
export type Page = {
  /** The value of `?tab=`. */
  readonly tab: string;
  readonly title: string;
  /** Groups are ruled apart in the rail; pages of one group stand together. */
  readonly group: 'work' | 'console';
  /** The key after `g`. */
  readonly key: string;
  readonly icon: Icon;
  readonly component: ComponentType;
};

/** Every page, in rail order. A new page is one entry here. */
export const pages: readonly Page[] = [
  { tab: 'forgeStudio', title: 'Studio', group: 'work', key: 's', icon: IconTemplate, component: StudioPage },
  {
    tab: 'audit',
    title: 'Audit',
    group: 'console',
    key: 'a',
    icon: IconLink,
    component: lazy(async () => ({
      default: (await import('../pages/audit/audit-page.tsx')).AuditPage,
    })),
  },
  {
    tab: 'access',
    title: 'Access',
    group: 'console',
    key: 'w',
    icon: IconShieldLock,
    component: lazy(async () => ({
      default: (await import('../pages/access/access-page.tsx')).AccessPage,
    })),
  },
  {
    tab: 'settings',
    title: 'Settings',
    group: 'console',
    key: 'e',
    icon: IconAdjustmentsHorizontal,
    component: lazy(async () => ({
      default: (await import('../pages/settings/settings-page.tsx')).SettingsPage,
    })),
  },
];

/** The address of a page. */
export const pageAddress = (tab: string): string => `/?tab=${encodeURIComponent(tab)}`;
