import { z } from 'zod';
import { evidence } from './intelligence.ts';
import { readingFields, webLink } from './reading.ts';
import { defineRoute } from './route.ts';

const name = z.string().trim().min(1).max(200);

/** Types of facts that a rule may ask for; `strings` is a list. */
export const factType = z.enum(['int', 'double', 'bool', 'string', 'strings']);
export type FactType = z.infer<typeof factType>;

const fact = z.union([z.boolean(), z.number(), z.string().max(500), z.array(z.string().max(500)).max(200)]);
const factName = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be a name such as open_refunds');
const facts = z.record(factName, fact);

/** A business rule as `.platform/rules.yaml` of a repository declares it. */
const declaredRule = z.object({
  tenant: z.string(),
  id: z.string(),
  title: z.string(),
  /** CEL over `facts`; it holds where it is true. */
  condition: z.string(),
  /** Facts the condition reads, by name. */
  facts: z.record(z.string(), factType),
  repo: z.string(),
  /** URL of the file at the commit that was read; append `#L<line>` for the line. */
  url: webLink,
  line: z.number().int(),
});
export type DeclaredRule = z.infer<typeof declaredRule>;

/** What the reconciliation agent observed of one rule. */
export const ruleObservation = z.object({
  tenant: name,
  rule: name,
  observed_at: z.iso.datetime({ offset: true }),
  facts,
  /** The rule in words, for one that was observed and that nobody declared. */
  statement: z.string().trim().min(1).max(1_000).optional(),
  evidence: z
    .array(z.object({ source: z.string().trim().min(1).max(300), fact: z.string().trim().min(1).max(1_000) }))
    .max(20),
});
export type RuleObservation = z.infer<typeof ruleObservation>;

/**
 * `holds`, `broken`: the condition asked of the newest observation; `unmeasured`: there is none that it can be asked of;
 * `undeclared`: observed, and no file declares it.
 */
export const ruleState = z.enum(['broken', 'undeclared', 'unmeasured', 'holds']);
export type RuleState = z.infer<typeof ruleState>;

const reconciledRule = z.object({
  tenant: z.string(),
  id: z.string(),
  title: z.string(),
  state: ruleState,
  /** Reason for the state, one sentence. */
  finding: z.string(),
  /** Absent for a rule that no file declares. */
  declared: declaredRule.omit({ tenant: true, id: true, title: true }).optional(),
  /** Absent where nothing was observed. */
  observed: z.object({ at: z.iso.datetime(), run_id: z.string().optional(), facts }).optional(),
  evidence: z.array(evidence),
});
export type ReconciledRule = z.infer<typeof reconciledRule>;

const fileError = z.object({ repo: z.string(), url: webLink, line: z.number().int(), message: z.string() });

export const rulesReconRoutes = [
  defineRoute({
    id: 'rulesRecon.read',
    method: 'GET',
    path: '/api/rules-recon',
    access: { kind: 'read' },
    summary: 'Business rules as declared, against what was observed of them; those that need somebody first.',
    query: z.object({ tenant: name.optional() }),
    answer: z.object({
      items: z.array(reconciledRule),
      states: z.record(ruleState, z.number().int().nonnegative()),
      counted: z.string(),
      /** Tenants that rules or observations name, whatever the filter. */
      tenants: z.array(z.string()),
      /** Mistakes in the files that declare rules; what could be read is above. */
      errors: z.array(fileError),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'rulesRecon.inputs',
    method: 'GET',
    path: '/api/rules-recon/inputs',
    access: { kind: 'machine', token: 'CONSOLE_RECON_INGEST_TOKEN' },
    summary:
      'What the reconciliation agent reads: the declared rules with the facts they ask for, and the connections.',
    query: z.object({ tenant: name.optional() }),
    answer: z.object({
      rules: z.array(declaredRule),
      /** Connections by structure, never a value. */
      connections: z.array(
        z.object({ id: z.string(), name: z.string(), type: z.string(), tenant: z.string() }),
      ),
      ...readingFields,
    }),
  }),
  defineRoute({
    id: 'rulesRecon.report',
    method: 'POST',
    path: '/api/rules-recon/report',
    access: { kind: 'machine', token: 'CONSOLE_RECON_INGEST_TOKEN' },
    summary:
      'Takes what the reconciliation agent observed; of observations of one rule the newest counts, and any verdict in them is discarded.',
    body: z.object({ run_id: name.optional(), observations: z.array(ruleObservation).min(1).max(1_000) }),
    answer: z.object({ accepted: z.number().int() }),
  }),
] as const;
