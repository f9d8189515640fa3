import type { RunState } from '#shared/api/runs.ts';
import type { StateName } from '../core/state-name.ts';

/** Icon and label of each run state. */
export const runStates: Readonly<Record<RunState, { readonly state: StateName; readonly label: string }>> = {
  failure: { state: 'failing', label: 'Failed' },
  waiting: { state: 'degraded', label: 'Waiting' },
  running: { state: 'working', label: 'Running' },
  queued: { state: 'idle', label: 'Queued' },
  cancelled: { state: 'idle', label: 'Cancelled' },
  skipped: { state: 'idle', label: 'Skipped' },
  success: { state: 'healthy', label: 'Succeeded' },
};

/** Every state, the one that needs a person most first. */
export const worstFirst: readonly RunState[] = [
  'failure',
  'waiting',
  'running',
  'queued',
  'cancelled',
  'skipped',
  'success',
];

/** True for a run that has not ended. */
export const isUnderWay = (state: RunState): boolean =>
  state === 'running' || state === 'queued' || state === 'waiting';

/** Formats a duration in its two largest units: `41 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h`. */
export function formatTook(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const days = Math.floor(whole / 86_400);
  const hours = Math.floor(whole / 3600) % 24;
  const minutes = Math.floor(whole / 60) % 60;
  if (days > 0) return hours === 0 ? `${days} d` : `${days} d ${hours} h`;
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  if (minutes > 0) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return `${whole} s`;
}
