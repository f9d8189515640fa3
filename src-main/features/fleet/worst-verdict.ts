import type { HealthState } from '#shared/api/cluster.ts';
import type { HealthVerdict } from '../../cluster-model/index.ts';

const severity: Readonly<Record<HealthState, number>> = {
  failing: 5,
  degraded: 4,
  not_read: 3,
  working: 2,
  healthy: 1,
  idle: 0,
};

/** The gravest of some standings; idle without any. */
export function worstOf(verdicts: readonly HealthVerdict[]): HealthVerdict {
  return verdicts.reduce<HealthVerdict>(
    (worst, { state, reason }) =>
      severity[state] > severity[worst.state]
        ? { state, ...(reason === undefined ? {} : { reason }) }
        : worst,
    { state: 'idle' },
  );
}
