import { ConsoleError } from '#shared/errors.ts';
import { errorMessage } from '../../base/error-message.ts';
import { celInput, compileCondition } from '../../cel/index.ts';
import { actStep, requestOf, undoRequest } from './act-step.ts';
import { stepVariables, waitVariables } from './check-definition.ts';
import {
  kindOf,
  mostAttempts,
  type PlaybookDefinition,
  type PlaybookStep,
  usualTimeout,
} from './definition.ts';
import { LeaseLost } from './leases.ts';
import { approvalStep, commandStep, dispatchStep } from './message-steps.ts';
import type { Attempt, Progress } from './progress.ts';
import { readStep } from './read-step.ts';
import { ended, type StepOutcome, type StepParts, type Work, waiting } from './step-outcome.ts';
import { type Scope, TemplateFault } from './templates.ts';

/** Largest progress of a run, in characters of JSON: results of steps beyond it are not kept. */
const largestProgress = 1_000_000;

/** Tells a failure that is no step's fault, such as a store that does not answer: the step is tried again later. */
export class TryLater extends Error {}

/** Returns what conditions and texts of a step read. */
export function scopeOf(
  run: Work['run'],
  { attempts }: Pick<Progress, 'attempts'>,
): Scope & { readonly steps: unknown } {
  const steps: Record<string, unknown> = {};
  for (const { step, state, sentence, result, decided_by, attempt, undoes } of attempts)
    if (undoes === undefined)
      steps[step] = {
        state,
        sentence,
        attempt,
        ...(result === undefined ? {} : { result }),
        ...(decided_by === undefined ? {} : { decided_by }),
      };
  return {
    input: JSON.parse(run.inputs) as unknown,
    event: run.event === null ? {} : (JSON.parse(run.event) as unknown),
    steps,
    run: { id: run.id, playbook: run.playbook, started_by: run.started_by, rehearsal: run.rehearsal === 1 },
  };
}

/** Asks a condition of a scope. Throws `ConsoleError` where it cannot be answered. */
export function holds(text: string, scope: Scope, variables: readonly string[]): boolean {
  const compiled = compileCondition(text, variables);
  if ('fault' in compiled) throw new ConsoleError('Refused', compiled.fault);
  const values = Object.fromEntries(variables.map((name) => [name, celInput(scope[name] ?? {})]));
  const outcome = compiled.condition.evaluate(values);
  if ('fault' in outcome) throw new ConsoleError('Refused', outcome.fault);
  return outcome.holds;
}

/** Works on an open attempt as far as it goes now. Throws `LeaseLost` and `TryLater`; any other failure ends the attempt. */
export async function workOn(work: Work, parts: StepParts): Promise<StepOutcome> {
  const { attempt } = work;
  const begun = attempt.act?.begun === true && attempt.state === 'running';
  // An act that may have begun has an outcome, late or not: the registry knows it by its key.
  if (!begun && attempt.state !== 'unknown' && parts.now() >= attempt.deadline)
    return ended(attempt, 'failed', `It took too long: ${attempt.sentence}`, parts.now());
  try {
    return bounded(await carryOut(work, parts), work, parts.now());
  } catch (error) {
    return failed(error, work, parts);
  }
}

function failed(error: unknown, { attempt, signal }: Work, parts: StepParts): StepOutcome {
  if (error instanceof LeaseLost) throw error;
  if (signal.aborted) throw new TryLater('The console is closing, or another one took the run.');
  if (error instanceof ConsoleError && error.name !== 'Unavailable')
    return ended(attempt, 'failed', error.message, parts.now());
  if (error instanceof TemplateFault) return ended(attempt, 'failed', error.message, parts.now());
  throw new TryLater(errorMessage(error), { cause: error });
}

function bounded(outcome: StepOutcome, { progress }: Work, at: number): StepOutcome {
  const { result } = outcome.attempt;
  if (result === undefined) return outcome;
  const size = JSON.stringify(progress).length + JSON.stringify(result).length;
  if (size <= largestProgress) return outcome;
  const { result: _result, ...rest } = outcome.attempt;
  return ended(rest, 'failed', 'The results of this run are too large to keep: read less.', at);
}

async function carryOut(work: Work, parts: StepParts): Promise<StepOutcome> {
  const { step, attempt, scope } = work;
  const { now } = parts;
  if (attempt.undoes !== undefined) return actStep(work, parts, undoOf(work, parts));
  if ('act' in step) {
    const request = attempt.act?.request ?? requestOf(step.act, work, parts);
    return actStep(work, parts, { request, classes: [] });
  }
  if ('read' in step) {
    const read = await readStep(step.read, work, parts);
    if ('unread' in read) return ended(attempt, 'failed', read.unread, now());
    return ended({ ...attempt, result: jsonOf(read.value) }, 'done', read.sentence, now());
  }
  if ('check' in step)
    return holds(step.check, scope, stepVariables)
      ? ended(attempt, 'done', 'It holds.', now())
      : ended(attempt, 'failed', step.message ?? `It does not hold: ${step.check}`, now());
  if ('dispatch' in step) return dispatchStep(step.dispatch, work, parts);
  if ('command' in step) return commandStep(step.command.text, work, parts);
  if ('approval' in step) return approvalStep(step.approval, work, parts);
  return waitStep(step.wait, work, parts);
}

const jsonOf = (value: unknown): Exclude<Attempt['result'], undefined> =>
  JSON.parse(JSON.stringify(value ?? null));

function undoOf(work: Work, parts: StepParts) {
  const { attempt, step, progress } = work;
  const original = progress.attempts.find(({ seq }) => seq === attempt.undoes);
  const request =
    attempt.act?.request ??
    (typeof step.compensate === 'object'
      ? requestOf(step.compensate, work, parts)
      : original?.act?.undo === undefined
        ? undefined
        : undoRequest(original.act.request.target, original.act.undo));
  if (request === undefined) throw new ConsoleError('Refused', 'Nothing undoes this step.');
  return { request, classes: [] };
}

async function waitStep(
  { until, read, every }: Extract<PlaybookStep, { wait: unknown }>['wait'],
  work: Work,
  parts: StepParts,
): Promise<StepOutcome> {
  const { attempt, scope } = work;
  const { now } = parts;
  const seen = read === undefined ? undefined : await readStep(read, work, parts);
  if (seen !== undefined && 'unread' in seen)
    return waiting(attempt, 'condition', seen.unread, now() + every);
  const result = seen === undefined ? {} : seen.value;
  const known = seen === undefined ? attempt : { ...attempt, result: jsonOf(result) };
  // A field that is not there yet is no fault of a condition that waits for it.
  const outcome = askWhileWaiting(until, { ...scope, result });
  if (outcome === true) return ended(known, 'done', 'It holds now.', now());
  return waiting(
    known,
    'condition',
    outcome === false ? `Waits until ${until}` : outcome,
    Math.min(now() + every, attempt.deadline),
  );
}

function askWhileWaiting(until: string, scope: Scope): boolean | string {
  try {
    return holds(until, scope, waitVariables);
  } catch (error) {
    if (error instanceof ConsoleError) return error.message;
    throw error;
  }
}

/** What comes after an attempt, or at the beginning. */
export type Next =
  | { readonly is: 'attempt'; readonly progress: Progress; readonly attempt: Attempt }
  /** `at` in epoch ms. */
  | { readonly is: 'pause'; readonly at: number }
  | { readonly is: 'end'; readonly state: 'succeeded' | 'failed' | 'cancelled'; readonly sentence: string }
  /** Something changed without an attempt to work on: look again. */
  | { readonly is: 'changed'; readonly progress: Progress };

/** Returns what a run without an open attempt does next. `fence`: of the lease. */
export function nextOf(
  definition: PlaybookDefinition,
  run: Work['run'],
  progress: Progress,
  { fence, now }: { readonly fence: number; readonly now: number },
): Next {
  const { ending, next, not_before, attempts } = progress;
  if (ending !== undefined) return nextUndo(definition, progress, ending, { fence, now });
  const step = definition.steps[next];
  if (step === undefined)
    return { is: 'end', state: 'succeeded', sentence: `All ${definition.steps.length} steps are done.` };
  if (not_before !== undefined && now < not_before) return { is: 'pause', at: not_before };
  if (attempts.length >= mostAttempts)
    return {
      is: 'changed',
      progress: stopped(progress, `It made ${mostAttempts} attempts, which is the most.`),
    };
  const attempt = newAttempt(step, next, progress, { fence, now });
  if (step.when !== undefined) {
    const skipped = whenFails(step.when, scopeOf(run, progress));
    if (skipped !== undefined)
      return {
        is: 'changed',
        progress: settled(definition, run, progress, {
          ...attempt,
          ...skipped,
          ended_at: now,
        }),
      };
  }
  return { is: 'attempt', attempt, progress: { ...progress, attempts: [...attempts, attempt] } };
}

function whenFails(when: string, scope: Scope): Pick<Attempt, 'state' | 'sentence'> | undefined {
  try {
    return holds(when, scope, stepVariables)
      ? undefined
      : { state: 'skipped', sentence: `Skipped: ${when} does not hold.` };
  } catch (error) {
    return { state: 'failed', sentence: errorMessage(error) };
  }
}

function newAttempt(
  step: PlaybookStep,
  index: number,
  { attempts }: Progress,
  { fence, now }: { readonly fence: number; readonly now: number },
): Attempt {
  return {
    seq: attempts.length + 1,
    step: step.id,
    index,
    attempt: attempts.filter((each) => each.step === step.id && each.undoes === undefined).length + 1,
    state: 'running',
    fence,
    started_at: now,
    deadline: now + (step.timeout ?? usualTimeout[kindOf(step)]),
    sentence: '',
  };
}

type Ending = NonNullable<Progress['ending']>;

function nextUndo(
  definition: PlaybookDefinition,
  progress: Progress,
  ending: Ending,
  at: { readonly fence: number; readonly now: number },
): Next {
  const [seq] = ending.undo;
  const original = progress.attempts.find((each) => each.seq === seq);
  const step = original === undefined ? undefined : definition.steps[original.index];
  if (original === undefined || step === undefined)
    return { is: 'end', state: ending.state, sentence: ending.sentence };
  const attempt = { ...newAttempt(step, original.index, progress, at), undoes: original.seq };
  return { is: 'attempt', attempt, progress: { ...progress, attempts: [...progress.attempts, attempt] } };
}

/** Returns the progress after an attempt has ended: what is next, tried again, repeated, or undone. */
export function settled(
  definition: PlaybookDefinition,
  run: Work['run'],
  before: Progress,
  attempt: Attempt,
): Progress {
  const attempts = before.attempts.some(({ seq }) => seq === attempt.seq)
    ? before.attempts.map((each) => (each.seq === attempt.seq ? attempt : each))
    : [...before.attempts, attempt];
  const { not_before: _waited, ...rest } = before;
  const progress: Progress = { ...rest, attempts };
  const step = definition.steps[attempt.index];
  if (step === undefined) return progress;
  if (attempt.undoes !== undefined) return undone(progress, attempt, attempt.undoes);
  if (attempt.state === 'done') return repeated(definition, step, run, progress, attempt);
  if (attempt.state !== 'failed') return { ...progress, next: attempt.index + 1 };
  const failures =
    attempts.length - 1 - attempts.findLastIndex((each) => each.step !== step.id || each.state !== 'failed');
  if (step.retry !== undefined && failures <= step.retry.times)
    return { ...progress, not_before: (attempt.ended_at ?? attempt.started_at) + step.retry.every };
  const sentence = `"${step.title}" failed: ${attempt.sentence}`;
  if (step.on_failure === 'continue') return { ...progress, next: attempt.index + 1 };
  if (step.on_failure === 'stop') return stopped(progress, sentence);
  return { ...progress, ending: { state: 'failed', sentence, undo: undoable(definition, progress, true) } };
}

function repeated(
  { steps }: PlaybookDefinition,
  step: PlaybookStep,
  run: Work['run'],
  progress: Progress,
  attempt: Attempt,
): Progress {
  const { repeat } = step;
  const onwards = { ...progress, next: attempt.index + 1 };
  if (repeat === undefined) return onwards;
  try {
    if (holds(repeat.until, scopeOf(run, progress), stepVariables)) return onwards;
  } catch (error) {
    return stopped(progress, `"${step.title}": ${errorMessage(error)}`);
  }
  const rounds = (progress.rounds[step.id] ?? 0) + 1;
  if (rounds > repeat.most)
    return stopped(
      progress,
      `"${step.title}" was repeated ${repeat.most} times, and ${repeat.until} does not hold.`,
    );
  const next = steps.findIndex(({ id }) => id === repeat.from);
  return { ...progress, rounds: { ...progress.rounds, [step.id]: rounds }, next };
}

function undone(progress: Progress, attempt: Attempt, original: number): Progress {
  const attempts = progress.attempts.map((each) =>
    each.seq === original && attempt.state === 'done' ? { ...each, state: 'undone' as const } : each,
  );
  const { ending } = progress;
  if (ending === undefined) return { ...progress, attempts };
  const sentence =
    attempt.state === 'done'
      ? ending.sentence
      : `${ending.sentence} "${attempt.step}" could not be undone: ${attempt.sentence}`;
  return {
    ...progress,
    attempts,
    ending: { ...ending, sentence, undo: ending.undo.filter((seq) => seq !== original) },
  };
}

/** Returns what can be undone, the last one first; `declared`: only what the definition says is compensated. */
export function undoable(
  { steps }: PlaybookDefinition,
  { attempts }: Pick<Progress, 'attempts'>,
  declared: boolean,
): number[] {
  return attempts
    .filter(({ state, undoes, index, act }) => {
      if (state !== 'done' || undoes !== undefined) return false;
      const compensate = steps[index]?.compensate;
      return (
        typeof compensate === 'object' || (act?.undo !== undefined && (!declared || compensate === 'undo'))
      );
    })
    .map(({ seq }) => seq)
    .reverse();
}

/** Returns the progress of a run that fails. */
function stopped(progress: Progress, sentence: string): Progress {
  return { ...progress, ending: { state: 'failed', sentence, undo: [] } };
}
