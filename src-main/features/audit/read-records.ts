import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type AuditFilter, type AuditItem, type AuditRecord, auditItem } from '#shared/api/audit.ts';
import { ConsoleError } from '#shared/errors.ts';
import { exportLine, readText, type StoredRecord } from './record-text.ts';
import type { AuditTables } from './store.ts';
import type { ChainHead } from './trail.ts';

/** A page of a list: at most `limit` records, older than `before`. */
export type Page = { readonly before?: number | undefined; readonly limit: number };

export type Listed = {
  readonly items: AuditItem[];
  /** Records that would be on this page if their text were not corrupted. */
  readonly unreadable: readonly number[];
};

export type ChainedRecord = {
  readonly record: AuditRecord;
  readonly previous?: ChainHead | undefined;
  readonly next?: ChainHead | undefined;
};

/** Columns of a record as its text is checked and read. */
export const recordColumns = ['seq', 'body', 'hash'] as const;

/** Number before every record, also before forged ones numbered below 1. */
export const beforeAll = Number.MIN_SAFE_INTEGER;

/** Rows read at once: a few milliseconds of the event loop on SQLite. */
const pageSize = 1000;
/** Numbers of the chain that one query of a list may look through: what is rare is looked for in slices, too. */
const sliceSize = 5000;

/**
 * Records newest first that pass every filter. `since` and `until` include their own moment; `q` disregards case in
 * every script.
 */
export async function listRecords(
  db: Kysely<AuditTables>,
  filter: AuditFilter,
  { before, limit }: Page,
): Promise<Listed> {
  const matches = textFilter(filter.q);
  const items: AuditItem[] = [];
  const unreadable: number[] = [];
  const [first, last] = await bounds(db, filter);
  let upTo = Math.min(last, (before ?? Number.MAX_SAFE_INTEGER) - 1);
  while (upTo >= first) {
    const from = Math.max(first, upTo - sliceSize + 1);
    const most = matches === undefined ? limit - items.length : pageSize;
    const rows = await slice(db, filter, from, upTo, most);
    for (const row of rows) {
      if (matches?.mayMatch(row.body) === false) continue;
      const record = readText(row);
      if (record === undefined) unreadable.push(row.seq);
      else if (matches?.matches(record) !== false) items.push(auditItem.parse({ ...record, seq: row.seq }));
      if (items.length === limit) return { items, unreadable };
    }
    upTo = (rows.length < most ? from : (rows.at(-1)?.seq ?? from)) - 1;
    await nextTurn();
  }
  return { items, unreadable };
}

/** The first and last number that a filter's times leave, or of all records. */
async function bounds(db: Kysely<AuditTables>, { since, until }: AuditFilter): Promise<[number, number]> {
  let query = db.selectFrom('audit_records').select(({ fn }) => fn.max('seq').as('last'));
  if (since === undefined && until === undefined) {
    const { last } = await query.executeTakeFirstOrThrow();
    return [1, last ?? 0];
  }
  if (since !== undefined) query = query.where('at', '>=', new Date(since).toISOString());
  if (until !== undefined) query = query.where('at', '<=', new Date(until).toISOString());
  // Consoles' clocks differ, so neither end is simply the record at that time.
  const { first, last } = await query.select(({ fn }) => fn.min('seq').as('first')).executeTakeFirstOrThrow();
  return [first ?? 1, last ?? 0];
}

function slice(
  db: Kysely<AuditTables>,
  { actor, action, outcome, since, until }: AuditFilter,
  from: number,
  to: number,
  limit: number,
): Promise<StoredRecord[]> {
  let query = db
    .selectFrom('audit_records')
    .select(recordColumns)
    .where('seq', '>=', from)
    .where('seq', '<=', to)
    .orderBy('seq', 'desc')
    .limit(limit);
  if (actor !== undefined) query = query.where('actor', '=', actor);
  if (action !== undefined) query = query.where('action', '=', action);
  if (outcome !== undefined) query = query.where('outcome', '=', outcome);
  if (since !== undefined) query = query.where('at', '>=', new Date(since).toISOString());
  if (until !== undefined) query = query.where('at', '<=', new Date(until).toISOString());
  return query.execute();
}

type TextFilter = {
  /** False for a text that certainly does not match: most records are not worth reading. */
  mayMatch(body: string): boolean;
  matches(record: AuditRecord): boolean;
};

/** Here and not in SQL: the two databases fold the case of letters differently, and of few letters. */
function textFilter(q: string | undefined): TextFilter | undefined {
  if (q === undefined) return undefined;
  const wanted = q.toLowerCase();
  const written = JSON.stringify(q).slice(1, -1).toLowerCase();
  return {
    mayMatch: (body) => body.toLowerCase().includes(written),
    matches: ({ actor, action, target, summary }) =>
      [actor, action, target, summary].some((text) => text.toLowerCase().includes(wanted)),
  };
}

/**
 * Returns one record with its neighbours, or undefined. Throws `Refused` for one whose text was corrupted.
 */
export async function readRecord(db: Kysely<AuditTables>, seq: number): Promise<ChainedRecord | undefined> {
  const rows = await db
    .selectFrom('audit_records')
    .select(recordColumns)
    .where('seq', '>=', seq - 1)
    .where('seq', '<=', seq + 1)
    .execute();
  const row = rows.find((candidate) => candidate.seq === seq);
  if (row === undefined) return undefined;
  const record = readText(row);
  if (record === undefined)
    throw new ConsoleError(
      'Refused',
      `Record ${seq} is unreadable: its text was changed in the store. Verify the trail, and restore the store from a backup.`,
    );
  const neighbour = (at: number): ChainHead | undefined => {
    const found = rows.find((candidate) => candidate.seq === at);
    return found === undefined || at < 1 ? undefined : { seq: found.seq, hash: found.hash };
  };
  return { record: { ...record, seq }, previous: neighbour(seq - 1), next: neighbour(seq + 1) };
}

/** Rows of the chain in its order, a page at a time, after `after` and up to `last`. */
export async function* chainPages(
  db: Kysely<AuditTables>,
  after: number,
  last: number,
): AsyncGenerator<StoredRecord[]> {
  let cursor = after;
  for (;;) {
    const rows = await db
      .selectFrom('audit_records')
      .select(recordColumns)
      .where('seq', '>', cursor)
      .where('seq', '<=', last)
      .orderBy('seq')
      .limit(pageSize)
      .execute();
    const end = rows.at(-1)?.seq;
    if (end === undefined) return;
    yield rows;
    cursor = end;
    // On SQLite a page is read without a pause, and others are waiting.
    await nextTurn();
  }
}

/** The whole chain as it is now, oldest first, as NDJSON in pieces of whole lines. */
export async function* exportRecords(db: Kysely<AuditTables>): AsyncGenerator<string> {
  const [, last] = await bounds(db, {});
  for await (const rows of chainPages(db, beforeAll, last)) yield rows.map(exportLine).join('');
}
