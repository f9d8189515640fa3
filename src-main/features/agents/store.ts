import type { Kysely } from 'kysely';
import type { AgentHealth, SessionCommand, SessionRun } from '#shared/api/agents.ts';
import type { Migrations } from '../../store/index.ts';

/** One agent's health as its app last reported it. Times are epoch milliseconds in every table here. */
export type AgentHealthRow = {
  app: string;
  agent: string;
  state: AgentHealth['state'];
  detail: string | null;
  last_run_at: number | null;
  runs_succeeded: number | null;
  runs_failed: number | null;
  received_at: number;
};

/** One run of an agent's session; an App reports its own runs only, so the same id of another App is another run. */
export type SessionRunRow = {
  app: string;
  run_id: string;
  agent: string;
  repo: string | null;
  state: SessionRun['state'];
  started_at: number;
  ended_at: number | null;
  url: string | null;
  summary: string | null;
  received_at: number;
};

/** One person's queue: the row that those who put commands into it take turns by. */
export type SessionQueueRow = { email: string; last_position: number };

/** One command. A claim without a result counts as queued again after a while; the row says so only by its time. */
export type SessionCommandRow = {
  id: string;
  email: string;
  /** Place in the person's queue: 1, 2, 3 ... in the order they were put in. */
  position: number;
  command: string;
  state: SessionCommand['state'];
  queued_at: number;
  claimed_at: number | null;
  finished_at: number | null;
  output: string | null;
};

export type AgentTables = {
  agent_health: AgentHealthRow;
  session_runs: SessionRunRow;
  session_queues: SessionQueueRow;
  session_commands: SessionCommandRow;
};

export const agentMigrations: Migrations = {
  '2026-11-06-agents': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('agent_health')
        .addColumn('app', 'text', (c) => c.notNull())
        .addColumn('agent', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('detail', 'text')
        .addColumn('last_run_at', 'bigint')
        .addColumn('runs_succeeded', 'bigint')
        .addColumn('runs_failed', 'bigint')
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('agent_health_key', ['app', 'agent'])
        .execute();
      await db.schema
        .createTable('session_runs')
        .addColumn('app', 'text', (c) => c.notNull())
        .addColumn('run_id', 'text', (c) => c.notNull())
        .addColumn('agent', 'text', (c) => c.notNull())
        .addColumn('repo', 'text')
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('started_at', 'bigint', (c) => c.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('url', 'text')
        .addColumn('summary', 'text')
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('session_runs_key', ['app', 'run_id'])
        .execute();
      await db.schema
        .createTable('session_queues')
        .addColumn('email', 'text', (c) => c.primaryKey())
        .addColumn('last_position', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('session_commands')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('email', 'text', (c) => c.notNull())
        .addColumn('position', 'bigint', (c) => c.notNull())
        .addColumn('command', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('queued_at', 'bigint', (c) => c.notNull())
        .addColumn('claimed_at', 'bigint')
        .addColumn('finished_at', 'bigint')
        .addColumn('output', 'text')
        .execute();
      // The queue as it is read: what waits of one person, first in first out; and the newest of one person.
      await db.schema
        .createIndex('session_commands_by_queue')
        .on('session_commands')
        .columns(['email', 'state', 'position'])
        .execute();
      await db.schema
        .createIndex('session_commands_by_position')
        .on('session_commands')
        .columns(['email', 'position'])
        .unique()
        .execute();
    },
  },
  '2026-11-21-session-runs-started': {
    async up(db: Kysely<unknown>) {
      // The list of runs is the newest ones.
      await db.schema.createIndex('session_runs_started').on('session_runs').column('started_at').execute();
    },
  },
};
