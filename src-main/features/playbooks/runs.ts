import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import { storableText } from '../../store/index.ts';
import { digestOf } from './check-definition.ts';
import type { PlaybookDefinition } from './definition.ts';
import { checkInputs, type Inputs } from './inputs.ts';
import { noProgress } from './progress.ts';
import type { PlaybookRunRow, PlaybookSignalRow, PlaybookTables } from './store.ts';

/** Runs that may be under way at once, of all playbooks, and runs that are kept once they have ended. */
const mostActive = 200;
const mostKept = 2_000;

/** What starts a run. */
export type Start = {
  readonly definition: PlaybookDefinition;
  /** The text of the definition: what the run is pinned to. */
  readonly text: string;
  readonly inputs: Inputs;
  readonly target: string | undefined;
  readonly rehearsal: boolean;
  readonly by: string;
  readonly kind: PlaybookRunRow['started_kind'];
  readonly event?: unknown;
  /** What starts it by itself: a second start of the same key starts nothing. */
  readonly key?: string;
};

/** Keeps a new run, to be worked on by any console. Answers its id, and whether it is new. Throws `TooManyRequests`, `BadInput`. */
export async function createRun(
  db: Kysely<PlaybookTables>,
  start: Start,
  at: number,
): Promise<{ readonly id: string; readonly created: boolean }> {
  const { definition, text } = start;
  const inputs = checkInputs(definition, start.inputs);
  const digest = digestOf(text);
  const row: PlaybookRunRow = {
    id: randomUUID(),
    playbook: definition.name,
    title: definition.title,
    digest,
    state: 'running',
    target: start.target ?? null,
    rehearsal: start.rehearsal ? 1 : 0,
    inputs: JSON.stringify(inputs),
    event: start.event === undefined ? null : storableText(JSON.stringify(start.event)),
    started_by: start.by,
    started_kind: start.kind,
    start_key: start.key ?? null,
    progress: JSON.stringify(noProgress),
    version: 1,
    sentence: 'Started.',
    lease_owner: null,
    lease_until: 0,
    fence: 0,
    wake_at: 0,
    signals: 0,
    deadline: at + definition.timeout,
    started_at: at,
    ended_at: null,
  };
  return db.transaction().execute(async (tx) => {
    await keepText(tx, text, at);
    const { numInsertedOrUpdatedRows: inserted } = await tx
      .insertInto('playbook_runs')
      .values(row)
      .onConflict((conflict) => conflict.column('start_key').doNothing())
      .executeTakeFirstOrThrow();
    if (inserted === 1n) {
      await refuseTooMany(tx);
      await prune(tx);
      return { id: row.id, created: true };
    }
    const { id } = await tx
      .selectFrom('playbook_runs')
      .select('id')
      .where('start_key', '=', start.key ?? '')
      .executeTakeFirstOrThrow();
    return { id, created: false };
  });
}

/** Keeps a text by its digest. */
export async function keepText(tx: Kysely<PlaybookTables>, text: string, at: number): Promise<string> {
  const digest = digestOf(text);
  await tx
    .insertInto('playbook_texts')
    .values({ digest, text, kept_at: at })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .execute();
  return digest;
}

/** Returns a kept text. */
export async function readText(db: Kysely<PlaybookTables>, digest: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('playbook_texts')
    .select('text')
    .where('digest', '=', digest)
    .executeTakeFirst();
  return row?.text;
}

async function refuseTooMany(tx: Kysely<PlaybookTables>): Promise<void> {
  const { count } = await tx
    .selectFrom('playbook_runs')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('state', 'in', ['running', 'waiting'])
    .executeTakeFirstOrThrow();
  if (Number(count) > mostActive)
    throw new ConsoleError(
      'TooManyRequests',
      `${mostActive} runs of playbooks are under way: cancel some, or wait until they have ended.`,
    );
}

/** Forgets the oldest runs that have ended; the audit trail keeps what they did. */
async function prune(tx: Kysely<PlaybookTables>): Promise<void> {
  const oldest = await tx
    .selectFrom('playbook_runs')
    .select('started_at')
    .where('ended_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .offset(mostKept)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  const gone = tx
    .selectFrom('playbook_runs')
    .select('id')
    .where('ended_at', 'is not', null)
    .where('started_at', '<=', oldest.started_at);
  await tx.deleteFrom('playbook_signals').where('run_id', 'in', gone).execute();
  await tx
    .deleteFrom('playbook_runs')
    .where('ended_at', 'is not', null)
    .where('started_at', '<=', oldest.started_at)
    .execute();
}

/** Returns a run. Throws `NotFound`. */
export async function readRun(db: Kysely<PlaybookTables>, id: string): Promise<PlaybookRunRow> {
  const row = await db.selectFrom('playbook_runs').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined)
    throw new ConsoleError('NotFound', 'There is no run of this ID: it may have been cleared away.');
  return row;
}

/** Returns what came in for a run, by name. */
export async function readSignals(
  db: Kysely<PlaybookTables>,
  id: string,
): Promise<ReadonlyMap<string, PlaybookSignalRow>> {
  const rows = await db.selectFrom('playbook_signals').selectAll().where('run_id', '=', id).execute();
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Puts in what came for a run and makes it due. Answers the one that counts: this one, or an earlier one of the same
 * name. `reopen`: a run that has ended is worked on again.
 */
export async function putSignal(
  db: Kysely<PlaybookTables>,
  signal: PlaybookSignalRow,
  { reopen = false }: { readonly reopen?: boolean } = {},
): Promise<{ readonly kept: PlaybookSignalRow; readonly created: boolean }> {
  const row = { ...signal, data: storableText(signal.data) };
  return db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows: inserted } = await tx
      .insertInto('playbook_signals')
      .values(row)
      .onConflict((conflict) => conflict.columns(['run_id', 'name']).doNothing())
      .executeTakeFirstOrThrow();
    if (inserted === 1n) {
      await tx
        .updateTable('playbook_runs')
        .set((eb) => ({ signals: eb('signals', '+', 1), wake_at: 0 }))
        .where('id', '=', signal.run_id)
        .execute();
      if (reopen)
        await tx
          .updateTable('playbook_runs')
          .set({ state: 'running', ended_at: null })
          .where('id', '=', signal.run_id)
          .where('ended_at', 'is not', null)
          .execute();
      return { kept: row, created: true };
    }
    const kept = await tx
      .selectFrom('playbook_signals')
      .selectAll()
      .where('run_id', '=', signal.run_id)
      .where('name', '=', signal.name)
      .executeTakeFirstOrThrow();
    return { kept, created: false };
  });
}
