import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { RuleObservation } from '#shared/api/rules-recon.ts';
import { exactText, storableText } from '../../store/index.ts';
import type { RuleObservationRow, RulesReconTables } from './store.ts';

/** Observations kept of all tenants; the oldest go first. */
const mostKept = 20_000;

/** Rows of one statement: PostgreSQL binds 65,535 parameters at most, SQLite 32,766. */
const rowsAtOnce = 1_000;

/**
 * Keeps what the reconciliation agent observed. Of observations of one rule the newest counts: reports that come twice or in
 * another order leave the same state. Returns how many rules the report was about.
 */
export async function keepObservations(
  db: Kysely<RulesReconTables>,
  runId: string | undefined,
  observations: readonly RuleObservation[],
): Promise<number> {
  const rows = newestOf(observations.map((each) => toRow(runId, each)));
  await db.transaction().execute(async (transaction) => {
    for (let at = 0; at < rows.length; at += rowsAtOnce)
      await transaction
        .insertInto('rule_observations')
        .values(rows.slice(at, at + rowsAtOnce))
        .onConflict((conflict) =>
          conflict
            .columns(['tenant', 'rule'])
            .doUpdateSet((eb) => ({
              statement: eb.ref('excluded.statement'),
              facts: eb.ref('excluded.facts'),
              evidence: eb.ref('excluded.evidence'),
              run_id: eb.ref('excluded.run_id'),
              observed_at: eb.ref('excluded.observed_at'),
              digest: eb.ref('excluded.digest'),
            }))
            .where((eb) =>
              eb.or([
                eb('excluded.observed_at', '>', eb.ref('rule_observations.observed_at')),
                eb.and([
                  eb('excluded.observed_at', '=', eb.ref('rule_observations.observed_at')),
                  eb('excluded.digest', '>', eb.ref('rule_observations.digest')),
                ]),
              ]),
            ),
        )
        .execute();
    await dropOldest(transaction);
  });
  return rows.length;
}

/** Returns what was observed, by tenant and rule. */
export function readObservations(
  db: Kysely<RulesReconTables>,
  tenant: string | undefined,
  limit: number,
): Promise<RuleObservationRow[]> {
  const all = db.selectFrom('rule_observations').selectAll();
  const some = tenant === undefined ? all : all.where('tenant', '=', tenant);
  return some.orderBy('tenant').orderBy('rule').limit(limit).execute();
}

/** Returns the tenants that observations name. */
export async function readTenants(db: Kysely<RulesReconTables>): Promise<string[]> {
  const rows = await db
    .selectFrom('rule_observations')
    .select('tenant')
    .distinct()
    .orderBy('tenant')
    .execute();
  return rows.map(({ tenant }) => tenant);
}

function toRow(runId: string | undefined, observation: RuleObservation): RuleObservationRow {
  const { tenant, rule, observed_at, facts, statement, evidence } = observation;
  const seen = {
    statement: statement === undefined ? null : storableText(statement),
    // In one order, so that the same facts are the same text.
    facts: storableJson(Object.fromEntries(Object.entries(facts).sort(([a], [b]) => (a < b ? -1 : 1)))),
    evidence: storableJson(evidence.map(({ source, fact }) => ({ source, fact }))),
    run_id: runId === undefined ? null : exactText('run_id', runId),
  };
  return {
    tenant: exactText('observations.tenant', tenant),
    rule: exactText('observations.rule', rule),
    ...seen,
    observed_at: Date.parse(observed_at),
    digest: createHash('sha256').update(JSON.stringify(seen)).digest('hex'),
  };
}

/** JSON whose texts can be stored: an escaped NUL is none. */
function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'string' ? storableText(each) : each,
  );
}

/** One row a rule, for a statement may change a row once only, and in one order, so that two reports never deadlock. */
function newestOf(rows: readonly RuleObservationRow[]): RuleObservationRow[] {
  const newest = new Map<string, RuleObservationRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.tenant, row.rule]);
    const kept = newest.get(key);
    const isNewer =
      kept === undefined ||
      row.observed_at > kept.observed_at ||
      (row.observed_at === kept.observed_at && row.digest > kept.digest);
    if (isNewer) newest.set(key, row);
  }
  return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

async function dropOldest(db: Kysely<RulesReconTables>): Promise<void> {
  const oldestKept = await db
    .selectFrom('rule_observations')
    .select('observed_at')
    .orderBy('observed_at', 'desc')
    .offset(mostKept)
    .limit(1)
    .executeTakeFirst();
  if (oldestKept === undefined) return;
  await db.deleteFrom('rule_observations').where('observed_at', '<=', oldestKept.observed_at).execute();
}
