import type { Delivery } from '#shared/api/delivery.ts';
import type { StateName } from '../../core/state-name.ts';
import type { GitopsAnswer } from './gitops-queries.ts';

type Shown = { readonly state: StateName; readonly label: string };

/** Icon and label of each sync state: whether the newest revision is delivered. */
export const syncs: Readonly<Record<Delivery['sync'], Shown>> = {
  synced: { state: 'healthy', label: 'Synced' },
  progressing: { state: 'working', label: 'Progressing' },
  out_of_sync: { state: 'degraded', label: 'Out of sync' },
  not_read: { state: 'unknown', label: 'Not read' },
};

/** Icon and label of the health of what is delivered. */
export const healths: Readonly<Record<Delivery['health'], Shown>> = {
  healthy: { state: 'healthy', label: 'Healthy' },
  progressing: { state: 'working', label: 'Progressing' },
  degraded: { state: 'degraded', label: 'Degraded' },
  suspended: { state: 'idle', label: 'Suspended' },
  missing: { state: 'failing', label: 'Missing' },
  not_read: { state: 'unknown', label: 'Not read' },
};

/** Overall state of a delivery: the worse of sync and health. Worst first. */
export const deliveryStatuses = [
  'missing',
  'degraded',
  'out_of_sync',
  'not_read',
  'suspended',
  'progressing',
  'synced',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const standingLabels: Readonly<Record<DeliveryStatus, Shown>> = {
  missing: healths.missing,
  degraded: healths.degraded,
  out_of_sync: syncs.out_of_sync,
  not_read: syncs.not_read,
  suspended: healths.suspended,
  progressing: syncs.progressing,
  synced: syncs.synced,
};

/** The standing of a delivery. */
export function statusOf({ sync, health }: Delivery): DeliveryStatus {
  if (health === 'missing' || health === 'degraded') return health;
  if (sync === 'out_of_sync' || sync === 'not_read') return sync;
  if (health === 'not_read') return health;
  if (health === 'suspended') return health;
  return sync === 'progressing' || health === 'progressing' ? 'progressing' : 'synced';
}

/** Label of the source of the deliveries, beside the page's title. */
export const modeLabels: Readonly<Record<GitopsAnswer['mode'], string>> = {
  argocd: 'From the Applications of Argo CD',
  flux: 'From the Kustomizations and HelmReleases of Flux',
  workflows: 'From workflow runs: no Argo CD or Flux was found in the cluster',
};

/** Returns the unique key of a delivery, used in the address. */
export const deliveryKey = ({ repo, name }: Delivery): string =>
  repo === undefined ? name : `${repo}/${name}`;
