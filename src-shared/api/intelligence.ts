import { z } from 'zod';
import { healthState } from './cluster.ts';
import { agent } from './fleet.ts';
import { actClass } from './guardrails.ts';
import { readingFields } from './reading.ts';
import { defineRoute } from './route.ts';
import { runState } from './runs.ts';
import { targetQuery } from './targets.ts';

const count = z.number().int().nonnegative();

/** A part of a whole; a figure is their quotient, so that it can be checked. */
const share = z.object({ part: count, whole: count.positive() });

export const evidence = z.object({
  /** Route that the fact was read from, such as `/api/governance`. */
  source: z.string(),
  fact: z.string(),
});
export type Evidence = z.infer<typeof evidence>;

/** `unmeasured`: there is no evidence, or not all of it was read and what was read is no failure. */
const outcome = z.enum(['pass', 'fail', 'unmeasured']);

/** Something judged from evidence that the console has. */
export const judged = z.object({
  id: z.string(),
  title: z.string(),
  outcome,
  /** Reason for the outcome, one sentence. */
  finding: z.string(),
  /** What was counted, and how. */
  counted: z.string(),
  /** Absent where nothing was measured. */
  share: share.optional(),
  evidence: z.array(evidence),
});
export type Judged = z.infer<typeof judged>;

const outcomes = z.object({ pass: count, fail: count, unmeasured: count });

/** Durations of ended runs: nothing but their number where they are too few. */
const latency = z.object({
  sample: count,
  p50_seconds: z.number().nonnegative().optional(),
  p95_seconds: z.number().nonnegative().optional(),
});

const rollup = z.object({
  runs: count,
  states: z.partialRecord(runState, count),
  latency,
});
export type Rollup = z.infer<typeof rollup>;

const controlArea = z.enum(['access_control', 'audit', 'encryption', 'backup', 'isolation', 'ownership']);

export const dimensionName = z.enum(['delivery', 'reliability', 'security', 'governance', 'autonomy']);

const dimension = z.object({
  name: dimensionName,
  counted: z.string(),
  /** Absent where it was not measured; `unmeasured` says why. */
  share: share.optional(),
  unmeasured: z.string().optional(),
  evidence: z.array(evidence),
});
export type Dimension = z.infer<typeof dimension>;

/** An act on one object of a cluster, by the registry of acts. */
const harnessActRequest = z.object({
  target: z.string(),
  act: z.enum(['restart', 'run_cron_job']),
  object: z.object({
    group: z.string(),
    version: z.string(),
    kind: z.string(),
    namespace: z.string().optional(),
    name: z.string(),
  }),
  args: z.object({}),
});
export type HarnessActRequest = z.infer<typeof harnessActRequest>;

/** What can be done about a finding from here. `title` is the button's. */
const harnessAction = z.union([
  z.object({
    kind: z.literal('dispatch'),
    title: z.string(),
    class: actClass,
    /** Text of the command for the agent session of who asks. */
    command: z.string(),
  }),
  z.object({ kind: z.literal('act'), title: z.string(), class: actClass, request: harnessActRequest }),
]);
export type HarnessAction = z.infer<typeof harnessAction>;

/** An attempt to act on a finding. */
const harnessActed = z.object({
  /** `refused`: nothing was sent; `unknown`: it could not be found out whether it took effect. */
  state: z.enum(['done', 'failed', 'refused', 'unknown']),
  sentence: z.string(),
  by: z.string(),
  at: z.iso.datetime(),
  attempt: z.number().int().positive(),
  /** ID of the queued command or of the act. */
  ref: z.string().optional(),
});

const harnessFinding = z.object({
  id: z.string(),
  /** Where it fails: among the measures, the controls, or both. */
  of: z.array(z.enum(['measures', 'compliance'])).min(1),
  title: z.string(),
  severity: z.enum(['critical', 'warning', 'info']),
  finding: z.string(),
  /** Next step, one sentence. */
  remediation: z.string().min(1),
  /** What was counted, and how. */
  counted: z.string(),
  evidence: z.array(evidence).min(1),
  /** Changes when what was found does, or its target. */
  revision: z.string(),
  /** Absent where people have to decide how. */
  action: harnessAction.optional(),
  /** The newest attempt to act on this revision of it; `acting` while it is under way. */
  acted: harnessActed.extend({ state: z.enum(['acting', ...harnessActed.shape.state.options]) }).optional(),
});
export type HarnessFinding = z.infer<typeof harnessFinding>;

export const intelligenceRoutes = [
  defineRoute({
    id: 'intelligence.swarm',
    method: 'GET',
    path: '/api/swarm',
    access: { kind: 'read' },
    summary: 'The agent swarm: health of the fleet, its roster, rollup of runs and their durations.',
    query: targetQuery.extend({ days: z.enum(['1', '7', '28']).optional() }),
    answer: z.object({
      window_days: z.number().int(),
      health: z.object({
        /** Agents of the roster, by state. */
        agents: count,
        enabled: count,
        states: z.partialRecord(healthState, count),
      }),
      roster: z.array(agent),
      /** Runs that started in the window; an app's report of its agent's health is none. */
      runs: rollup,
      /** The same for each name that runs have, most runs first. */
      by_name: z.array(rollup.extend({ name: z.string() })),
      /** Least number of ended runs for which durations are told. */
      smallest_sample: z.number().int(),
      counted: z.object({ health: z.string(), runs: z.string(), latency: z.string() }),
      evidence: z.array(evidence),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'intelligence.compliance',
    method: 'GET',
    path: '/api/compliance',
    access: { kind: 'read' },
    summary: 'Findings for each control with their evidence; never a score.',
    query: targetQuery,
    answer: z.object({
      controls: z.array(judged.extend({ area: controlArea })),
      outcomes,
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'intelligence.maturity',
    method: 'GET',
    path: '/api/maturity',
    access: { kind: 'read' },
    summary: 'Five measured dimensions; a composite only when all five are measured.',
    query: targetQuery,
    answer: z.object({
      dimensions: z.array(dimension).length(dimensionName.options.length),
      /** Mean of the five shares; absent unless all five are measured. */
      composite: z.number().min(0).max(1).optional(),
      counted: z.string(),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'intelligence.measures',
    method: 'GET',
    path: '/api/measures',
    access: { kind: 'read' },
    summary: "The platform's self-assessment: judged categories, and one remediation for each that fails.",
    query: targetQuery,
    answer: z.object({
      categories: z.array(
        judged.extend({
          /** Next step, one sentence; where it fails only. */
          remediation: z.string().optional(),
        }),
      ),
      outcomes,
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'intelligence.harness',
    method: 'GET',
    path: '/api/harness',
    access: { kind: 'read' },
    summary: 'What fails among measures and controls, joined into findings with a next step, worst first.',
    query: targetQuery,
    answer: z.object({
      items: z.array(harnessFinding),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'intelligence.act',
    method: 'POST',
    path: '/api/harness/{id}/act',
    access: {
      kind: 'write',
      allowlist: 'CONSOLE_SESSION_ADMINS',
      action: 'harness.act',
      target: 'params.id',
    },
    summary:
      "Carries out a finding's action, once for each revision of it; a repeated call answers the kept outcome. 409 for another revision, 422 where the guardrails refuse it or there is no action.",
    params: z.object({ id: z.string().min(1).max(200) }),
    query: targetQuery,
    body: z.strictObject({
      revision: z.string().min(1).max(64),
      /** Of the preview that was shown of an act on an object; refused when the object has changed since. */
      digest: z.string().max(128).optional(),
      /** The name of the target, typed by the person, for a protected one. */
      confirm: z.string().max(253).optional(),
    }),
    answer: harnessActed.extend({
      /** It was done before: nothing was done by this call. */
      repeated: z.boolean(),
    }),
  }),
] as const;
