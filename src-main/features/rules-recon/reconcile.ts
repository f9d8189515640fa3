import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { DeclaredRule, FactType, ReconciledRule, RuleState } from '#shared/api/rules-recon.ts';
import { type CelInput, celInput, compileCondition, mostConditionSteps } from '../../cel/index.ts';
import type { RuleObservationRow } from './store.ts';

const day = 24 * 60 * 60 * 1000;

/** Age from which an observation says nothing of today, in days. */
export const observationHolds = 30;

/** Steps that all conditions of one answer may take together. */
const mostSteps = 1_000_000;

/** Conditions asked before others are served. */
const askedAtOnce = 20;

/** A state with its reason. */
type Judged = { readonly state: RuleState; readonly finding: string };

/**
 * Sets rules as declared against what was observed of them, those that need somebody first. The observer brings facts, never
 * a verdict: the condition is asked here, each time. `now` in epoch ms.
 */
export async function reconcile(
  declared: readonly DeclaredRule[],
  rows: readonly RuleObservationRow[],
  now: number,
): Promise<ReconciledRule[]> {
  const observations = new Map(rows.map((row) => [keyOf(row.tenant, row.rule), row]));
  const items: ReconciledRule[] = [];
  let left = mostSteps;
  for (const [index, rule] of declared.entries()) {
    if (index % askedAtOnce === askedAtOnce - 1) await setImmediate();
    const row = observations.get(keyOf(rule.tenant, rule.id));
    observations.delete(keyOf(rule.tenant, rule.id));
    const observed = row === undefined ? undefined : observedOf(row);
    const { steps, ...judged } = judge(rule, observed, now, left);
    left -= steps;
    const { tenant, id, title, ...file } = rule;
    items.push({ tenant, id, title, ...judged, declared: file, ...shown(observed) });
  }
  for (const row of observations.values()) {
    const observed = observedOf(row);
    items.push({
      tenant: row.tenant,
      id: row.rule,
      title: observed.statement ?? row.rule,
      state: 'undeclared',
      finding: 'It was observed, and no .platform/rules.yaml that could be read declares it.',
      ...shown(observed),
    });
  }
  const rank: Readonly<Record<RuleState, number>> = { broken: 0, undeclared: 1, unmeasured: 2, holds: 3 };
  return items.sort(
    (a, b) => rank[a.state] - rank[b.state] || (keyOf(a.tenant, a.id) < keyOf(b.tenant, b.id) ? -1 : 1),
  );
}

function judge(
  { condition, facts }: DeclaredRule,
  observed: ReturnType<typeof observedOf> | undefined,
  now: number,
  steps: number,
): Judged & { readonly steps: number } {
  const unmeasured = (finding: string, taken = 0) => ({
    state: 'unmeasured' as const,
    finding,
    steps: taken,
  });
  if (observed === undefined) return unmeasured('Nothing was observed of it.');
  if (now - observed.at > observationHolds * day)
    return unmeasured(`The last observation is more than ${observationHolds} days old.`);
  const made = compileCondition(condition, ['facts']);
  if ('fault' in made) return unmeasured(made.fault);
  const values = factValues(facts, observed.facts);
  if (typeof values === 'string') return unmeasured(values);
  if (steps <= 0) return unmeasured('The conditions before it took all the steps that one answer has.');
  const outcome = made.condition.evaluate({ facts: values }, Math.min(steps, mostConditionSteps));
  if ('fault' in outcome) return unmeasured(outcome.fault, outcome.steps);
  return outcome.holds
    ? { state: 'holds', finding: 'What was observed meets the condition.', steps: outcome.steps }
    : { state: 'broken', finding: 'What was observed does not meet the condition.', steps: outcome.steps };
}

const types: Readonly<Record<FactType, z.ZodType<CelInput>>> = {
  int: z.int().transform((value) => celInput(value)),
  double: z.number(),
  bool: z.boolean(),
  string: z.string(),
  strings: z.array(z.string()),
};

/** The facts that a rule asks for, of the types it declares; or which one is missing or of another type, a sentence. */
function factValues(
  declared: DeclaredRule['facts'],
  observed: Readonly<Record<string, unknown>>,
): Map<string, CelInput> | string {
  const values = new Map<string, CelInput>();
  for (const [name, type] of Object.entries(declared)) {
    if (!Object.hasOwn(observed, name)) return `The fact "${name}" was not observed.`;
    const value = types[type].safeParse(observed[name]);
    if (!value.success) return `The fact "${name}" was observed as something else than ${type}.`;
    values.set(name, value.data);
  }
  return values;
}

const kept = {
  facts: z.record(z.string(), z.union([z.boolean(), z.number(), z.string(), z.array(z.string())])),
  evidence: z.array(z.object({ source: z.string(), fact: z.string() })),
};

function observedOf({ observed_at, run_id, facts, evidence, statement }: RuleObservationRow) {
  return {
    at: observed_at,
    runId: run_id ?? undefined,
    facts: kept.facts.parse(JSON.parse(facts)),
    evidence: kept.evidence.parse(JSON.parse(evidence)),
    statement: statement ?? undefined,
  };
}

function shown(observed: ReturnType<typeof observedOf> | undefined) {
  if (observed === undefined) return { evidence: [] };
  const { at, runId, facts, evidence } = observed;
  return {
    observed: { at: new Date(at).toISOString(), ...(runId === undefined ? {} : { run_id: runId }), facts },
    evidence,
  };
}

const keyOf = (tenant: string, rule: string): string => JSON.stringify([tenant, rule]);
