import type { ActClass, Autonomy } from '#shared/api/guardrails.ts';

/** Title of each class of acts. */
export const classTitles: Readonly<Record<ActClass, string>> = {
  reports: 'Reports',
  agents: 'Agents',
  workloads: 'Workloads',
  data_sources: 'Data sources',
  credentials: 'Credentials',
  deletion: 'Deletion',
  access: 'Access',
  oversight: 'Oversight',
};

/** Label of each autonomy. */
export const autonomyLabels: Readonly<Record<Autonomy, string>> = { off: 'Off', ask: 'Ask', auto: 'Auto' };
