import type { Icon } from './icon.ts';
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
} from './icons/icons.ts';

/** One page of the console as the menu and the address name it. */
export type Tab = {
  /** The value of `?tab=`. */
  readonly tab: TabName;
  readonly title: string;
  /** Groups are ruled apart in the rail; pages of one group stand together. */
  readonly group: 'work' | 'cluster' | 'delivery' | 'agents' | 'models' | 'console';
  /** The letter after `g`, which no other page has. Without one the page is opened from the rail and the palette only. */
  readonly key?: string;
  /** Whether the page reads a cluster: then it says so when that is an offline bundle, and how old what it shows is. */
  readonly cluster: boolean;
  readonly icon: Icon;
};

/** Titles of the groups that have one; the others are only ruled off. */
export const groupTitles: Readonly<Partial<Record<Tab['group'], string>>> = {
  cluster: 'Cluster',
  delivery: 'Delivery',
  agents: 'Agents',
  models: 'Models',
};

const entries = [
  { tab: 'overview', title: 'Overview', group: 'work', key: 'o', cluster: true, icon: IconLayoutDashboard },
  { tab: 'forgeStudio', title: 'Studio', group: 'work', key: 's', cluster: false, icon: IconTemplate },
  { tab: 'troubleshoot', title: 'Troubleshoot', group: 'work', key: 't', cluster: true, icon: IconActivity },
  {
    tab: 'controlPlanes',
    title: 'Control planes',
    group: 'cluster',
    key: 'k',
    cluster: true,
    icon: IconActivityHeartbeat,
  },
  { tab: 'namespaces', title: 'Namespaces', group: 'cluster', key: 'n', cluster: true, icon: IconBox },
  { tab: 'nodes', title: 'Nodes', group: 'cluster', key: 'h', cluster: true, icon: IconServer2 },
  { tab: 'services', title: 'Services', group: 'cluster', key: 'y', cluster: true, icon: IconPlugConnected },
  { tab: 'routes', title: 'Routes', group: 'cluster', key: 'u', cluster: true, icon: IconHierarchy2 },
  { tab: 'logs', title: 'Logs', group: 'cluster', key: 'b', cluster: true, icon: IconFileText },
  {
    tab: 'security',
    title: 'Certificates',
    group: 'cluster',
    key: 'x',
    cluster: true,
    icon: IconCertificate,
  },
  { tab: 'gitops', title: 'GitOps', group: 'delivery', key: 'p', cluster: true, icon: IconGitMerge },
  { tab: 'lineage', title: 'Lineage', group: 'delivery', key: 'l', cluster: true, icon: IconRoute },
  { tab: 'devex', title: 'DevEx', group: 'delivery', key: 'd', cluster: false, icon: IconChartBar },
  { tab: 'doctor', title: 'Doctor', group: 'delivery', key: 'z', cluster: true, icon: IconStethoscope },
  { tab: 'runs', title: 'Runs', group: 'agents', key: 'r', cluster: true, icon: IconPlayerPlay },
  { tab: 'reviews', title: 'Reviews', group: 'agents', key: 'v', cluster: false, icon: IconListCheck },
  { tab: 'agentConfig', title: 'Agent config', group: 'agents', key: 'c', cluster: false, icon: IconRobot },
  { tab: 'agents', title: 'Roster', group: 'agents', key: 'q', cluster: true, icon: IconUsersGroup },
  { tab: 'schedules', title: 'Schedules', group: 'agents', key: 'j', cluster: true, icon: IconCalendarTime },
  { tab: 'inference', title: 'Inference', group: 'models', key: 'i', cluster: true, icon: IconCpu },
  { tab: 'models', title: 'Model cards', group: 'models', key: 'm', cluster: true, icon: IconCards },
  { tab: 'finops', title: 'FinOps', group: 'models', key: 'f', cluster: true, icon: IconCoin },
  { tab: 'audit', title: 'Audit', group: 'console', key: 'a', cluster: false, icon: IconLink },
  { tab: 'access', title: 'Access', group: 'console', key: 'w', cluster: false, icon: IconShieldLock },
  {
    tab: 'settings',
    title: 'Settings',
    group: 'console',
    key: 'e',
    cluster: false,
    icon: IconAdjustmentsHorizontal,
  },
] as const;

/** The value of `?tab=` of a page. */
export type TabName = (typeof entries)[number]['tab'];

/** Every page, in rail order. The compiler then asks `app/navigation.ts` for its component. */
export const tabs: readonly Tab[] = entries;

/** Whether this console has a page of that name. */
export const isTabName = (tab: string): tab is TabName => entries.some((entry) => entry.tab === tab);

/** The address of a page. */
export const pageAddress = (tab: string): string => `/?tab=${encodeURIComponent(tab)}`;

/** The tab opened when neither the address nor the person names one. */
export const firstTab = 'overview';

/**
 * The tab to open: the address decides, then the person's preference, then the overview. A preference for a page that
 * does not exist here is passed over; an address that names one is not, so that the person is told.
 */
export function openTab(address: string | null, preferred: string, known: readonly string[]): string {
  if (address !== null && address !== '') return address;
  return known.includes(preferred) ? preferred : firstTab;
}
