import { AttemptState, RunState, StepKind, WaitsFor } from '#shared/gen/platform/v1/playbook_pb.js';
import type { StateName } from '../../core/state-name.ts';

type Shown = { readonly state: StateName; readonly label: string };

const runStates: Readonly<Record<RunState, Shown>> = {
  [RunState.UNSPECIFIED]: { state: 'unknown', label: 'Unknown' },
  [RunState.RUNNING]: { state: 'working', label: 'Running' },
  [RunState.WAITING]: { state: 'working', label: 'Waiting' },
  [RunState.SUCCEEDED]: { state: 'healthy', label: 'Succeeded' },
  [RunState.FAILED]: { state: 'failing', label: 'Failed' },
  [RunState.CANCELLED]: { state: 'idle', label: 'Cancelled' },
};

const attemptStates: Readonly<Record<AttemptState, Shown>> = {
  [AttemptState.UNSPECIFIED]: { state: 'unknown', label: 'Unknown' },
  [AttemptState.RUNNING]: { state: 'working', label: 'Running' },
  [AttemptState.WAITING]: { state: 'working', label: 'Waiting' },
  [AttemptState.DONE]: { state: 'healthy', label: 'Done' },
  [AttemptState.FAILED]: { state: 'failing', label: 'Failed' },
  [AttemptState.SKIPPED]: { state: 'idle', label: 'Skipped' },
  [AttemptState.UNKNOWN]: { state: 'unknown', label: 'Outcome unknown' },
  [AttemptState.CANCELLED]: { state: 'idle', label: 'Not done' },
  [AttemptState.UNDONE]: { state: 'idle', label: 'Undone' },
};

/** Returns a run's state as it is shown. */
export const shownRun = ({ state }: { readonly state: RunState }): Shown => runStates[state];

/** Returns an attempt's state as it is shown; what waits for a person stands out. */
export function shownAttempt({
  state,
  waitsFor,
}: {
  readonly state: AttemptState;
  readonly waitsFor: WaitsFor;
}): Shown {
  return waitsFor === WaitsFor.APPROVAL && state === AttemptState.WAITING
    ? { state: 'degraded', label: 'Needs approval' }
    : attemptStates[state];
}

/** What each kind of step does, in a word. */
export const kindLabels: Readonly<Record<StepKind, string>> = {
  [StepKind.UNSPECIFIED]: 'Step',
  [StepKind.READ]: 'Read',
  [StepKind.CHECK]: 'Check',
  [StepKind.ACT]: 'Act',
  [StepKind.DISPATCH]: 'Dispatch',
  [StepKind.COMMAND]: 'Command',
  [StepKind.APPROVAL]: 'Approval',
  [StepKind.WAIT]: 'Wait',
};
