import { z } from 'zod';
import { actAgain } from '#shared/api/acts.ts';
import { actClass } from '#shared/api/guardrails.ts';

const actRequest = actAgain.omit({ sentence: true }).extend({ target: z.string() });

/**
 * - `running`: being worked on; `waiting`: until what `waits_for` says has come.
 * - `unknown`: it was begun, and how it ended is not known: a person has to look.
 * - `undone`: it was done, and its undo was done, too.
 */
const attemptState = z.enum([
  'running',
  'waiting',
  'done',
  'failed',
  'skipped',
  'unknown',
  'cancelled',
  'undone',
]);

/** What an attempt waits for; `look`: for a person to say how an act of an unknown outcome ended. */
export const waitsFor = z.enum(['approval', 'look', 'report', 'command', 'condition']);
export type WaitsFor = z.infer<typeof waitsFor>;

const attempt = z.object({
  /** Place among the attempts of the run, from 1; names the attempt in decisions and keys. */
  seq: z.number(),
  /** Id of the step, and its place in the definition. */
  step: z.string(),
  index: z.number(),
  /** 1 for the first time the step is tried, in each of its rounds. */
  attempt: z.number(),
  state: attemptState,
  waits_for: waitsFor.optional(),
  /** Fencing token of the lease under which it was last worked on. */
  fence: z.number(),
  started_at: z.number(),
  ended_at: z.number().optional(),
  /** Epoch ms after which it has taken too long. */
  deadline: z.number(),
  /** One sentence: what it waits for, or how it ended. */
  sentence: z.string(),
  result: z.json().optional(),
  /** The act: as it was previewed, and whether it may have begun. */
  act: z
    .object({
      request: actRequest,
      /** Classes that the guardrails were asked for. */
      classes: z.array(actClass),
      digest: z.string(),
      /** What it does, what it changes, what happens and what to mind, as previewed: one line each. */
      sentence: z.string(),
      changes: z.array(z.string()),
      warnings: z.array(z.string()),
      /** Whether the name of the target has to be typed. */
      protected: z.boolean(),
      /** Set before the act is carried out. */
      begun: z.boolean(),
      /** Whether who started the run may not approve it. */
      other: z.boolean(),
      undo: actAgain.optional(),
      act_id: z.string().optional(),
    })
    .optional(),
  decided_by: z.string().optional(),
  note: z.string().optional(),
  /** Id of the command in a person's queue. */
  command: z.string().optional(),
  /** Seq of the attempt that this one undoes. */
  undoes: z.number().optional(),
});
export type Attempt = z.infer<typeof attempt>;

/**
 * How far a run has come, as it is kept: the attempts of its steps in the order they began, and what is next. Only the
 * console that holds the run's lease writes it.
 */
export const progress = z.object({
  attempts: z.array(attempt),
  /** Place of the next step in the definition. */
  next: z.number(),
  /** Rounds taken of each step that repeats, by its id. */
  rounds: z.record(z.string(), z.number()),
  /** Epoch ms before which the next attempt does not begin, after a failure. */
  not_before: z.number().optional(),
  /** What ends the run once nothing is left to undo; undefined while it goes forward. */
  ending: z
    .object({
      state: z.enum(['failed', 'cancelled']),
      sentence: z.string(),
      /** Seqs of what is still to be undone, the last one first. */
      undo: z.array(z.number()),
    })
    .optional(),
});
export type Progress = z.infer<typeof progress>;

export const noProgress: Progress = { attempts: [], next: 0, rounds: {} };

/** Returns the attempt that is being worked on, if any: there is one at a time. */
export function openAttempt({ attempts }: Progress): Attempt | undefined {
  const last = attempts.at(-1);
  return last?.ended_at === undefined ? last : undefined;
}

/** Returns the progress with an attempt replaced, or added. */
export function withAttempt(of: Progress, changed: Attempt): Progress {
  const attempts = of.attempts.some(({ seq }) => seq === changed.seq)
    ? of.attempts.map((each) => (each.seq === changed.seq ? changed : each))
    : [...of.attempts, changed];
  return { ...of, attempts };
}
