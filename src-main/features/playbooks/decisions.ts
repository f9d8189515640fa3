import type { Kysely } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import { undoable } from './advance.ts';
import { definitionOf } from './catalogue.ts';
import { type Attempt, type Progress, progress as progressShape } from './progress.ts';
import { putSignal, readRun, readText } from './runs.ts';
import { decisionName, mayDecide } from './step-outcome.ts';
import type { PlaybookRunRow, PlaybookTables } from './store.ts';

export type DecisionParts = {
  readonly db: Kysely<PlaybookTables>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Tells every console that there is something new for a run. */
  readonly changed: (runId: string) => void;
};

/** A decision of a person on an attempt that waits for one. */
export type GivenDecision = {
  readonly runId: string;
  readonly seq: number;
  readonly verdict: 'approve' | 'reject';
  readonly by: string;
  readonly note: string;
  /** Digest of the act that the person was shown; empty where none acts. */
  readonly digest: string;
  /** The name of a protected target, as the person typed it. */
  readonly confirm: string;
};

/** Decides on an attempt. Throws `NotFound`, `Conflict` for a second decision and for another act, `NotAllowed`, `BadInput`. */
export async function decideStep(parts: DecisionParts, given: GivenDecision): Promise<void> {
  const { runId, seq, verdict, by, note, digest, confirm } = given;
  const run = await readRun(parts.db, runId);
  const progress = progressOf(run);
  const attempt = progress.attempts.find((each) => each.seq === seq);
  if (attempt === undefined) throw new ConsoleError('NotFound', 'This run has no such step: reload it.');
  const about = attempt.waits_for;
  if (attempt.ended_at !== undefined || (about !== 'approval' && about !== 'look') || run.ended_at !== null)
    throw new ConsoleError('Conflict', `The step waits for no decision. ${attempt.sentence}`);
  if (verdict === 'approve' && about === 'approval')
    await mayApprove(parts, run, attempt, { by, digest, confirm });
  const { kept, created } = await putSignal(parts.db, {
    run_id: runId,
    name: decisionName(seq, about),
    by,
    at: parts.now(),
    data: JSON.stringify({ verdict, note, confirm }),
  });
  parts.changed(runId);
  if (!created) throw new ConsoleError('Conflict', `${kept.by} decided already: the first decision counts.`);
}

async function mayApprove(
  { db }: DecisionParts,
  run: PlaybookRunRow,
  { act, index }: Attempt,
  { by, digest, confirm }: Pick<GivenDecision, 'by' | 'digest' | 'confirm'>,
): Promise<void> {
  if (act !== undefined && act.digest !== digest)
    throw new ConsoleError(
      'Conflict',
      'The act is another one than was shown: reload the run and look again.',
    );
  if (act?.protected === true && confirm !== act.request.target)
    throw new ConsoleError(
      'BadInput',
      `confirm: type the name of the protected target, ${act.request.target}.`,
    );
  const step = (await definitionOfRun(db, run))?.steps[index];
  const other = act?.other === true || (step !== undefined && 'approval' in step && step.approval.other);
  if (!mayDecide(run, by, other))
    throw new ConsoleError('NotAllowed', 'You started this run: somebody else has to approve this step.');
}

/** Asks a run to end before its next step. Throws `NotFound`, `Refused` for one that has ended. */
export async function cancelRun(parts: DecisionParts, runId: string, by: string): Promise<void> {
  const run = await readRun(parts.db, runId);
  if (run.ended_at !== null) throw new ConsoleError('Refused', `This run has ended. ${run.sentence}`);
  await putSignal(parts.db, { run_id: runId, name: 'cancel', by, at: parts.now(), data: '{}' });
  parts.changed(runId);
}

/** Asks for the undo of what a run did. Throws `NotFound`, `Refused` when there is nothing to undo. */
export async function undoRun(parts: DecisionParts, runId: string, by: string): Promise<void> {
  const run = await readRun(parts.db, runId);
  if (run.ended_at === null) throw new ConsoleError('Refused', 'This run has not ended: cancel it first.');
  if ((await undoableOf(parts.db, run)) === 0)
    throw new ConsoleError('Refused', 'Nothing of this run can be undone by the console.');
  await putSignal(
    parts.db,
    { run_id: runId, name: 'undo', by, at: parts.now(), data: '{}' },
    { reopen: true },
  );
  parts.changed(runId);
}

/** Returns how many acts of a run that ended early could be undone. */
export async function undoableOf(db: Kysely<PlaybookTables>, run: PlaybookRunRow): Promise<number> {
  if (run.state !== 'cancelled' && run.state !== 'failed') return 0;
  const progress = progressOf(run);
  if (progress.attempts.some(({ undoes }) => undoes !== undefined)) return 0;
  const definition = await definitionOfRun(db, run);
  return definition === undefined ? 0 : undoable(definition, progress, false).length;
}

/** Returns how far a run has come. */
export function progressOf(run: Pick<PlaybookRunRow, 'progress'>): Progress {
  return progressShape.parse(JSON.parse(run.progress));
}

/** Returns the definition that a run is pinned to; undefined where this console cannot read it. */
export async function definitionOfRun(
  db: Kysely<PlaybookTables>,
  { digest }: Pick<PlaybookRunRow, 'digest'>,
) {
  const text = await readText(db, digest);
  return text === undefined ? undefined : definitionOf(text, digest);
}
