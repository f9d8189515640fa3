import { ListenerState } from '#shared/gen/datasource/v1/listeners_pb.js';
import { RunnerState } from '#shared/gen/datasource/v1/runners_pb.js';
import type { StateName } from '../../core/state-name.ts';

type Shown = { readonly state: StateName; readonly label: string };

/** Runners by their state, worst first. */
export const runnerStates: Readonly<Record<RunnerState, Shown & { readonly rank: number }>> = {
  [RunnerState.OFFLINE]: { state: 'failing', label: 'Offline', rank: 0 },
  [RunnerState.UNSPECIFIED]: { state: 'unknown', label: 'Unknown', rank: 1 },
  [RunnerState.ENROLLING]: { state: 'working', label: 'Enrolling', rank: 2 },
  [RunnerState.CONNECTED]: { state: 'healthy', label: 'Connected', rank: 3 },
  [RunnerState.REVOKED]: { state: 'idle', label: 'Revoked', rank: 4 },
};

/** Listeners by their state. */
export const listenerStates: Readonly<Record<ListenerState, Shown>> = {
  [ListenerState.UNSPECIFIED]: { state: 'unknown', label: 'Unknown' },
  [ListenerState.PENDING]: { state: 'working', label: 'Pending' },
  [ListenerState.LISTENING]: { state: 'healthy', label: 'Listening' },
  [ListenerState.FAILED]: { state: 'failing', label: 'Failed' },
  [ListenerState.OFFLINE]: { state: 'idle', label: 'Offline' },
};

/** Labels as a person writes them: `region=eu, stage=prod`. */
export const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

/** Reads labels; undefined for a text that is none. */
export function readLabels(text: string): Record<string, string> | undefined {
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const entries = parts.map((part) => /^([^=]+)=([^=]*)$/.exec(part));
  if (entries.includes(null)) return undefined;
  return Object.fromEntries(entries.map((entry) => [entry?.[1] ?? '', entry?.[2] ?? '']));
}
