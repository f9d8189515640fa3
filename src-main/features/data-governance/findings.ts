import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { DataGovernanceFinding } from '#shared/api/data-governance.ts';
import { ConsoleError } from '#shared/errors.ts';
import { exactText, storableText } from '../../store/index.ts';
import type { DataGovernanceTables, FindingRow } from './store.ts';

/** Findings kept of one App: an agent that names each row of a table would fill the store. */
const mostOfApp = 20_000;

/**
 * Keeps an App's findings. Of reports of one finding the newest counts, so reports that come twice or in another order
 * leave the same state. Returns how many findings the report was about; throws `Refused` for one that was resolved
 * before it was found, or when the App has too many.
 */
export async function keepFindings(
  db: Kysely<DataGovernanceTables>,
  app: string,
  findings: readonly DataGovernanceFinding[],
  at: number,
): Promise<number> {
  const newest = new Map<string, FindingRow>();
  for (const finding of findings) {
    const row = toRow(app, finding, at);
    const kept = newest.get(row.finding);
    if (kept === undefined || isNewer(row, kept)) newest.set(row.finding, row);
  }
  // In one order: two reports of one App at the same moment would otherwise wait for each other's rows.
  const rows = [...newest.values()].sort((a, b) => (a.finding < b.finding ? -1 : 1));
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('data_governance_findings')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['app', 'finding'])
          .doUpdateSet((eb) => ({
            title: eb.ref('excluded.title'),
            severity: eb.ref('excluded.severity'),
            subject: eb.ref('excluded.subject'),
            rule: eb.ref('excluded.rule'),
            detail: eb.ref('excluded.detail'),
            found_at: eb.ref('excluded.found_at'),
            resolved_at: eb.ref('excluded.resolved_at'),
            version: eb.ref('excluded.version'),
            digest: eb.ref('excluded.digest'),
            received_at: eb.ref('excluded.received_at'),
          }))
          .where((eb) =>
            eb.or([
              eb('excluded.version', '>', eb.ref('data_governance_findings.version')),
              eb.and([
                eb('excluded.version', '=', eb.ref('data_governance_findings.version')),
                eb('excluded.digest', '>', eb.ref('data_governance_findings.digest')),
              ]),
            ]),
          ),
      )
      .execute();
    const { kept } = await transaction
      .selectFrom('data_governance_findings')
      .select((eb) => eb.fn.countAll().as('kept'))
      .where('app', '=', app)
      .executeTakeFirstOrThrow();
    if (Number(kept) > mostOfApp)
      throw new ConsoleError(
        'Refused',
        `${app} would have more than ${mostOfApp.toLocaleString('en')} findings: report what they have in common as one.`,
      );
  });
  return rows.length;
}

/** Returns findings, the most severe and newest of the open ones first, and how many there are in all. */
export async function readFindings(
  db: Kysely<DataGovernanceTables>,
  state: 'open' | 'resolved' | undefined,
  limit: number,
): Promise<FindingRow[]> {
  let query = db.selectFrom('data_governance_findings').selectAll();
  if (state !== undefined) query = query.where('resolved_at', state === 'open' ? 'is' : 'is not', null);
  return await query
    .orderBy((eb) => eb.case().when('resolved_at', 'is', null).then(0).else(1).end())
    .orderBy((eb) =>
      eb
        .case()
        .when('severity', '=', 'critical')
        .then(0)
        .when('severity', '=', 'warning')
        .then(1)
        .else(2)
        .end(),
    )
    .orderBy('version', 'desc')
    .orderBy('app')
    .orderBy('finding')
    .limit(limit)
    .execute();
}

/** Returns how many findings are open, and how many are resolved. */
export async function countFindings(
  db: Kysely<DataGovernanceTables>,
): Promise<{ open: number; resolved: number }> {
  const { all, resolved } = await db
    .selectFrom('data_governance_findings')
    .select((eb) => [eb.fn.countAll().as('all'), eb.fn.count('resolved_at').as('resolved')])
    .executeTakeFirstOrThrow();
  return { open: Number(all) - Number(resolved), resolved: Number(resolved) };
}

function toRow(app: string, finding: DataGovernanceFinding, at: number): FindingRow {
  const foundAt = Date.parse(finding.found_at);
  const resolvedAt = finding.resolved_at === undefined ? null : Date.parse(finding.resolved_at);
  if (resolvedAt !== null && resolvedAt < foundAt)
    throw new ConsoleError(
      'Refused',
      `Finding ${finding.id} was resolved before it was found: check "found_at" and "resolved_at".`,
    );
  const said = {
    title: storableText(finding.title),
    severity: finding.severity,
    subject: exactText('findings.subject', finding.subject),
    rule: finding.rule === undefined ? null : exactText('findings.rule', finding.rule),
    detail: finding.detail === undefined ? null : storableText(finding.detail),
    found_at: foundAt,
    resolved_at: resolvedAt,
  };
  return {
    app,
    finding: exactText('findings.id', finding.id),
    ...said,
    version: resolvedAt ?? foundAt,
    digest: createHash('sha256').update(JSON.stringify(said)).digest('hex'),
    received_at: at,
  };
}

const isNewer = (a: FindingRow, b: FindingRow): boolean =>
  a.version > b.version || (a.version === b.version && a.digest > b.digest);
