import type { Kysely } from 'kysely';
import type { Judgement, SubmittedFinding } from '#shared/api/judgement.ts';
import { ConsoleError } from '#shared/errors.ts';
import { exactText, storableText } from '../../store/index.ts';
import type { JudgementRow, JudgementTables, SubmissionRow } from './store.ts';

/** Findings kept of one platform. */
const mostOfPlatform = 20_000;

/**
 * Keeps a platform's findings; a later submission of one replaces what was said before and keeps when it first came.
 * Returns how many findings it was about; throws `Refused` when the platform has too many.
 */
export async function keepSubmission(
  db: Kysely<JudgementTables>,
  platform: string,
  findings: readonly SubmittedFinding[],
  at: number,
): Promise<number> {
  const rows = inOneOrder(
    findings.map((finding) => submissionRow(platform, finding, at)),
    ({ finding }) => finding,
  );
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('judgement_submissions')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['platform', 'finding']).doUpdateSet((eb) => ({
          title: eb.ref('excluded.title'),
          severity: eb.ref('excluded.severity'),
          subject: eb.ref('excluded.subject'),
          detail: eb.ref('excluded.detail'),
          url: eb.ref('excluded.url'),
          found_at: eb.ref('excluded.found_at'),
        })),
      )
      .execute();
    const { kept } = await transaction
      .selectFrom('judgement_submissions')
      .select((eb) => eb.fn.countAll().as('kept'))
      .where('platform', '=', platform)
      .executeTakeFirstOrThrow();
    if (Number(kept) > mostOfPlatform)
      throw new ConsoleError(
        'Refused',
        `${platform} would have more than ${mostOfPlatform.toLocaleString('en')} findings: submit what they have in common as one.`,
      );
  });
  return rows.length;
}

/** Keeps an App's verdicts; of its verdicts on one finding the newest counts. Returns how many findings it judged. */
export async function keepJudgements(
  db: Kysely<JudgementTables>,
  app: string,
  judgements: readonly Judgement[],
  at: number,
): Promise<number> {
  const oldestFirst = [...judgements].sort((a, b) => Date.parse(a.judged_at) - Date.parse(b.judged_at));
  const rows = inOneOrder(
    oldestFirst.map((each) => judgementRow(app, each, at)),
    ({ platform, finding }) => JSON.stringify([platform, finding]),
  );
  await db
    .insertInto('judgements')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['platform', 'finding', 'app'])
        .doUpdateSet((eb) => ({
          verdict: eb.ref('excluded.verdict'),
          reason: eb.ref('excluded.reason'),
          run_id: eb.ref('excluded.run_id'),
          judged_at: eb.ref('excluded.judged_at'),
          received_at: eb.ref('excluded.received_at'),
        }))
        .where((eb) => eb('excluded.judged_at', '>', eb.ref('judgements.judged_at'))),
    )
    .execute();
  return rows.length;
}

/** The last row of each key, sorted: a statement may change a row once, and two reports never wait for each other. */
function inOneOrder<Row>(rows: readonly Row[], key: (row: Row) => string): Row[] {
  const last = new Map(rows.map((row) => [key(row), row]));
  return [...last].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function submissionRow(platform: string, finding: SubmittedFinding, at: number): SubmissionRow {
  return {
    platform: exactText('platform', platform),
    finding: exactText('findings.id', finding.id),
    title: storableText(finding.title),
    severity: finding.severity === undefined ? null : storableText(finding.severity),
    subject: finding.subject === undefined ? null : storableText(finding.subject),
    detail: finding.detail === undefined ? null : storableText(finding.detail),
    url: finding.url === undefined ? null : exactText('findings.url', finding.url),
    found_at: finding.found_at === undefined ? null : Date.parse(finding.found_at),
    submitted_at: at,
  };
}

const judgementRow = (app: string, judged: Judgement, at: number): JudgementRow => ({
  platform: exactText('judgements.platform', judged.platform),
  finding: exactText('judgements.finding', judged.finding),
  app,
  verdict: judged.verdict,
  reason: storableText(judged.reason),
  run_id: judged.run_id === undefined ? null : exactText('judgements.run_id', judged.run_id),
  judged_at: Date.parse(judged.judged_at),
  received_at: at,
});
