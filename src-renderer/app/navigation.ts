import {
  IconActivity,
  IconActivityHeartbeat,
  IconAdjustmentsHorizontal,
  IconBox,
  IconCalendarTime,
  IconCards,
  IconCertificate,
  IconChartBar,
  IconCoin,
  IconCpu,
  IconFileText,
  IconGitMerge,
  IconHierarchy2,
  IconLayoutDashboard,
  IconLink,
  IconListCheck,
  IconPlayerPlay,
  IconPlugConnected,
  IconRobot,
  IconRoute,
  IconServer2,
  IconShieldLock,
  IconStethoscope,
  IconTemplate,
  IconUsersGroup,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import type { Icon } from '../core/icon.ts';
import { StudioPage } from '../pages/studio/studio-page.tsx';

/** One page of the console: its place in the rail, its key and what it shows. */
export type Page = {
  /** The value of `?tab=`. */
  readonly tab: string;
  readonly title: string;
  /** Groups are ruled apart in the rail; pages of one group stand together. */
  readonly group: 'work' | 'cluster' | 'delivery' | 'agents' | 'models' | 'console';
  /** The key after `g`. */
  readonly key: string;
  readonly icon: Icon;
  readonly component: ComponentType;
};

/** Names of the groups that have one; the others are only ruled off. */
export const groupTitles: Readonly<Partial<Record<Page['group'], string>>> = {
  cluster: 'Cluster',
  delivery: 'Delivery',
  agents: 'Agents',
  models: 'Models',
};

/** Every page, in rail order. A new page is one entry here. */
export const pages: readonly Page[] = [
  {
    tab: 'overview',
    title: 'Overview',
    group: 'work',
    key: 'o',
    icon: IconLayoutDashboard,
    component: lazy(async () => ({
      default: (await import('../pages/overview/overview-page.tsx')).OverviewPage,
    })),
  },
  { tab: 'forgeStudio', title: 'Studio', group: 'work', key: 's', icon: IconTemplate, component: StudioPage },
  {
    tab: 'troubleshoot',
    title: 'Troubleshoot',
    group: 'work',
    key: 't',
    icon: IconActivity,
    component: lazy(async () => ({
      default: (await import('../pages/troubleshoot/troubleshoot-page.tsx')).TroubleshootPage,
    })),
  },
  {
    tab: 'controlPlanes',
    title: 'Control planes',
    group: 'cluster',
    key: 'k',
    icon: IconActivityHeartbeat,
    component: lazy(async () => ({
      default: (await import('../pages/control-planes/control-planes-page.tsx')).ControlPlanesPage,
    })),
  },
  {
    tab: 'namespaces',
    title: 'Namespaces',
    group: 'cluster',
    key: 'n',
    icon: IconBox,
    component: lazy(async () => ({
      default: (await import('../pages/namespaces/namespaces-page.tsx')).NamespacesPage,
    })),
  },
  {
    tab: 'nodes',
    title: 'Nodes',
    group: 'cluster',
    key: 'h',
    icon: IconServer2,
    component: lazy(async () => ({
      default: (await import('../pages/nodes/nodes-page.tsx')).NodesPage,
    })),
  },
  {
    tab: 'services',
    title: 'Services',
    group: 'cluster',
    key: 'y',
    icon: IconPlugConnected,
    component: lazy(async () => ({
      default: (await import('../pages/services/services-page.tsx')).ServicesPage,
    })),
  },
  {
    tab: 'routes',
    title: 'Routes',
    group: 'cluster',
    key: 'u',
    icon: IconHierarchy2,
    component: lazy(async () => ({
      default: (await import('../pages/routes/routes-page.tsx')).RoutesPage,
    })),
  },
  {
    tab: 'logs',
    title: 'Logs',
    group: 'cluster',
    key: 'b',
    icon: IconFileText,
    component: lazy(async () => ({
      default: (await import('../pages/logs/logs-page.tsx')).LogsPage,
    })),
  },
  {
    tab: 'security',
    title: 'Certificates',
    group: 'cluster',
    key: 'x',
    icon: IconCertificate,
    component: lazy(async () => ({
      default: (await import('../pages/certificates/certificates-page.tsx')).CertificatesPage,
    })),
  },
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
    tab: 'doctor',
    title: 'Doctor',
    group: 'delivery',
    key: 'z',
    icon: IconStethoscope,
    component: lazy(async () => ({
      default: (await import('../pages/doctor/doctor-page.tsx')).DoctorPage,
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
    tab: 'agents',
    title: 'Roster',
    group: 'agents',
    key: 'q',
    icon: IconUsersGroup,
    component: lazy(async () => ({
      default: (await import('../pages/roster/roster-page.tsx')).RosterPage,
    })),
  },
  {
    tab: 'schedules',
    title: 'Schedules',
    group: 'agents',
    key: 'j',
    icon: IconCalendarTime,
    component: lazy(async () => ({
      default: (await import('../pages/schedules/schedules-page.tsx')).SchedulesPage,
    })),
  },
  {
    tab: 'inference',
    title: 'Inference',
    group: 'models',
    key: 'i',
    icon: IconCpu,
    component: lazy(async () => ({
      default: (await import('../pages/inference/inference-page.tsx')).InferencePage,
    })),
  },
  {
    tab: 'models',
    title: 'Model cards',
    group: 'models',
    key: 'm',
    icon: IconCards,
    component: lazy(async () => ({
      default: (await import('../pages/models/models-page.tsx')).ModelsPage,
    })),
  },
  {
    tab: 'finops',
    title: 'FinOps',
    group: 'models',
    key: 'f',
    icon: IconCoin,
    component: lazy(async () => ({
      default: (await import('../pages/finops/finops-page.tsx')).FinopsPage,
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
