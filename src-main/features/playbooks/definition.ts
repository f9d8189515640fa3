import { z } from 'zod';
import { actId } from '#shared/api/acts.ts';

/** Most times one step may be repeated, and most attempts of all steps of a run together. */
const mostRepeats = 50;
export const mostAttempts = 500;

const id = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be lower case letters, digits and _, beginning with a letter');

/** Names of playbooks: what addresses and audit records use. */
const playbookName = z
  .string()
  .max(60)
  .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower case words joined by -');

const line = z.string().trim().min(1).max(300);
const condition = z.string().trim().min(1).max(2000);
const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration such as `30s`, `10m`, `2h` or `1d`, in ms. */
const duration = z
  .string()
  .regex(/^[1-9]\d{0,4}[smhd]$/, 'must be a duration such as 30s, 10m, 2h or 1d')
  .transform((text) => Number(text.slice(0, -1)) * unitMs[text.slice(-1) as keyof typeof unitMs])
  .pipe(z.number().max(30 * unitMs.d, 'must be 30 days at most'));

/** Text with places such as `${input.name}`. */
const filled = z.string().min(1).max(8000);

const object = z.strictObject({
  group: filled.optional(),
  version: filled.default('v1'),
  kind: filled,
  namespace: filled.optional(),
  name: filled,
});

const act = z.strictObject({
  /** The target it acts on; the one the run was started for when absent. */
  target: filled.optional(),
  act: actId,
  object,
  args: z.record(z.string(), z.json()).default({}),
});

const read = z.strictObject({
  target: filled.optional(),
  /** One of the kinds that the console reads, such as `Deployment`. */
  kind: z.string().max(100),
  namespace: filled.optional(),
  /** One object; without it all of the namespace, or of the cluster. */
  name: filled.optional(),
});

const common = {
  id,
  title: line,
  /** Asked before the step begins; where it does not hold the step is skipped. */
  when: condition.optional(),
  timeout: duration.optional(),
  retry: z
    .strictObject({ times: z.number().int().min(1).max(10), every: duration.default(10_000) })
    .optional(),
  /** What becomes of the run when the step has failed for good. */
  on_failure: z.enum(['stop', 'continue', 'compensate']).default('stop'),
  /** Goes back to an earlier step until the condition holds, `most` times at most. */
  repeat: z
    .strictObject({ from: id, until: condition, most: z.number().int().min(1).max(mostRepeats) })
    .optional(),
  /** Undoes the step when the run is compensated: by the act's own undo, or by this act. */
  compensate: z.union([z.literal('undo'), act]).optional(),
};

const step = z.union([
  z.strictObject({ ...common, read }),
  z.strictObject({ ...common, check: condition, message: line.optional() }),
  z.strictObject({ ...common, act }),
  z.strictObject({
    ...common,
    dispatch: z.strictObject({
      target: filled.optional(),
      namespace: filled,
      /** The agent's CronJob. */
      agent: filled,
      instructions: filled,
      /** The App whose report counts; any App of the organisation when absent. */
      app: z.string().max(200).optional(),
    }),
  }),
  z.strictObject({ ...common, command: z.strictObject({ text: filled }) }),
  z.strictObject({
    ...common,
    approval: z.strictObject({
      message: filled,
      /** Whether somebody else than who started the run has to approve. */
      other: z.boolean().default(false),
    }),
  }),
  z.strictObject({
    ...common,
    wait: z.strictObject({ until: condition, read: read.optional(), every: duration.default(10_000) }),
  }),
]);

const input = z.strictObject({
  name: id,
  title: line,
  /** `name`: as Kubernetes names objects. */
  type: z.enum(['text', 'name', 'number', 'boolean']).default('text'),
  required: z.boolean().default(true),
  default: z.union([z.string().max(2000), z.number(), z.boolean()]).optional(),
});

export const playbookDefinition = z.strictObject({
  name: playbookName,
  title: line,
  description: z.string().trim().max(2000).default(''),
  inputs: z.array(input).max(20).default([]),
  start: z
    .strictObject({
      schedule: z
        .array(z.strictObject({ cron: z.string().max(100), time_zone: z.string().max(60).default('UTC') }))
        .max(5)
        .default([]),
      events: z
        .array(z.strictObject({ type: z.string().max(100), when: condition.optional() }))
        .max(10)
        .default([]),
    })
    .default({ schedule: [], events: [] }),
  /** The time the whole run may take. */
  timeout: duration.default(unitMs.d),
  steps: z.array(step).min(1).max(50),
});

export type PlaybookDefinition = z.output<typeof playbookDefinition>;
export type PlaybookStep = z.output<typeof step>;
export type PlaybookInput = z.output<typeof input>;
export type ActSpec = z.output<typeof act>;
export type ReadSpec = z.output<typeof read>;
export type StepKind = 'read' | 'check' | 'act' | 'dispatch' | 'command' | 'approval' | 'wait';

const kinds: readonly StepKind[] = ['read', 'check', 'act', 'dispatch', 'command', 'approval', 'wait'];

/** Returns which of the kinds a step is. */
export function kindOf(of: PlaybookStep): StepKind {
  const found = kinds.find((kind) => kind in of);
  if (found === undefined) throw new Error(`The step ${of.id} is of no kind.`);
  return found;
}

/** Time a step of a kind may take when it names none, in ms. */
export const usualTimeout: Readonly<Record<StepKind, number>> = {
  read: 30_000,
  check: 30_000,
  act: 5 * unitMs.m,
  dispatch: unitMs.h,
  command: unitMs.h,
  approval: unitMs.d,
  wait: 10 * unitMs.m,
};
