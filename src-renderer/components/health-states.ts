import type { HealthState } from '#shared/api/cluster.ts';
import type { StateName } from '../core/state-name.ts';

/** Icon and label of each health state. `unknown` was not read and may be anything. */
export const healthStates: Readonly<
  Record<HealthState, { readonly state: StateName; readonly label: string }>
> = {
  failing: { state: 'failing', label: 'Failing' },
  degraded: { state: 'degraded', label: 'Degraded' },
  not_read: { state: 'unknown', label: 'Not read' },
  working: { state: 'working', label: 'Working' },
  healthy: { state: 'healthy', label: 'Healthy' },
  idle: { state: 'idle', label: 'Idle' },
};

/** True for what stands ill, so that a person asks why. */
export const needsExplaining = (state: HealthState): boolean => state === 'failing' || state === 'degraded';
