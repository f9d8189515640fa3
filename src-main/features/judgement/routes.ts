import type { Kysely } from 'kysely';
import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import { storeReading } from '#shared/api/reading.ts';
import { ConsoleError } from '#shared/errors.ts';
import { keepJudgements, keepSubmission } from './keep.ts';
import { readJudgements, readSubmissions } from './read.ts';
import type { JudgementRow, JudgementTables, SubmissionRow } from './store.ts';

/** Findings or verdicts of one answer. */
const mostShown = 2_000;

/** Findings of external platforms, and the judge agent's verdicts on them. `now` in epoch ms. */
export function judgementHandlers({
  db,
  now,
}: {
  readonly db: () => Kysely<JudgementTables>;
  readonly now: () => number;
}): Handlers<Extract<RouteId, `judgement.${string}`>> {
  const reading = (rows: readonly unknown[], noun: string) => {
    const unmeasured =
      rows.length > mostShown ? [`Only the newest ${mostShown.toLocaleString('en')} ${noun} are shown.`] : [];
    return storeReading(now(), unmeasured);
  };
  return {
    'judgement.findings': async ({ query }) => {
      const rows = await readSubmissions(db(), query, mostShown + 1);
      return { items: rows.slice(0, mostShown).map(judgedFinding), ...reading(rows, 'findings') };
    },

    'judgement.submit': async ({ body }) => ({
      accepted: await keepSubmission(db(), body.platform, body.findings, now()),
    }),

    'judgement.verdicts': async ({ query }) => {
      const rows = await readJudgements(db(), query.platform, mostShown + 1);
      return {
        items: rows.slice(0, mostShown).map((row) => ({
          platform: row.platform,
          finding: row.finding,
          ...verdictOf(row),
        })),
        ...reading(rows, 'verdicts'),
      };
    },

    'judgement.judge': async ({ body }, { caller }) => {
      if (caller.agent === undefined)
        throw new ConsoleError('NotSignedIn', 'This report names no App: send an installation token.');
      return { accepted: await keepJudgements(db(), caller.agent.app, body.judgements, now()) };
    },
  };
}

const judgedFinding = ({ judgement, ...row }: SubmissionRow & { judgement: JudgementRow | undefined }) => ({
  platform: row.platform,
  id: row.finding,
  title: row.title,
  ...(row.severity === null ? {} : { severity: row.severity }),
  ...(row.subject === null ? {} : { subject: row.subject }),
  ...(row.detail === null ? {} : { detail: row.detail }),
  ...(row.url === null ? {} : { url: row.url }),
  ...(row.found_at === null ? {} : { found_at: new Date(row.found_at).toISOString() }),
  submitted_at: new Date(row.submitted_at).toISOString(),
  ...(judgement === undefined ? {} : { judgement: verdictOf(judgement) }),
});

const verdictOf = (row: JudgementRow) => ({
  app: row.app,
  verdict: row.verdict,
  reason: row.reason,
  judged_at: new Date(row.judged_at).toISOString(),
  ...(row.run_id === null ? {} : { run_id: row.run_id }),
});
