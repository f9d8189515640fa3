import type { HealthState } from '#shared/api/cluster.ts';
import type { Standing } from '../../cluster-model/index.ts';

const graveness: Readonly<Record<HealthState, number>> = {
  failing: 5,
  degraded: 4,
  not_read: 3,
  working: 2,
  healthy: 1,
  idle: 0,
};

/** The gravest of some standings; idle without any. */
export function gravest(standings: readonly Standing[]): Standing {
  return standings.reduce<Standing>(
    (worst, { state, reason }) =>
      graveness[state] > graveness[worst.state]
        ? { state, ...(reason === undefined ? {} : { reason }) }
        : worst,
    { state: 'idle' },
  );
}
