import { type Kysely, sql } from 'kysely';
import type { Judgement } from '#shared/api/judgement.ts';
import type { JudgementRow, JudgementTables, SubmissionRow } from './store.ts';

export type JudgedSubmission = SubmissionRow & { readonly judgement: JudgementRow | undefined };

/**
 * Returns submitted findings, newest first, each with the newest verdict on it; `none` are those without one.
 */
export async function readSubmissions(
  db: Kysely<JudgementTables>,
  filter: {
    readonly platform?: string | undefined;
    readonly verdict?: Judgement['verdict'] | 'none' | undefined;
  },
  limit: number,
): Promise<JudgedSubmission[]> {
  let query = db
    .selectFrom('judgement_submissions as s')
    .leftJoin('judgements as j', (join) =>
      join
        .onRef('j.platform', '=', 's.platform')
        .onRef('j.finding', '=', 's.finding')
        // The newest verdict of any App; of two at the same moment, that of the App first by name.
        .on(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('judgements as k')
                .select(sql.lit(1).as('one'))
                .whereRef('k.platform', '=', 'j.platform')
                .whereRef('k.finding', '=', 'j.finding')
                .where((eb) =>
                  eb.or([
                    eb('k.judged_at', '>', eb.ref('j.judged_at')),
                    eb.and([
                      eb('k.judged_at', '=', eb.ref('j.judged_at')),
                      eb('k.app', '<', eb.ref('j.app')),
                    ]),
                  ]),
                ),
            ),
          ),
        ),
    )
    .selectAll('s')
    .select(['j.app', 'j.verdict', 'j.reason', 'j.run_id', 'j.judged_at', 'j.received_at']);
  const { platform, verdict } = filter;
  if (platform !== undefined) query = query.where('s.platform', '=', platform);
  if (verdict === 'none') query = query.where('j.verdict', 'is', null);
  else if (verdict !== undefined) query = query.where('j.verdict', '=', verdict);
  const rows = await query
    .orderBy('s.submitted_at', 'desc')
    .orderBy('s.platform')
    .orderBy('s.finding')
    .limit(limit)
    .execute();
  return rows.map(({ app, verdict, reason, run_id, judged_at, received_at, ...submission }) => ({
    ...submission,
    judgement:
      app === null || verdict === null || reason === null || judged_at === null || received_at === null
        ? undefined
        : {
            platform: submission.platform,
            finding: submission.finding,
            app,
            verdict,
            reason,
            run_id,
            judged_at,
            received_at,
          },
  }));
}

/** Returns verdicts, newest first. */
export async function readJudgements(
  db: Kysely<JudgementTables>,
  platform: string | undefined,
  limit: number,
): Promise<JudgementRow[]> {
  let query = db.selectFrom('judgements').selectAll();
  if (platform !== undefined) query = query.where('platform', '=', platform);
  return await query
    .orderBy('judged_at', 'desc')
    .orderBy('platform')
    .orderBy('finding')
    .orderBy('app')
    .limit(limit)
    .execute();
}
