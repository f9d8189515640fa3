import type { Kysely } from 'kysely';
import type { AgentHealthRow, AgentTables, SessionRunRow } from './store.ts';

/** Returns what apps last reported about their agents, newest report first. */
export function readHealth(db: Kysely<AgentTables>, limit: number): Promise<AgentHealthRow[]> {
  return db
    .selectFrom('agent_health')
    .selectAll()
    .orderBy('received_at', 'desc')
    .orderBy('app')
    .orderBy('agent')
    .limit(limit)
    .execute();
}

/** Session runs that started at `since` (epoch ms) or later, newest first. */
export function readSessionRuns(
  db: Kysely<AgentTables>,
  since: number,
  limit: number,
): Promise<SessionRunRow[]> {
  return db
    .selectFrom('session_runs')
    .selectAll()
    .where('started_at', '>=', since)
    .orderBy('started_at', 'desc')
    .orderBy('app')
    .orderBy('run_id')
    .limit(limit)
    .execute();
}
