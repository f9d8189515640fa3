import { ConnectError } from '@connectrpc/connect';
import { Cron } from 'croner';
import type { BackendLog } from '../../serving/index.ts';
import type { Fetching } from '../estate/fetching.ts';
import type { CockpitStore, CockpitTables } from '../store.ts';

export type Outcome = 'dry_run' | 'fetched' | 'failed';
export type ScheduleRecord = {
  readonly source: string;
  readonly cron: string;
  /** Epoch ms. */
  readonly triggeredAt: number | undefined;
  readonly outcome: Outcome | undefined;
  readonly detail: string;
};

export type Scheduler = {
  list(): Promise<ScheduleRecord[]>;
  find(source: string): Promise<ScheduleRecord | undefined>;
  /** Makes or changes the schedule of a source that exists; its time counts from now on. */
  set(source: string, cron: string): Promise<ScheduleRecord>;
  /** Runs a schedule as its time would, and answers how that ended. `authorization` is whose fetch it is. */
  trigger(schedule: ScheduleRecord, authorization: string): Promise<ScheduleRecord>;
  /** Waits for what runs. */
  close(): Promise<void>;
};

export type SchedulerParts = {
  readonly store: CockpitStore;
  readonly fetching: Fetching;
  /** SCHEDULE_EXECUTE_FETCH (BCK-050). */
  readonly executeFetch: boolean;
  /** Returns whether the times of schedules count on this member: on one of them, not on each. */
  readonly leads: () => Promise<boolean>;
  /** Runs something with a session of the schedules' own. */
  readonly withSession: <T>(run: (authorization: string) => Promise<T>) => Promise<T>;
  /** Epoch ms. */
  readonly now: () => number;
  readonly log: BackendLog;
};

const outcomes: readonly Outcome[] = ['dry_run', 'fetched', 'failed'];

/** The times of a schedule: five fields, in UTC. Undefined for an expression that is none, or that never comes. */
export function cronOf(expression: string): Cron | undefined {
  if (expression.length > 100 || expression.trim().split(/\s+/).length !== 5) return undefined;
  try {
    const cron = new Cron(expression, { mode: '5-part', timezone: 'UTC', paused: true });
    return cron.nextRun() === null ? undefined : cron;
  } catch {
    return undefined;
  }
}

/** Runs every schedule in the store at its times. */
export async function openScheduler(parts: SchedulerParts): Promise<Scheduler> {
  const { store, fetching, executeFetch, leads, withSession, now, log } = parts;
  const { db } = store;
  const timers = new Map<string, Cron>();
  const running = new Set<Promise<unknown>>();

  const list = async (): Promise<ScheduleRecord[]> => {
    const rows = await db.selectFrom('schedules').selectAll().orderBy('source').execute();
    return rows.map(scheduleFromRow);
  };
  const find = async (source: string): Promise<ScheduleRecord | undefined> =>
    (await list()).find((each) => each.source === source);

  const outcomeOf = async (source: string, authorization: string): Promise<readonly [Outcome, string]> => {
    if (!executeFetch) {
      log.info(
        { source },
        `schedule dry-run: ${source} would be fetched now; set SCHEDULE_EXECUTE_FETCH=true to fetch it`,
      );
      return ['dry_run', ''];
    }
    try {
      const { domains } = await fetching.fetch(source, authorization);
      log.info({ source, domains }, 'a schedule fetched its source');
      return ['fetched', ''];
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      log.warn({ source, why: error.rawMessage }, 'a schedule could not fetch its source');
      return ['failed', error.rawMessage];
    }
  };

  const trigger = async (schedule: ScheduleRecord, authorization: string): Promise<ScheduleRecord> => {
    const triggeredAt = now();
    const [outcome, detail] = await outcomeOf(schedule.source, authorization);
    await db
      .updateTable('schedules')
      .set({ triggered_at: triggeredAt, outcome, detail })
      .where('source', '=', schedule.source)
      .execute();
    return { ...schedule, triggeredAt, outcome, detail };
  };

  const onTime = async (source: string): Promise<void> => {
    try {
      const schedule = await find(source);
      if (schedule === undefined || !(await leads())) return;
      // A dry run asks nobody anything and needs no session.
      if (executeFetch) await withSession((authorization) => trigger(schedule, authorization));
      else await trigger(schedule, '');
    } catch (error) {
      log.error({ err: error, source }, 'a schedule failed');
    }
  };

  const start = (source: string, expression: string): void => {
    timers.get(source)?.stop();
    // A run that takes longer than its period is not joined by the next one.
    const cron = new Cron(expression, { mode: '5-part', timezone: 'UTC', protect: true }, () => {
      const run = onTime(source).finally(() => running.delete(run));
      running.add(run);
      return run;
    });
    timers.set(source, cron);
  };
  for (const { source, cron } of await list()) start(source, cron);

  return {
    list,
    find,
    async set(source, cron) {
      const row = await db
        .insertInto('schedules')
        .values({ source, cron, triggered_at: null, outcome: null, detail: '' })
        .onConflict((conflict) => conflict.column('source').doUpdateSet({ cron }))
        .returningAll()
        .executeTakeFirstOrThrow();
      start(source, cron);
      return scheduleFromRow(row);
    },
    trigger,
    async close() {
      for (const timer of timers.values()) timer.stop();
      await Promise.all(running);
    },
  };
}

function scheduleFromRow(row: CockpitTables['schedules']): ScheduleRecord {
  return {
    source: row.source,
    cron: row.cron,
    triggeredAt: row.triggered_at ?? undefined,
    outcome: outcomes.find((each) => each === row.outcome),
    detail: row.detail,
  };
}
