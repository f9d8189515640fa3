import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { ConsoleError } from '#shared/errors.ts';
import { type Store, StoreError, storeTrouble } from '../../store/index.ts';
import type { RecordContent } from './fit-record.ts';
import { recordAfter } from './record-text.ts';
import { type AuditTables, headRow } from './store.ts';
import type { AuditTrailOptions, ChainHead } from './trail.ts';

/** Writes records to the chain. */
export type Appender = {
  /** Resolves when the record is durable. Throws `Unavailable` when it is not known to be. */
  append(content: RecordContent): Promise<void>;
  /** Throws `Unavailable` when the last append failed and the store still takes nothing. */
  ready(): Promise<void>;
  /** Resolves when nothing is pending; later records are refused. */
  close(): Promise<void>;
};

type Options = {
  readonly store: Store<AuditTables>;
  readonly log: AuditTrailOptions['log'];
  /** Called with the chain's new last record, after each commit. */
  readonly onAppended: (head: ChainHead) => void;
};

type Waiting = {
  readonly appendId: string;
  readonly content: RecordContent;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
};

/** Records of one transaction at most: it holds every other console's up. */
const batchSize = 256;
/** Records that may wait. More means that the store has stopped, and memory would fill. */
const mostWaiting = 10_000;
/** Pauses before another try, in ms. */
const pauses: readonly number[] = [50, 250, 1000];

/**
 * One queue and one writer for each console: whatever waits when the writer is free goes into one transaction, so
 * one flush of the disk serves everybody who waited for the last one (group commit).
 */
export function createAppender({ store, log, onAppended }: Options): Appender {
  const waiting: Waiting[] = [];
  // An append's own name: random for this console, then counted, so that the index over them grows at its end.
  const mark = randomBytes(12).toString('base64url');
  let count = 0;
  let writing: Promise<void> | undefined;
  let failed = false;
  /** The chain's last record, as far as this console wrote it. */
  let known: ChainHead | undefined;
  let probe: Promise<void> | undefined;
  let closed = false;

  async function writeWaiting(): Promise<void> {
    for (;;) {
      // Acts that ended together may be recorded together: the rest of this turn's callers are still coming.
      await nextTurn();
      const batch = waiting.splice(0, batchSize);
      if (batch.length === 0) {
        // In the same turn as the look: who comes later finds no writer and starts one.
        writing = undefined;
        return;
      }
      try {
        const head = await appendPersistently(store, batch, known);
        known = head;
        failed = false;
        for (const { resolve } of batch) resolve();
        onAppended(head);
      } catch (error) {
        known = undefined;
        failed = true;
        log.error({ err: error, records: batch.length }, 'the audit trail could not be written');
        for (const { reject } of batch) reject(unwritten(error));
      }
    }
  }

  return {
    append(content) {
      if (closed || waiting.length >= mostWaiting)
        return Promise.reject(
          new ConsoleError(
            'Unavailable',
            closed
              ? 'The console is shutting down: this could not be recorded in the audit trail.'
              : "The audit trail cannot keep up: try again in a minute, and check the store's disk.",
          ),
        );
      return new Promise((resolve, reject) => {
        count += 1;
        waiting.push({ appendId: `${mark}-${count}`, content, resolve, reject });
        writing ??= writeWaiting();
      });
    },

    async ready() {
      if (!failed) return;
      // Shared: many callers who wait for a store that is away ask it once.
      probe ??= inTurn(store, async (tx) => {
        await tx
          .updateTable('audit_head')
          .set((head) => ({ hash: head.ref('hash') }))
          .where('id', '=', headRow)
          .execute();
      }).finally(() => {
        probe = undefined;
      });
      try {
        await probe;
        failed = false;
      } catch (error) {
        throw new ConsoleError(
          'Unavailable',
          `Nothing was done: the audit trail cannot be written, so privileged actions are refused. ${meaning(error)}`,
          {},
          { cause: error },
        );
      }
    },

    async close() {
      closed = true;
      await writing;
    },
  };
}

function unwritten(error: unknown): ConsoleError {
  return new ConsoleError(
    'Unavailable',
    `The audit trail could not be written. ${meaning(error)}`,
    {},
    { cause: error },
  );
}

function meaning(error: unknown): string {
  return (
    storeTrouble(error) ??
    'The reason is in the console log; `operator-console audit verify` shows whether the chain was tampered with.'
  );
}

/**
 * Appends a batch, retrying where the store may only have been unreachable for a moment. A connection that
 * breaks around COMMIT leaves it open whether the records were written: each retry first looks for them,
 * under the lock that the dead transaction held.
 */
async function appendPersistently(
  store: Store<AuditTables>,
  batch: readonly Waiting[],
  known: ChainHead | undefined,
): Promise<ChainHead> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const isFirst = attempt === 0;
      const head =
        isFirst && known !== undefined && store.kind === 'postgres'
          ? await appendAfter(store.db, known, batch)
          : undefined;
      return head ?? (await appendOnce(store, batch, !isFirst));
    } catch (error) {
      const pause = pauses[attempt];
      if (pause === undefined || store.kind !== 'postgres' || !mayPass(error)) throw error;
      await sleep(pause);
    }
  }
}

/**
 * True unless PostgreSQL itself named a lasting reason. Passing are its classes connection exception, transaction
 * rollback, insufficient resources, lock not available, operator intervention
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html); a failure without a code is the connection's.
 */
function mayPass(failure: unknown): boolean {
  // The store's words wrap what the driver said.
  const error = failure instanceof StoreError ? failure.cause : failure;
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return true;
  return /^(?:08|40|53|55|57)/.test(String(error.code)) && error.code !== '53100';
}

function appendOnce(
  store: Store<AuditTables>,
  batch: readonly Waiting[],
  again: boolean,
): Promise<ChainHead> {
  return inTurn(store, async (tx, head) => chain(tx, head, again ? await missingOf(tx, batch) : batch));
}

/**
 * Appends after a known last record in one statement, which is a transaction of its own: one way to the database and back,
 * where taking the lock first is five. Undefined when the chain has another last record by now; then nothing is written.
 */
async function appendAfter(
  db: Kysely<AuditTables>,
  known: ChainHead,
  batch: readonly Waiting[],
): Promise<ChainHead | undefined> {
  const { rows, last } = chained(known, batch);
  const records = sql.join(
    rows.map(
      ({ seq, append_id, body, hash }) =>
        sql`(${seq}::bigint, ${append_id}::text, ${body}::text, ${hash}::text)`,
    ),
  );
  // The update reads the settings, so that they hold before it waits for the lock.
  const { rows: written } = await sql`
    with settings as materialized (select ${synchronous}, ${shortWait}),
    head as (
      update audit_head set seq = ${last.seq}, hash = ${last.hash} from settings
      where audit_head.id = ${headRow} and audit_head.seq = ${known.seq} and audit_head.hash = ${known.hash}
      returning audit_head.id
    )
    insert into audit_records (seq, append_id, body, hash)
    select record.seq, record.append_id, record.body, record.hash
    from head, (values ${records}) as record (seq, append_id, body, hash)
    returning seq`.execute(db);
  return written.length === rows.length ? last : undefined;
}

/** Runs a transaction that holds the chain's lock, with its last record. */
async function inTurn<T>(
  { db, kind }: Store<AuditTables>,
  run: (tx: Transaction<AuditTables>, head: ChainHead) => Promise<T>,
): Promise<T> {
  let reason: unknown;
  try {
    return await db.transaction().execute(async (tx) => {
      try {
        return await run(tx, await takeTurn(kind, tx));
      } catch (error) {
        reason = error;
        throw error;
      }
    });
  } catch (error) {
    // SQLite ends a transaction itself when the disk is full; the failure to end it again would hide that.
    throw reason ?? error;
  }
}

/** Waits for the chain's turn and answers its last record. In SQLite the transaction has the turn from its beginning. */
async function takeTurn(kind: Store<AuditTables>['kind'], tx: Transaction<AuditTables>): Promise<ChainHead> {
  const head = tx.selectFrom('audit_head').select(['seq', 'hash']).where('id', '=', headRow);
  if (kind === 'postgres') await durable(tx);
  const row = await (kind === 'postgres' ? head.forUpdate() : head).executeTakeFirst();
  if (row === undefined)
    throw new Error('audit_head has no row: the chain was tampered with (operator-console audit verify)');
  return row;
}

/** COMMIT returns when the record is on disk, whatever the server's default is, and on its synchronous standbys. */
const synchronous = sql`set_config('synchronous_commit', case current_setting('synchronous_commit')
  when 'remote_apply' then 'remote_apply' else 'on' end, true)`;

/** The wait for the lock is limited. */
const shortWait = sql`set_config('lock_timeout', '10s', true)`;

/** Makes this transaction durable; a console that stops while holding the lock loses it. */
async function durable(tx: Kysely<AuditTables>): Promise<void> {
  await sql`select ${synchronous}, ${shortWait}, set_config('idle_in_transaction_session_timeout', '10s', true)`.execute(
    tx,
  );
}

async function missingOf(
  tx: Transaction<AuditTables>,
  batch: readonly Waiting[],
): Promise<readonly Waiting[]> {
  const ids = batch.map(({ appendId }) => appendId);
  const found = await tx
    .selectFrom('audit_records')
    .select('append_id')
    .where('append_id', 'in', ids)
    .execute();
  const there = new Set(found.map((row) => row.append_id));
  return batch.filter(({ appendId }) => !there.has(appendId));
}

async function chain(
  tx: Transaction<AuditTables>,
  head: ChainHead,
  batch: readonly Waiting[],
): Promise<ChainHead> {
  const { rows, last } = chained(head, batch);
  if (rows.length === 0) return head;
  await tx.insertInto('audit_records').values(rows).execute();
  await tx.updateTable('audit_head').set(last).where('id', '=', headRow).execute();
  return last;
}

/** Returns the rows that follow a last record, and the last of them. */
function chained(head: ChainHead, batch: readonly Waiting[]) {
  let last = head;
  const rows = batch.map(({ appendId, content }) => {
    const record = recordAfter(last, content);
    last = { seq: record.seq, hash: record.hash };
    return { ...record, append_id: appendId };
  });
  return { rows, last };
}
