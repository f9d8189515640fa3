import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { ConsoleError } from '#shared/errors.ts';
import { errorMessage } from '../../base/error-message.ts';
import { checkRepeatedly } from '../../base/repeated-check.ts';
import { exactText, storableText } from '../../store/index.ts';
import { type Audit, audited } from '../audit/index.ts';
import { holds } from './advance.ts';
import type { Catalogue, Playbook } from './catalogue.ts';
import { nextOccurrence } from './check-definition.ts';
import { createRun, type Start } from './runs.ts';
import type { PlaybookTables } from './store.ts';

export type TriggerParts = {
  readonly db: Kysely<PlaybookTables>;
  readonly catalogue: Catalogue;
  readonly audit: Audit;
  readonly log: Pick<Logger, 'warn'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Called when runs were started. */
  readonly started: () => void;
};

/** How often schedules are looked at, in ms. */
const lookEvery = 10_000;
/** A time that was missed by more than this, in ms, such as by a console that was off, starts nothing. */
const mostLate = 10 * 60_000;
/** Retention of an event, in ms: one that comes twice within it starts once. */
const eventLifetime = 30 * 24 * 3_600_000;

/** Starts runs by schedule: of several consoles on one database one starts each. Returns what stops it. */
export function followSchedules(parts: TriggerParts): () => void {
  return checkRepeatedly({
    everyMs: lookEvery,
    check: () => startScheduled(parts),
    failed: (error) => parts.log.warn({ err: error }, 'schedules of playbooks were not read'),
  });
}

/** Starts every run whose time has come since schedules were last looked at. */
async function startScheduled(parts: TriggerParts): Promise<void> {
  const { db, catalogue, now } = parts;
  for (const playbook of await catalogue.list()) {
    const { row, definition } = playbook;
    if (row?.armed !== 1 || definition === undefined || definition.start.schedule.length === 0) continue;
    const at = now();
    for (const { cron, time_zone } of definition.start.schedule) {
      const after = Math.max(row.scheduled_until, at - mostLate);
      const due = nextOccurrence(cron, time_zone, after);
      if (due === undefined || due > at) continue;
      await startBy(parts, playbook, {
        kind: 'schedule',
        by: row.updated_by,
        key: `schedule:${playbook.name}:${cron}:${time_zone}:${due}`,
      });
    }
    await db
      .updateTable('playbooks')
      .set({ scheduled_until: at })
      .where('name', '=', playbook.name)
      .where('scheduled_until', '<', at)
      .execute();
  }
}

/** Starts what an event starts. An event that was taken before answers the runs that it started then. */
export async function takeEvent(
  parts: TriggerParts,
  app: string,
  event: { readonly id: string; readonly type: string; readonly data: unknown },
): Promise<{ created: boolean; runs: { playbook: string; run_id: string }[] }> {
  const { db, catalogue, now } = parts;
  const id = exactText('id', event.id);
  const at = now();
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('playbook_events')
    .values({ app, id, type: event.type, data: storableText(JSON.stringify(event.data)), received_at: at })
    .onConflict((conflict) => conflict.columns(['app', 'id']).doNothing())
    .executeTakeFirstOrThrow();
  const created = inserted === 1n;
  if (created)
    await db
      .deleteFrom('playbook_events')
      .where('received_at', '<', at - eventLifetime)
      .execute();
  const kept = await db
    .selectFrom('playbook_events')
    .selectAll()
    .where('app', '=', app)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (kept.type !== event.type)
    throw new ConsoleError(
      'Conflict',
      `This App sent another event with the id "${id}": give each event its own.`,
    );
  // Taken up again where a console ended between the event and its runs: each start has its own key.
  const scope = { id, type: kept.type, app, data: JSON.parse(kept.data) as unknown };
  const runs: { playbook: string; run_id: string }[] = [];
  for (const playbook of await catalogue.list()) {
    const { row, definition } = playbook;
    if (row?.armed !== 1 || definition === undefined || !isFor(definition.start.events, scope)) continue;
    const run_id = await startBy(parts, playbook, {
      kind: 'event',
      by: app,
      key: `event:${app}:${id}:${playbook.name}`,
      event: scope,
    });
    if (run_id !== undefined) runs.push({ playbook: playbook.name, run_id });
  }
  return { created, runs };
}

function isFor(
  events: readonly { readonly type: string; readonly when?: string | undefined }[],
  event: { readonly type: string },
): boolean {
  return events.some(({ type, when }) => {
    if (type !== event.type) return false;
    try {
      return when === undefined || holds(when, { event }, ['event']);
    } catch (error) {
      // An event without a field that the condition reads is not meant by it.
      if (error instanceof ConsoleError) return false;
      throw error;
    }
  });
}

/** Starts a run of an armed playbook; its inputs are the event's data of the same names, and defaults. */
async function startBy(
  { db, audit, log, now, started }: TriggerParts,
  { name, definition, text }: Playbook,
  start: Pick<Start, 'kind' | 'by' | 'key' | 'event'>,
): Promise<string | undefined> {
  if (definition === undefined) return undefined;
  const known = await db
    .selectFrom('playbook_runs')
    .select('id')
    .where('start_key', '=', start.key ?? '')
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  try {
    return await audited(
      audit,
      { actor: start.by, action: 'playbooks.start', target: name },
      { started_by: start.kind },
      async (event) => {
        const { id, created } = await createRun(
          db,
          {
            ...start,
            definition,
            text,
            inputs: inputsFrom(start.event, definition.inputs),
            target: undefined,
            rehearsal: false,
          },
          now(),
        );
        event.record(created ? `Started the run ${id}.` : `The run ${id} was started before.`, { run: id });
        if (created) started();
        return id;
      },
    );
  } catch (error) {
    log.warn({ playbook: name, reason: errorMessage(error) }, 'a playbook was not started');
    if (start.kind === 'event' && error instanceof ConsoleError && error.name === 'Unavailable') throw error;
    return undefined;
  }
}

function inputsFrom(event: unknown, inputs: readonly { readonly name: string }[]) {
  const data =
    typeof event === 'object' && event !== null && 'data' in event && typeof event.data === 'object'
      ? Object.entries(event.data ?? {})
      : [];
  const names = new Set(inputs.map(({ name }) => name));
  return Object.fromEntries(
    data.filter(
      (entry): entry is [string, string | number | boolean] =>
        names.has(entry[0]) && ['string', 'number', 'boolean'].includes(typeof entry[1]),
    ),
  );
}
