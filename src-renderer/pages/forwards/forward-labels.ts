import type { Forward } from '#shared/api/forwards.ts';
import type { StateName } from '../../core/state-name.ts';

/** How each state of a forward is shown. */
export const forwardStates: Readonly<Record<Forward['state'], { state: StateName; label: string }>> = {
  listening: { state: 'healthy', label: 'Listening' },
  stopped: { state: 'idle', label: 'Stopped' },
  failed: { state: 'failing', label: 'Not opened' },
};
