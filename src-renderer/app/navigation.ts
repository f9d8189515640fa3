import {
  IconAdjustmentsHorizontal,
  IconChartBar,
  IconGitMerge,
  IconLink,
  IconListCheck,
  IconPlayerPlay,
  IconRobot,
  IconRoute,
  IconShieldLock,
  IconTemplate,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import { StudioPage } from '../pages/forge-studio/studio-page.tsx';
import type { Icon } from './icon.ts';

/** One page of the console: its place in the rail, its key and what it shows. */
export type Page = {
  /** The value of `?tab=`. */
  readonly tab: string;
  readonly title: string;
  /** Groups are ruled apart in the rail; pages of one group stand together. */
  readonly group: 'work' | 'delivery' | 'agents' | 'console';
  /** The key after `g`. */
  readonly key: string;
  readonly icon: Icon;
  readonly component: ComponentType;
};

/** Names of the groups that have one; the others are only ruled off. */
export const groupTitles: Readonly<Partial<Record<Page['group'], string>>> = {
  delivery: 'Delivery',
  agents: 'Agents',
};

/** Every page, in rail order. A new page is one entry here. */
export const pages: readonly Page[] = [
  { tab: 'forgeStudio', title: 'Studio', group: 'work', key: 's', icon: IconTemplate, component: StudioPage },
  {
    tab: 'gitops',
    title: 'GitOps',
    group: 'delivery',
    key: 'p',
    icon: IconGitMerge,
    component: lazy(async () => ({
      default: (await import('../pages/gitops/gitops-page.tsx')).GitopsPage,
    })),
  },
  {
    tab: 'lineage',
    title: 'Lineage',
    group: 'delivery',
    key: 'l',
    icon: IconRoute,
    component: lazy(async () => ({
      default: (await import('../pages/lineage/lineage-page.tsx')).LineagePage,
    })),
  },
  {
    tab: 'devex',
    title: 'DevEx',
    group: 'delivery',
    key: 'd',
    icon: IconChartBar,
    component: lazy(async () => ({
      default: (await import('../pages/devex/devex-page.tsx')).DevexPage,
    })),
  },
  {
    tab: 'runs',
    title: 'Runs',
    group: 'agents',
    key: 'r',
    icon: IconPlayerPlay,
    component: lazy(async () => ({
      default: (await import('../pages/runs/runs-page.tsx')).RunsPage,
    })),
  },
  {
    tab: 'reviews',
    title: 'Reviews',
    group: 'agents',
    key: 'v',
    icon: IconListCheck,
    component: lazy(async () => ({
      default: (await import('../pages/reviews/reviews-page.tsx')).ReviewsPage,
    })),
  },
  {
    tab: 'agentConfig',
    title: 'Agent config',
    group: 'agents',
    key: 'c',
    icon: IconRobot,
    component: lazy(async () => ({
      default: (await import('../pages/agent-config/agent-config-page.tsx')).AgentConfigPage,
    })),
  },
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
