import type { ActClass } from '#shared/api/guardrails.ts';
import type { Caller } from '#shared/api/handler.ts';
import type { Acts } from '../acts/index.ts';
import type { Audit } from '../audit/index.ts';
import type { Actor, Decision } from '../guardrails/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import type { PlaybookDefinition, PlaybookStep } from './definition.ts';
import type { Attempt, Progress, WaitsFor } from './progress.ts';
import type { PlaybookRunRow, PlaybookSignalRow } from './store.ts';
import type { Scope } from './templates.ts';

/** A person's own queue of commands, as far as playbooks use it. */
export type Commands = {
  /** Puts a command in once for each id. */
  enqueue(email: string, command: string, id: string): Promise<unknown>;
  /** Returns how a command stands; undefined for one that is gone. */
  find(
    email: string,
    id: string,
  ): Promise<
    | { readonly state: 'queued' | 'claimed' | 'done' | 'failed'; readonly output?: string | undefined }
    | undefined
  >;
};

/** What steps are carried out by. */
export type StepParts = {
  readonly acts: Pick<Acts, 'preview' | 'perform'>;
  /** Decides whether the platform may act, asked immediately before each act. */
  readonly decide: (name: ActClass, actor: Actor) => Promise<Decision>;
  /** Classes whose acts somebody else than who started the run has to approve. */
  readonly needsOther: (name: ActClass) => Promise<boolean>;
  readonly targetOf: OpenTargetOf;
  /** Name of the target that rehearsals are bound to; undefined while the sandbox does not run. */
  readonly sandboxTarget: () => string | undefined;
  readonly commands: Commands;
  readonly audit: Audit;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** One attempt of a step, as it is worked on. */
export type Work = {
  readonly run: PlaybookRunRow;
  readonly definition: PlaybookDefinition;
  readonly step: PlaybookStep;
  readonly attempt: Attempt;
  readonly progress: Progress;
  readonly scope: Scope;
  readonly signals: ReadonlyMap<string, PlaybookSignalRow>;
  readonly signal: AbortSignal;
  /** Keeps the attempt before it goes on: what is done next is known to have been meant. Throws `LeaseLost`. */
  keep(attempt: Attempt): Promise<void>;
};

/** What an attempt came to for now. */
export type StepOutcome =
  | { readonly is: 'ended'; readonly attempt: Attempt }
  /** `wakeAt` in epoch ms: when to look again, if nothing comes in before. */
  | { readonly is: 'waiting'; readonly attempt: Attempt; readonly wakeAt: number };

/** Returns an attempt that has ended. */
export function ended(
  attempt: Attempt,
  state: 'done' | 'failed' | 'skipped' | 'cancelled',
  sentence: string,
  at: number,
): StepOutcome {
  const { waits_for: _waits, ...rest } = attempt;
  return { is: 'ended', attempt: { ...rest, state, sentence, ended_at: at } };
}

/** Returns an attempt that waits. */
export function waiting(
  attempt: Attempt,
  waits_for: WaitsFor,
  sentence: string,
  wakeAt: number,
): StepOutcome {
  const state = waits_for === 'look' ? 'unknown' : 'waiting';
  return { is: 'waiting', attempt: { ...attempt, state, waits_for, sentence }, wakeAt };
}

/** Returns the name under which a run acts. */
export function actorOf({ playbook, id }: PlaybookRunRow, approvedBy?: string): Actor {
  return { kind: 'platform', by: `playbook ${playbook}, run ${id}`, approvedBy };
}

/** Returns who a run reads as: the person who started it, or who armed it. */
export function readerOf({ started_by, started_kind }: PlaybookRunRow): Pick<Caller, 'email'> {
  return { email: started_kind === 'person' ? started_by : undefined };
}

/** A decision of a person on an attempt, as it is kept. */
export type KeptDecision = {
  readonly by: string;
  readonly verdict: 'approve' | 'reject';
  readonly note: string;
  readonly confirm: string;
};

/** Returns the decision on an attempt that waits for one; `look` decides on an unknown outcome. */
export function decisionOn(
  { signals, attempt }: Pick<Work, 'signals' | 'attempt'>,
  about: 'approval' | 'look',
): KeptDecision | undefined {
  const row = signals.get(decisionName(attempt.seq, about));
  if (row === undefined) return undefined;
  const data = JSON.parse(row.data) as Pick<KeptDecision, 'verdict' | 'note' | 'confirm'>;
  return { ...data, by: row.by };
}

/** Returns the name of the signal of a decision. */
export function decisionName(seq: number, about: 'approval' | 'look'): string {
  return `${about}/${seq}`;
}

/** Whether a decision counts that only somebody else than who started the run may make. */
export function mayDecide(run: PlaybookRunRow, by: string, other: boolean): boolean {
  return !other || run.rehearsal === 1 || run.started_kind !== 'person' || run.started_by !== by;
}
