import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { AuditBreak } from '#shared/api/audit.ts';
import { beforeAll, recordColumns } from './read-records.ts';
import { hashOf, linkOf, renumbered, type StoredRecord } from './record-text.ts';
import type { AuditTables } from './store.ts';
import type { ChainHead } from './trail.ts';
import type { ChainEnds } from './walk-chain.ts';

/** Records looked at after a break before the rest of the chain is. */
const around = 64;
/** Rows of one step through the rest of the chain. */
const stepSize = 1000;

type Where = {
  /** The last record that holds; seq 0 when none does. */
  readonly before: ChainHead;
  readonly ends: ChainEnds;
  readonly signal?: AbortSignal | undefined;
};

/** A row, and the place it was written for, when nothing but its number was changed since. */
type Witness = StoredRecord & {
  readonly home: { readonly seq: number; readonly prevHash: string } | undefined;
};

/**
 * Explains what was done to a chain at its first invalid record. A record whose text matches its hash, if
 * need be with another number, is evidence of its original position, wherever it is now: so a changed, moved,
 * inserted or removed record can be told apart. If several things were done at once the first is named, as
 * far as it can be determined.
 */
export async function explainBreak(db: Kysely<AuditTables>, where: Where): Promise<AuditBreak> {
  const { before, ends } = where;
  const seq = before.seq + 1;
  const rows = await db
    .selectFrom('audit_records')
    .select(recordColumns)
    .where('seq', '>=', before.seq === 0 ? beforeAll : before.seq)
    .orderBy('seq')
    .limit(around)
    .execute();
  const zeroth = rows.find((row) => row.seq < 1);
  if (zeroth !== undefined)
    return { seq: 1, kind: 'inserted', reason: `A record numbered ${zeroth.seq} precedes the first.` };
  const numbers = Array.from({ length: 2 * around }, (_, index) => seq - around + index);
  const near = rows.map((row) => witness(row, numbers));
  const record = near.find((row) => row.seq === seq);
  if (record === undefined) return removed(seq, near.find((row) => row.seq > seq)?.seq);
  if (ends.head !== undefined && seq > ends.head.seq)
    return inserted(seq, `the last record a console wrote is ${ends.head.seq}`);
  const later = near.filter((row) => row.seq > seq);
  const previous = near.find((row) => row.seq === before.seq);
  return explain(db, { record, previous, later, where });
}

type Scene = {
  /** The record at the break. */
  readonly record: Witness;
  readonly previous: Witness | undefined;
  readonly later: readonly Witness[];
  readonly where: Where;
};

async function explain(
  db: Kysely<AuditTables>,
  { record, previous, later, where }: Scene,
): Promise<AuditBreak> {
  const { before, ends } = where;
  const { seq, home } = record;
  const [next] = later;
  if (previous?.hash === record.hash) return inserted(seq, `it is a copy of record ${previous.seq}`);
  // What was put in holds by itself, and pushed this record up: both name the same record before them.
  if (previous !== undefined && home?.seq === previous.seq && home.prevHash === previous.home?.prevHash)
    return inserted(previous.seq, `record ${seq} was written as number ${previous.seq}`);
  if (home?.seq === seq) {
    // It was written for this place, but after another record: that one was changed, or this one was made up.
    const vouchedFor =
      next === undefined ? ends.head?.hash === record.hash : next.home?.prevHash === record.hash;
    if (vouchedFor && previous !== undefined) {
      return {
        seq: previous.seq,
        kind: 'edited',
        reason: `Record ${previous.seq} was changed and its hash recomputed: record ${seq} still names the hash it had.`,
      };
    }
  }
  const belongs = later.find((row) => row.home?.seq === seq && row.home.prevHash === before.hash);
  const pushedUp = belongs !== undefined && belongs === next && home?.seq !== belongs.seq;
  if (pushedUp || (belongs !== undefined && later.some((row) => row.hash === record.hash)))
    return inserted(seq, `record ${belongs.seq} was written as number ${seq}`);
  const moved = belongs ?? (await lookFurther(db, where));
  if (moved !== undefined) {
    return {
      seq,
      kind: 'reordered',
      reason: `Records were reordered: the one written as number ${seq} is now number ${moved.seq}.`,
    };
  }
  if (home !== undefined && home.seq > seq) return removed(seq, undefined, home.seq);
  // The record after one that was taken out, hashed anew for its place: those behind it tell.
  if (home?.seq === seq && next?.home !== undefined && next.home.seq > next.seq) return removed(seq);
  return {
    seq,
    kind: 'edited',
    reason:
      hashOf(record.body) === record.hash
        ? `Record ${seq} was forged or changed: it does not follow record ${before.seq}.`
        : `Record ${seq} was changed: its text does not match its hash.`,
  };
}

/** `numbers` are those it may have had. */
function witness(row: StoredRecord, numbers: readonly number[]): Witness {
  if (hashOf(row.body) === row.hash) return { ...row, home: linkOf(row.body) };
  const first = numbers.find((seq) => hashOf(renumbered(row.body, seq)) === row.hash);
  return { ...row, home: first === undefined ? undefined : linkOf(renumbered(row.body, first)) };
}

/** Looks through the rest of the chain for the record that was written right after `before`. */
async function lookFurther(
  db: Kysely<AuditTables>,
  { before, ends, signal }: Where,
): Promise<Witness | undefined> {
  let cursor = before.seq + 1;
  for (;;) {
    signal?.throwIfAborted();
    const rows = await db
      .selectFrom('audit_records')
      .select(recordColumns)
      .where('seq', '>', cursor)
      .where('seq', '<=', ends.last)
      .orderBy('seq')
      .limit(stepSize)
      .execute();
    for (const row of rows) {
      // Only a text that names this hash is worth hashing.
      if (!row.body.includes(before.hash)) continue;
      const found = witness(row, [before.seq + 1]);
      if (found.home?.seq === before.seq + 1 && found.home.prevHash === before.hash) return found;
    }
    const end = rows.at(-1)?.seq;
    if (end === undefined) return undefined;
    cursor = end;
    await nextTurn();
  }
}

function removed(seq: number, next?: number, writtenAs?: number): AuditBreak {
  if (writtenAs !== undefined) {
    return {
      seq,
      kind: 'removed',
      reason: `Record ${seq} is missing: the one in its place was written as number ${writtenAs}.`,
    };
  }
  const gone =
    next === undefined || next === seq + 1 ? `Record ${seq} is` : `Records ${seq} to ${next - 1} are`;
  return { seq, kind: 'removed', reason: `${gone} missing.` };
}

function inserted(seq: number, evidence: string): AuditBreak {
  return { seq, kind: 'inserted', reason: `Record ${seq} was inserted later: ${evidence}.` };
}
