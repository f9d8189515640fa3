import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Run } from '#shared/api/runs.ts';
import { storeTrouble } from '../../store/index.ts';
import {
  type AgentHealthRow,
  type AgentTables,
  readHealth,
  readSessionRuns,
  type SessionRunRow,
} from '../agents/index.ts';
import { seconds } from './workflow-run.ts';

/** Most reports of each kind that one list takes in: the newest. */
const reportsListed = 1000;

/** Longest id that is written out, in characters: a cursor holds one. */
const longestId = 200;

export type ReportedRuns = {
  /** False when the store could not be read. */
  readonly read: boolean;
  readonly runs: readonly Run[];
  readonly unmeasured: readonly string[];
};

/**
 * Returns the runs that apps and agent sessions reported. Times in epoch ms. Does not throw when the store
 * fails.
 */
export async function reportedRuns(
  db: Kysely<AgentTables>,
  wanted: { readonly apps: boolean; readonly sessions: boolean; readonly since: number },
  now: number,
): Promise<ReportedRuns> {
  try {
    const [health, sessions] = await Promise.all([
      wanted.apps ? readHealth(db, reportsListed + 1) : [],
      wanted.sessions ? readSessionRuns(db, wanted.since, reportsListed + 1) : [],
    ]);
    return {
      read: true,
      runs: [
        ...health.slice(0, reportsListed).map(appAgentRow),
        ...sessions.slice(0, reportsListed).map((session) => sessionRow(session, now)),
      ],
      unmeasured: [
        ...(health.length > reportsListed ? [cutShort('reports of app agents')] : []),
        ...(sessions.length > reportsListed ? [cutShort('session runs')] : []),
      ],
    };
  } catch (error) {
    const trouble = storeTrouble(error);
    if (trouble === undefined) throw error;
    return { read: false, runs: [], unmeasured: [`Reported runs were not read. ${trouble}`] };
  }
}

function cutShort(what: string): string {
  return `Older ${what} were not read: one list takes in the newest ${reportsListed.toLocaleString('en-GB')}.`;
}

/**
 * States of a run for an agent's health: an app reports how its agent is, not how one run ended, so the
 * original word is shown with it.
 */
const healthStates = {
  healthy: { state: 'success', word: undefined },
  degraded: { state: 'failure', word: 'reported as degraded' },
  failing: { state: 'failure', word: undefined },
  idle: { state: 'skipped', word: 'reported as idle' },
} as const;

function appAgentRow(health: AgentHealthRow): Run {
  const { state, word } = healthStates[health.state];
  const detail = [word, health.detail ?? undefined].filter((part) => part !== undefined).join(': ');
  return {
    id: idOf('app-agent', health.app, health.agent),
    kind: 'app-agent',
    name: health.agent,
    title: health.app,
    state,
    detail: detail === '' ? undefined : detail,
    started: new Date(health.last_run_at ?? health.received_at).toISOString(),
  };
}

function sessionRow(session: SessionRunRow, now: number): Run {
  const end = session.ended_at ?? (session.state === 'running' ? now : undefined);
  return {
    id: idOf('session', session.app, session.run_id),
    kind: 'session',
    // Some write it with its owner, who is always the console's organisation.
    repo: session.repo?.split('/').at(-1),
    name: session.agent,
    title: session.summary?.trim().split('\n', 1)[0],
    state: session.state,
    started: new Date(session.started_at).toISOString(),
    took_seconds: end === undefined ? undefined : seconds(session.started_at, end),
    url: session.url ?? undefined,
    actor: session.app,
  };
}

/** The names' own characters cannot make one id out of two different runs, and no id is too long for a cursor. */
export function idOf(kind: string, ...names: readonly string[]): string {
  const id = [kind, ...names.map(encodeURIComponent)].join(':');
  if (id.length <= longestId) return id;
  return `${kind}:${createHash('sha256').update(id).digest('base64url')}`;
}
