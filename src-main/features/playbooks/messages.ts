import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  type AttemptSchema,
  AttemptState,
  InputType,
  type PlaybookSchema,
  type RunSchema,
  RunState,
  StepKind,
  type StepSchema,
  WaitsFor,
} from '#shared/gen/platform/v1/playbook_pb.js';
import type { Playbook } from './catalogue.ts';
import { kindOf, type PlaybookDefinition, type PlaybookStep } from './definition.ts';
import type { Attempt, Progress } from './progress.ts';
import { mayDecide } from './step-outcome.ts';
import type { PlaybookRunRow } from './store.ts';

const runStates = {
  running: RunState.RUNNING,
  waiting: RunState.WAITING,
  succeeded: RunState.SUCCEEDED,
  failed: RunState.FAILED,
  cancelled: RunState.CANCELLED,
} as const;

const attemptStates = {
  running: AttemptState.RUNNING,
  waiting: AttemptState.WAITING,
  done: AttemptState.DONE,
  failed: AttemptState.FAILED,
  skipped: AttemptState.SKIPPED,
  unknown: AttemptState.UNKNOWN,
  cancelled: AttemptState.CANCELLED,
  undone: AttemptState.UNDONE,
} as const;

const waits = {
  approval: WaitsFor.APPROVAL,
  look: WaitsFor.LOOK,
  report: WaitsFor.REPORT,
  command: WaitsFor.COMMAND,
  condition: WaitsFor.CONDITION,
} as const;

const kinds = {
  read: StepKind.READ,
  check: StepKind.CHECK,
  act: StepKind.ACT,
  dispatch: StepKind.DISPATCH,
  command: StepKind.COMMAND,
  approval: StepKind.APPROVAL,
  wait: StepKind.WAIT,
} as const;

const inputTypes = {
  text: InputType.TEXT,
  name: InputType.NAME,
  number: InputType.NUMBER,
  boolean: InputType.BOOLEAN,
} as const;

/** Returns a playbook as the service answers it. */
export function playbookMessage({
  name,
  digest,
  definition,
  shipped,
  row,
}: Playbook): MessageInitShape<typeof PlaybookSchema> {
  return {
    name,
    digest,
    shipped,
    changed: shipped && row !== undefined,
    armed: row?.armed === 1,
    revision: BigInt(row?.revision ?? 0),
    updatedBy: row?.updated_by ?? '',
    ...(row === undefined ? {} : { updatedAt: timestampFromMs(row.updated_at) }),
    ...(definition === undefined ? { title: name } : definitionMessage(definition)),
  };
}

function definitionMessage({ title, description, inputs, steps, start }: PlaybookDefinition) {
  return {
    title,
    description,
    inputs: inputs.map(({ type, default: value, ...input }) => ({
      ...input,
      type: inputTypes[type],
      default: value === undefined ? '' : String(value),
    })),
    steps: steps.map(stepMessage),
    schedules: start.schedule.map(({ cron, time_zone }) => `${cron} ${time_zone}`),
    events: start.events.map(({ type }) => type),
  };
}

/** Returns a definition that was checked, saved or not, as the service answers it. */
export function checkedMessage(
  definition: PlaybookDefinition,
  digest: string,
): MessageInitShape<typeof PlaybookSchema> {
  return { name: definition.name, digest, ...definitionMessage(definition) };
}

const stepMessage = (step: PlaybookStep): MessageInitShape<typeof StepSchema> => ({
  id: step.id,
  title: step.title,
  kind: kinds[kindOf(step)],
});

export type ShownRun = {
  readonly row: PlaybookRunRow;
  readonly progress: Progress;
  readonly definition: PlaybookDefinition | undefined;
  readonly cancelling: boolean;
  readonly undoable: number;
};

/** Returns a run with its attempts as the service answers it. */
export function runMessage({
  row,
  progress,
  definition,
  cancelling,
  undoable,
}: ShownRun): MessageInitShape<typeof RunSchema> {
  return {
    ...runHeadMessage(row),
    attempts: progress.attempts.map((attempt) =>
      attemptMessage(attempt, row, definition?.steps[attempt.index]),
    ),
    steps: definition?.steps.map(stepMessage) ?? [],
    cancelling,
    undoable,
  };
}

/** Returns a run without its attempts. */
export function runHeadMessage(row: PlaybookRunRow) {
  const inputs = JSON.parse(row.inputs) as Record<string, unknown>;
  return {
    id: row.id,
    playbook: row.playbook,
    title: row.title,
    digest: row.digest,
    state: runStates[row.state],
    sentence: row.sentence,
    target: row.target ?? '',
    rehearsal: row.rehearsal === 1,
    inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)])),
    startedBy: row.started_by,
    startedKind: row.started_kind,
    startedAt: timestampFromMs(row.started_at),
    ...(row.ended_at === null ? {} : { endedAt: timestampFromMs(row.ended_at) }),
    version: BigInt(row.version + row.signals),
  };
}

function attemptMessage(
  attempt: Attempt,
  run: PlaybookRunRow,
  step: PlaybookStep | undefined,
): MessageInitShape<typeof AttemptSchema> {
  const { act, waits_for, result, ended_at, decided_by = '', note = '', undoes = 0 } = attempt;
  const other = act?.other === true || (step !== undefined && 'approval' in step && step.approval.other);
  return {
    seq: attempt.seq,
    step: attempt.step,
    title: step?.title ?? attempt.step,
    kind: step === undefined ? StepKind.UNSPECIFIED : kinds[kindOf(step)],
    attempt: attempt.attempt,
    state: attemptStates[attempt.state],
    waitsFor: waits_for === undefined ? WaitsFor.UNSPECIFIED : waits[waits_for],
    sentence: attempt.sentence,
    startedAt: timestampFromMs(attempt.started_at),
    ...(ended_at === undefined ? {} : { endedAt: timestampFromMs(ended_at) }),
    result: result === undefined ? '' : JSON.stringify(result),
    actDigest: act?.digest ?? '',
    changes: act?.changes ?? [],
    warnings: act?.warnings ?? [],
    confirm: act?.protected === true ? act.request.target : '',
    needsOther: !mayDecide(run, run.started_by, other),
    decidedBy: decided_by,
    note,
    undoes,
    canUndo: attempt.state === 'done' && undoes === 0 && act?.undo !== undefined,
    fence: attempt.fence,
  };
}
