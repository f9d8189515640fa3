import type { Kysely } from 'kysely';
import type { AgentHealth, SessionRun } from '#shared/api/agents.ts';
import { ConsoleError } from '#shared/errors.ts';
import { exactText, storableText } from '../../store/index.ts';
import type { AgentHealthRow, AgentTables, SessionRunRow } from './store.ts';

/** Keeps an app's report: the last one of each app and agent counts. Answers how many agents it was about. */
export async function keepHealth(
  db: Kysely<AgentTables>,
  report: { readonly app: string; readonly agents: readonly AgentHealth[] },
  at: number,
): Promise<number> {
  const app = exactText('app', report.app);
  const byAgent = new Map<string, AgentHealthRow>();
  for (const health of report.agents) {
    const agent = exactText('agents.agent', health.agent);
    byAgent.set(agent, {
      app,
      agent,
      state: health.state,
      detail: health.detail === undefined ? null : storableText(health.detail),
      last_run_at: health.last_run_at === undefined ? null : Date.parse(health.last_run_at),
      runs_succeeded: health.runs_succeeded ?? null,
      runs_failed: health.runs_failed ?? null,
      received_at: at,
    });
  }
  // In one order: two reports of one app at the same moment would otherwise wait for each other's rows.
  const rows = [...byAgent.values()].sort((a, b) => (a.agent < b.agent ? -1 : 1));
  await db
    .insertInto('agent_health')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['app', 'agent']).doUpdateSet((eb) => ({
        state: eb.ref('excluded.state'),
        detail: eb.ref('excluded.detail'),
        last_run_at: eb.ref('excluded.last_run_at'),
        runs_succeeded: eb.ref('excluded.runs_succeeded'),
        runs_failed: eb.ref('excluded.runs_failed'),
        received_at: eb.ref('excluded.received_at'),
      })),
    )
    .execute();
  return rows.length;
}

/**
 * Keeps a run's report: the first one makes the run, later ones change it while it runs, and a run that has ended stays
 * as it ended. Throws `Refused` for a report that contradicts itself.
 */
export async function keepSessionRun(
  db: Kysely<AgentTables>,
  app: string,
  run: SessionRun,
  at: number,
): Promise<{ state: SessionRun['state']; created: boolean }> {
  const row = toRow(app, run, at);
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('session_runs')
    .values(row)
    .onConflict((conflict) => conflict.columns(['app', 'run_id']).doNothing())
    .executeTakeFirstOrThrow();
  if (inserted === 1n) return { state: row.state, created: true };
  const { app: _app, run_id: _runId, ...changes } = row;
  const changed = await db
    .updateTable('session_runs')
    .set(changes)
    .where('app', '=', row.app)
    .where('run_id', '=', row.run_id)
    .where('state', '=', 'running')
    .returning('state')
    .executeTakeFirst();
  if (changed !== undefined) return { state: changed.state, created: false };
  const { state } = await db
    .selectFrom('session_runs')
    .select('state')
    .where('app', '=', row.app)
    .where('run_id', '=', row.run_id)
    .executeTakeFirstOrThrow();
  return { state, created: false };
}

function toRow(app: string, run: SessionRun, at: number): SessionRunRow {
  const startedAt = Date.parse(run.started_at);
  const endedAt = run.ended_at === undefined ? null : Date.parse(run.ended_at);
  if (run.state === 'running' && endedAt !== null)
    throw new ConsoleError(
      'Refused',
      'A run that is still running has no "ended_at": leave one of the two out.',
    );
  if (endedAt !== null && endedAt < startedAt)
    throw new ConsoleError('Refused', 'This run ended before it started: check "started_at" and "ended_at".');
  return {
    app,
    run_id: exactText('run_id', run.run_id),
    agent: exactText('agent', run.agent),
    repo: run.repo === undefined ? null : exactText('repo', run.repo),
    state: run.state,
    started_at: startedAt,
    ended_at: endedAt,
    url: run.url === undefined ? null : exactText('url', run.url),
    summary: run.summary === undefined ? null : storableText(run.summary),
    received_at: at,
  };
}
