import type { Hop } from '#shared/api/cluster.ts';
import type { StateName } from '../../core/state-name.ts';

/** The steps of every route, in order; a route may lack some. */
export const steps = ['host', 'gateway', 'path', 'service', 'endpoints', 'workload'] as const;

export const stepLabels: Readonly<Record<Hop['step'], string>> = {
  host: 'Host',
  gateway: 'Gateway',
  path: 'Path',
  service: 'Service',
  endpoints: 'Endpoints',
  workload: 'Workload',
};

/** Icon and label of each hop state. Hops after a broken one are not checked. */
export const hopStates: Readonly<
  Record<Hop['state'], { readonly state: StateName; readonly label: string }>
> = {
  holds: { state: 'healthy', label: 'Holds' },
  broken: { state: 'failing', label: 'Broken' },
  unreached: { state: 'idle', label: 'Not reached' },
  not_read: { state: 'unknown', label: 'Not read' },
};
