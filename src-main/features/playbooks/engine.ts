import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { counted } from '#shared/text.ts';
import { checkRepeatedly } from '../../base/repeated-check.ts';
import type { Notices } from '../../store/index.ts';
import { nextOf, scopeOf, settled, TryLater, undoable, workOn } from './advance.ts';
import { checkDefinition } from './check-definition.ts';
import type { PlaybookDefinition } from './definition.ts';
import { dueRuns, type Lease, LeaseLost, type LeaseTimes, takeRun, usualLeaseTimes } from './leases.ts';
import {
  type Attempt,
  openAttempt,
  type Progress,
  progress as progressShape,
  withAttempt,
} from './progress.ts';
import { readSignals, readText } from './runs.ts';
import type { StepParts, Work } from './step-outcome.ts';
import type { PlaybookRunRow, PlaybookSignalRow, PlaybookTables } from './store.ts';

/** Runs that one console works on at a time. */
const mostAtOnce = 8;
/** How often runs that are due are looked for, in ms: with notices of other consoles, and without. */
const lookEvery = { told: 5_000, untold: 1_000 } as const;
/** Delay after a failure that is no step's fault, in ms. */
const laterMs = 5_000;

export type EngineParts = StepParts & {
  readonly db: Kysely<PlaybookTables>;
  readonly notices: Notices;
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly times?: LeaseTimes;
};

/** Works on runs that are due, on every console of one database. */
export type Engine = {
  /** Looks for runs that are due now. */
  wake(): void;
  /** Stops, and waits until nothing is being worked on; what is open is taken up by another console, or at the next start. */
  close(): Promise<void>;
};

/** Starts the engine. */
export function startEngine(parts: EngineParts): Engine {
  const { db, notices, log, now } = parts;
  const closing = new AbortController();
  const owner = randomUUID();
  const working = new Map<string, Promise<void>>();
  const leaseParts = {
    db,
    owner,
    times: parts.times ?? usualLeaseTimes,
    now,
    closing: closing.signal,
    changed: (id: string) => notices.publish('playbooks', id),
  };

  const look = async (): Promise<void> => {
    if (closing.signal.aborted) return;
    const free = mostAtOnce - working.size;
    if (free <= 0) return;
    for (const due of await dueRuns(leaseParts, free)) {
      if (working.has(due.id) || closing.signal.aborted) continue;
      const lease = await takeRun(leaseParts, due);
      if (lease === undefined) continue;
      const done = drive(due.id, lease, parts)
        .catch((error: unknown) => {
          if (!(error instanceof LeaseLost))
            log.error({ err: error, run: due.id }, 'a playbook run was left');
        })
        .finally(() => {
          lease.end();
          working.delete(due.id);
          wake();
        });
      working.set(due.id, done);
    }
  };

  let looking = false;
  let again = false;
  const wake = (): void => {
    again = true;
    if (looking || closing.signal.aborted) return;
    looking = true;
    void (async () => {
      while (again && !closing.signal.aborted) {
        again = false;
        await look();
      }
    })()
      .catch((error: unknown) => log.warn({ err: error }, 'runs of playbooks that are due were not read'))
      .finally(() => {
        looking = false;
      });
  };
  const unsubscribe = notices.subscribe('playbooks', wake);
  let looked = 0;
  const stop = checkRepeatedly({
    everyMs: lookEvery.untold,
    async check() {
      looked += lookEvery.untold;
      if (notices.isShared() && looked < lookEvery.told && working.size === 0) return;
      looked = 0;
      wake();
    },
    failed: () => undefined,
  });
  wake();
  return {
    wake,
    async close() {
      closing.abort();
      stop();
      unsubscribe();
      await Promise.allSettled(working.values());
    },
  };
}

type Signals = ReadonlyMap<string, PlaybookSignalRow>;

/** Works on one run until it has ended, waits, or is lost. */
async function drive(id: string, lease: Lease, parts: EngineParts): Promise<void> {
  const text = await readText(parts.db, (await lease.read()).digest);
  const definition = text === undefined ? undefined : checkDefinition(text).definition;
  for (;;) {
    if (lease.signal.aborted) {
      const { signals } = await lease.read();
      await lease.release(parts.now(), signals);
      return;
    }
    const run = await lease.read();
    const signals = await readSignals(parts.db, id);
    const progress = progressShape.parse(JSON.parse(run.progress));
    if (definition === undefined) {
      await finish(run, lease, parts, 'failed', 'Its definition can no longer be read by this console.');
      return;
    }
    const wakeAt = await advance({ run, signals, progress, definition }, lease, parts);
    if (wakeAt === 'ended') return;
    if (wakeAt !== 'again' && (await lease.release(wakeAt, run.signals))) return;
  }
}

type Held = {
  readonly run: PlaybookRunRow;
  readonly signals: Signals;
  readonly progress: Progress;
  readonly definition: PlaybookDefinition;
};

async function advance(held: Held, lease: Lease, parts: EngineParts): Promise<number | 'again' | 'ended'> {
  const { run, definition, progress } = held;
  const interrupted = interruption(held, parts.now());
  if (interrupted !== undefined) {
    await keep(lease, interrupted, run);
    return 'again';
  }
  const open = openAttempt(progress);
  if (open !== undefined) return workOpen(held, open, lease, parts);
  const next = nextOf(definition, run, progress, { fence: lease.fence, now: parts.now() });
  if (next.is === 'end') {
    await finish(run, lease, parts, next.state, next.sentence);
    return 'ended';
  }
  if (next.is === 'pause') {
    await lease.save({ state: 'waiting', sentence: 'Waits before it tries again.' });
    return Math.min(next.at, run.deadline);
  }
  await keep(lease, next.progress, run);
  return 'again';
}

/** Returns the progress of a run that was cancelled, took too long, or is to be undone; undefined when nothing interrupts it. */
function interruption({ run, signals, progress, definition }: Held, now: number): Progress | undefined {
  const undo = signals.get('undo');
  const { ending } = progress;
  if (undo !== undefined && ending !== undefined && run.ended_at === null && !isUndoing(progress)) {
    const seqs = undoable(definition, progress, false);
    if (seqs.length > 0 && ending.undo.length === 0 && openAttempt(progress) === undefined)
      return {
        ...progress,
        ending: { ...ending, undo: seqs, sentence: `${ending.sentence} ${undo.by} asked for the undo.` },
      };
  }
  if (ending !== undefined) return undefined;
  const cancel = signals.get('cancel');
  if (cancel === undefined && now < run.deadline) return undefined;
  const closed = closeOpen(progress, now);
  const done = closed.attempts.filter(({ state }) => state === 'done').length;
  const unknown = closed.attempts.some(({ state }) => state === 'unknown');
  const why = cancel === undefined ? 'It took longer than it may.' : `${cancel.by} cancelled it.`;
  const sentence = `${why} ${counted(done, 'step')} of ${definition.steps.length} done.${unknown ? ' One act may or may not have been done: look.' : ''}`;
  return { ...closed, ending: { state: cancel === undefined ? 'failed' : 'cancelled', sentence, undo: [] } };
}

const isUndoing = ({ attempts }: Progress): boolean => attempts.some(({ undoes }) => undoes !== undefined);

/** An act that had begun may have been done: nobody knows until somebody looks. */
function closeOpen(progress: Progress, now: number): Progress {
  const open = openAttempt(progress);
  if (open === undefined) return progress;
  const { waits_for: _waits, ...rest } = open;
  const lost = open.state === 'unknown' || (open.act?.begun === true && open.act.act_id === undefined);
  return withAttempt(progress, {
    ...rest,
    state: lost ? 'unknown' : 'cancelled',
    ended_at: now,
    sentence: lost
      ? `It was begun, and it is not known whether it was done: ${open.sentence}`
      : `Not done: ${open.sentence}`,
  });
}

async function workOpen(held: Held, open: Attempt, lease: Lease, parts: EngineParts) {
  const { run, signals, progress, definition } = held;
  const step = definition.steps[open.index];
  if (step === undefined) throw new Error(`The run ${run.id} has an attempt of a step that is none.`);
  const work: Work = {
    run,
    definition,
    step,
    attempt: { ...open, fence: lease.fence },
    progress,
    scope: scopeOf(run, progress),
    signals,
    signal: lease.signal,
    keep: (attempt) => keep(lease, withAttempt(progress, attempt), run),
  };
  try {
    const outcome = await workOn(work, parts);
    if (outcome.is === 'ended') {
      await keep(lease, settled(definition, run, progress, outcome.attempt), run);
      return 'again';
    }
    if (JSON.stringify(outcome.attempt) !== JSON.stringify(open))
      await lease.save({
        progress: JSON.stringify(withAttempt(progress, outcome.attempt)),
        state: 'waiting',
        sentence: outcome.attempt.sentence,
      });
    // An unknown outcome has no deadline of its own: it waits for somebody to look.
    const { state, deadline } = outcome.attempt;
    return Math.min(outcome.wakeAt, run.deadline, state === 'unknown' ? run.deadline : deadline);
  } catch (error) {
    if (!(error instanceof TryLater)) throw error;
    parts.log.warn({ err: error, run: run.id, step: open.step }, 'a step of a playbook is tried again later');
    return parts.now() + laterMs;
  }
}

async function keep(lease: Lease, progress: Progress, run: PlaybookRunRow): Promise<void> {
  const last = progress.attempts.at(-1);
  await lease.save({
    progress: JSON.stringify(progress),
    state: 'running',
    sentence: progress.ending?.sentence ?? (last?.sentence || run.sentence),
  });
}

async function finish(
  run: PlaybookRunRow,
  lease: Lease,
  { audit, now, log }: EngineParts,
  state: 'succeeded' | 'failed' | 'cancelled',
  sentence: string,
): Promise<void> {
  const act = {
    actor: run.started_by,
    action: 'playbooks.end',
    target: run.playbook,
  };
  try {
    const event = await audit.begin(act, { run: run.id, digest: run.digest, state });
    if (state === 'failed') await event.fail(sentence);
    else {
      event.record(sentence);
      await event.success();
    }
  } catch (error) {
    // What the run did is recorded act by act; that it ended must not keep it open.
    log.error({ err: error, run: run.id }, 'the end of a playbook run was not recorded');
  }
  await lease.save({ state, sentence, ended_at: now() });
  await lease.release(now(), (await lease.read()).signals);
}
