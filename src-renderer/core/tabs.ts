import { pageTitles } from '#shared/page-titles.ts';
import type { Icon } from './icon.ts';
import {
  IconActivity,
  IconActivityHeartbeat,
  IconAdjustmentsHorizontal,
  IconAffiliate,
  IconArrowRight,
  IconBookmark,
  IconBox,
  IconBraces,
  IconCalendarTime,
  IconCards,
  IconCertificate,
  IconChartBar,
  IconChecklist,
  IconClipboardCheck,
  IconCoin,
  IconCpu,
  IconCreditCard,
  IconDatabase,
  IconFileText,
  IconGavel,
  IconGitMerge,
  IconHierarchy2,
  IconLayoutDashboard,
  IconLink,
  IconListCheck,
  IconMessage,
  IconPlayerPlay,
  IconPlugConnected,
  IconRobot,
  IconRoute,
  IconRouter,
  IconRuler2,
  IconScale,
  IconServer2,
  IconShieldCheck,
  IconShieldLock,
  IconStack2,
  IconStairsUp,
  IconStethoscope,
  IconTemplate,
  IconTool,
  IconTopologyStar3,
  IconUsersGroup,
} from './icons/icons.ts';

/** One page of the console as the menu and the address name it. */
export type Tab = {
  /** The value of `?tab=`. */
  readonly tab: TabName;
  readonly title: string;
  /** Groups are ruled apart in the rail; pages of one group stand together. */
  readonly group: 'work' | 'cluster' | 'delivery' | 'agents' | 'models' | 'data' | 'trust' | 'console';
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
  data: 'Data',
  trust: 'Trust',
};

const entries = [
  {
    tab: 'overview',
    title: pageTitles.overview,
    group: 'work',
    key: 'o',
    cluster: true,
    icon: IconLayoutDashboard,
  },
  {
    tab: 'forgeStudio',
    title: pageTitles.forgeStudio,
    group: 'work',
    key: 's',
    cluster: false,
    icon: IconTemplate,
  },
  {
    tab: 'troubleshoot',
    title: pageTitles.troubleshoot,
    group: 'work',
    key: 't',
    cluster: true,
    icon: IconActivity,
  },
  { tab: 'ask', title: pageTitles.ask, group: 'work', key: 'g', cluster: true, icon: IconMessage },
  { tab: 'workspace', title: pageTitles.workspace, group: 'work', cluster: false, icon: IconBookmark },
  {
    tab: 'controlPlanes',
    title: pageTitles.controlPlanes,
    group: 'cluster',
    key: 'k',
    cluster: true,
    icon: IconActivityHeartbeat,
  },
  {
    tab: 'namespaces',
    title: pageTitles.namespaces,
    group: 'cluster',
    key: 'n',
    cluster: true,
    icon: IconBox,
  },
  { tab: 'nodes', title: pageTitles.nodes, group: 'cluster', key: 'h', cluster: true, icon: IconServer2 },
  {
    tab: 'services',
    title: pageTitles.services,
    group: 'cluster',
    key: 'y',
    cluster: true,
    icon: IconPlugConnected,
  },
  {
    tab: 'routes',
    title: pageTitles.routes,
    group: 'cluster',
    key: 'u',
    cluster: true,
    icon: IconHierarchy2,
  },
  { tab: 'logs', title: pageTitles.logs, group: 'cluster', key: 'b', cluster: true, icon: IconFileText },
  {
    tab: 'forwards',
    title: pageTitles.forwards,
    group: 'cluster',
    cluster: true,
    icon: IconArrowRight,
  },
  {
    tab: 'objects',
    title: pageTitles.objects,
    group: 'cluster',
    cluster: true,
    icon: IconBraces,
  },
  {
    tab: 'security',
    title: pageTitles.security,
    group: 'cluster',
    key: 'x',
    cluster: true,
    icon: IconCertificate,
  },
  { tab: 'gitops', title: pageTitles.gitops, group: 'delivery', key: 'p', cluster: true, icon: IconGitMerge },
  { tab: 'lineage', title: pageTitles.lineage, group: 'delivery', key: 'l', cluster: true, icon: IconRoute },
  { tab: 'devex', title: pageTitles.devex, group: 'delivery', key: 'd', cluster: false, icon: IconChartBar },
  {
    tab: 'doctor',
    title: pageTitles.doctor,
    group: 'delivery',
    key: 'z',
    cluster: true,
    icon: IconStethoscope,
  },
  { tab: 'runs', title: pageTitles.runs, group: 'agents', key: 'r', cluster: true, icon: IconPlayerPlay },
  {
    tab: 'reviews',
    title: pageTitles.reviews,
    group: 'agents',
    key: 'v',
    cluster: false,
    icon: IconListCheck,
  },
  {
    tab: 'agentConfig',
    title: pageTitles.agentConfig,
    group: 'agents',
    key: 'c',
    cluster: false,
    icon: IconRobot,
  },
  { tab: 'agents', title: pageTitles.agents, group: 'agents', key: 'q', cluster: true, icon: IconUsersGroup },
  {
    tab: 'schedules',
    title: pageTitles.schedules,
    group: 'agents',
    key: 'j',
    cluster: true,
    icon: IconCalendarTime,
  },
  {
    tab: 'swarm',
    title: pageTitles.swarm,
    group: 'agents',
    cluster: true,
    icon: IconAffiliate,
  },
  { tab: 'inference', title: pageTitles.inference, group: 'models', key: 'i', cluster: true, icon: IconCpu },
  { tab: 'models', title: pageTitles.models, group: 'models', key: 'm', cluster: true, icon: IconCards },
  { tab: 'finops', title: pageTitles.finops, group: 'models', key: 'f', cluster: true, icon: IconCoin },
  {
    tab: 'connections',
    title: pageTitles.connections,
    group: 'data',
    cluster: false,
    icon: IconDatabase,
  },
  { tab: 'runners', title: pageTitles.runners, group: 'data', cluster: false, icon: IconRouter },
  {
    tab: 'dataLineage',
    title: pageTitles.dataLineage,
    group: 'data',
    cluster: true,
    icon: IconTopologyStar3,
  },
  { tab: 'domains', title: pageTitles.domains, group: 'data', cluster: false, icon: IconStack2 },
  {
    tab: 'harness',
    title: pageTitles.harness,
    group: 'trust',
    cluster: true,
    icon: IconTool,
  },
  {
    tab: 'guardrails',
    title: pageTitles.guardrails,
    group: 'trust',
    cluster: false,
    icon: IconShieldCheck,
  },
  {
    tab: 'measures',
    title: pageTitles.measures,
    group: 'trust',
    cluster: true,
    icon: IconRuler2,
  },
  {
    tab: 'compliance',
    title: pageTitles.compliance,
    group: 'trust',
    cluster: true,
    icon: IconChecklist,
  },
  {
    tab: 'maturity',
    title: pageTitles.maturity,
    group: 'trust',
    cluster: true,
    icon: IconStairsUp,
  },
  {
    tab: 'governance',
    title: pageTitles.governance,
    group: 'trust',
    cluster: true,
    icon: IconClipboardCheck,
  },
  {
    tab: 'rules',
    title: pageTitles.rules,
    group: 'trust',
    cluster: false,
    icon: IconScale,
  },
  {
    tab: 'judgement',
    title: pageTitles.judgement,
    group: 'trust',
    cluster: false,
    icon: IconGavel,
  },
  {
    tab: 'playbooks',
    title: pageTitles.playbooks,
    group: 'trust',
    cluster: false,
    icon: IconListCheck,
  },
  { tab: 'billing', title: pageTitles.billing, group: 'console', cluster: false, icon: IconCreditCard },
  { tab: 'audit', title: pageTitles.audit, group: 'console', key: 'a', cluster: false, icon: IconLink },
  {
    tab: 'access',
    title: pageTitles.access,
    group: 'console',
    key: 'w',
    cluster: false,
    icon: IconShieldLock,
  },
  {
    tab: 'settings',
    title: pageTitles.settings,
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

/** Whether a page reads a cluster or a bundle. */
export const readsCluster = (tab: string): boolean =>
  entries.some((entry) => entry.tab === tab && entry.cluster);

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
