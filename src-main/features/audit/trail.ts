import type {
  AuditBreak,
  AuditFilter,
  AuditProgress,
  AuditVerdict,
  AuditVerification,
} from '#shared/api/audit.ts';
import { ConsoleError } from '#shared/errors.ts';
import type { Store } from '../../store/index.ts';
import { createAppender } from './append-records.ts';
import {
  type Act,
  type Audit,
  type AuditEvent,
  type BeginOptions,
  createEvent,
  type Ended,
} from './events.ts';
import { fitRecord } from './fit-record.ts';
import { createHeadKeeping, type KeptHead } from './keep-head.ts';
import { createRefusalLimit } from './limit-refusals.ts';
import {
  type ChainedRecord,
  exportRecords,
  type Listed,
  listRecords,
  type Page,
  readRecord,
} from './read-records.ts';
import { noHash } from './record-text.ts';
import { type AuditTables, keptHeadNote } from './store.ts';
import { type ChainEnds, chainEnds, type Walk, walkChain } from './walk-chain.ts';

/** The last record of a chain. */
export type ChainHead = { readonly seq: number; readonly hash: string };

/** Keeps the head outside the store, so that truncation of the chain is detected. */
export type HeadKeeper = {
  readonly kind: 'keychain' | 'file';
  /** The head as last kept; undefined when none was. Throws when the place cannot be read. */
  read(): Promise<ChainHead | undefined>;
  write(head: ChainHead): Promise<void>;
};

export type AuditTrailOptions = {
  readonly store: Store<AuditTables>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly log: { error(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Undefined where there is no place outside the store. */
  readonly head: HeadKeeper | undefined;
};

/** The audit trail: written by who acts, read by the session admins. */
export type AuditTrail = Audit & {
  /** Records newest first, `limit` at most, older than `before`. */
  list(filter: AuditFilter, page: Page): Promise<Listed>;
  /**
   * Returns one record with its neighbours, or undefined. Throws `Refused` for one whose text was corrupted.
   */
  record(seq: number): Promise<ChainedRecord | undefined>;
  /**
   * Returns the verdict that needs no long walk: from the newest 20,000 records and the last full walk. A
   * verdict no older than `notBefore` (epoch milliseconds) is reused.
   */
  verdict(notBefore?: number): Promise<AuditVerdict>;
  /** Walks the whole chain; ends early, by throwing its reason, when `signal` aborts. */
  verify(options?: {
    signal?: AbortSignal;
    onProgress?: (progress: AuditProgress) => void;
  }): Promise<AuditVerification>;
  /**
   * Accepts a chain that holds by itself although the head kept outside says otherwise, or is gone: leaves a record of
   * that, which becomes the kept head. Throws `Refused` for a chain that is broken in itself.
   */
  acceptHead(actor: string): Promise<ChainHead | undefined>;
  /** The whole chain, oldest first, as NDJSON in pieces of whole lines. */
  export(): AsyncIterable<string>;
  /** Writes what waits and keeps the head. */
  close(): Promise<void>;
};

/** Records that a verdict walks: a tenth of a second. */
const verdictLength = 20_000;

/** The audit trail over a store. */
export function createAuditTrail({ store, now, log, head: keeper }: AuditTrailOptions): AuditTrail {
  const { db } = store;
  const heads = createHeadKeeping({
    keeper,
    log,
    note: keptHeadNote(store),
    contains: async ({ seq, hash }) => (await hashAt(store, seq)) === hash,
  });
  const appender = createAppender({ store, log, onAppended: heads.appended });
  const refusals = createRefusalLimit(now);
  /** The break found by the last full walk, so that a page of new records does not hide it. */
  let brokenBefore: AuditBreak | undefined;
  let judging: Promise<AuditVerdict> | undefined;
  let judged: { readonly at: number; readonly verdict: AuditVerdict } | undefined;

  async function append(content: Ended, always: boolean): Promise<void> {
    const unrecorded = always ? 0 : refusals.admit(content);
    if (unrecorded === undefined) return;
    const detail = unrecorded === 0 ? content.detail : { ...content.detail, not_recorded: unrecorded };
    try {
      await appender.append(fitRecord({ ...content, detail, at: now() }));
    } catch (error) {
      if (!always) refusals.putBack(content, unrecorded);
      throw error;
    }
  }

  async function judge(): Promise<AuditVerdict> {
    const kept = await heads.remembered();
    const ends = await chainEnds(db);
    const start = Math.max(0, ends.last - verdictLength);
    const hash = start === 0 ? noHash : await hashAt(store, start);
    const walk: Walk =
      hash === undefined
        ? { checked: 0, firstBreak: { seq: start, kind: 'removed', reason: `Record ${start} is missing.` } }
        : await walkChain(db, { ends, kept: kept.head, after: { seq: start, hash } });
    const firstBreak = brokenBefore ?? (await rewrittenBefore(start, kept.head)) ?? walk.firstBreak;
    return {
      ...verdictOf({ ...walk, firstBreak }, ends, kept),
      ...(start === 0 ? {} : { from_seq: start + 1 }),
    };
  }

  /** Judges a kept head that is older than the records of a verdict. */
  async function rewrittenBefore(
    start: number,
    kept: ChainHead | undefined,
  ): Promise<AuditBreak | undefined> {
    if (kept === undefined || kept.seq > start || (await hashAt(store, kept.seq)) === kept.hash)
      return undefined;
    return {
      seq: kept.seq,
      kind: 'rewritten',
      reason: `Record ${kept.seq} is not the one whose hash was kept outside the store.`,
    };
  }

  async function begin(act: Act, detail = {}, { always }: BeginOptions = {}): Promise<AuditEvent> {
    await appender.ready();
    return createEvent(act, detail, (ended) => append(ended, always === true));
  }

  return {
    begin,
    list: (filter, page) => listRecords(db, filter, page),
    record: (seq) => readRecord(db, seq),
    verdict(notBefore) {
      if (judged !== undefined && notBefore !== undefined && judged.at >= notBefore)
        return Promise.resolve(judged.verdict);
      const at = now();
      // Shared: a page that several people look at walks once.
      judging ??= judge()
        .then((verdict) => {
          judged = { at, verdict };
          return verdict;
        })
        .finally(() => {
          judging = undefined;
        });
      return judging;
    },
    async verify(options = {}) {
      const started = performance.now();
      // Before the ends: a head is kept after its record is in the chain, so the chain read later must have it.
      const kept = await heads.read();
      const ends = await chainEnds(db);
      const walk = await walkChain(db, { ends, kept: kept.head, ...options });
      brokenBefore = walk.firstBreak;
      return { ...verdictOf(walk, ends, kept), took_ms: Math.round(performance.now() - started) };
    },
    async acceptHead(actor) {
      const kept = await heads.read();
      const ends = await chainEnds(db);
      const { firstBreak } = await walkChain(db, { ends, kept: undefined });
      if (firstBreak !== undefined) {
        throw new ConsoleError(
          'Refused',
          `Nothing was accepted: the chain itself is broken. ${firstBreak.reason}`,
        );
      }
      heads.accept();
      const before =
        kept.head === undefined
          ? (kept.unread ?? 'No head was kept.')
          : `Record ${kept.head.seq} was kept as the last.`;
      const event = await begin(
        { actor, action: 'audit.accept_head', target: 'audit' },
        {
          chain_seq: ends.last,
          ...(kept.head === undefined ? {} : { kept_seq: kept.head.seq, kept_hash: kept.head.hash }),
        },
      );
      event.record(`The chain was accepted as it is, with ${ends.last} records. ${before}`);
      await event.success();
      return (await chainEnds(db)).head;
    },
    export: () => exportRecords(db),
    async close() {
      const unrecorded = refusals.unrecorded();
      if (unrecorded > 0) {
        const summary = `${unrecorded} more refusals and failures were not recorded individually.`;
        const act = { actor: 'anonymous', action: 'audit.not_recorded', target: 'audit' };
        const detail = { not_recorded: unrecorded };
        await appender
          .append(fitRecord({ ...act, outcome: 'refused', summary, detail, at: now() }))
          // Told in the log already, and nobody is left who waits for it.
          .catch(() => undefined);
      }
      await appender.close();
      await heads.close();
    },
  };
}

async function hashAt({ db }: Store<AuditTables>, seq: number): Promise<string | undefined> {
  const row = await db.selectFrom('audit_records').select('hash').where('seq', '=', seq).executeTakeFirst();
  return row?.hash;
}

function verdictOf({ checked, firstBreak }: Walk, { head }: ChainEnds, kept: KeptHead) {
  return {
    intact: firstBreak === undefined,
    checked,
    ...(firstBreak === undefined ? {} : { first_break: firstBreak }),
    // An empty chain has a head row, but no record that it could name.
    ...(head === undefined || head.seq < 1 ? {} : { head_seq: head.seq, head_hash: head.hash }),
    head_kept_in: kept.in,
    ...(kept.in === 'nowhere' && kept.unread !== undefined ? { head_unread: kept.unread } : {}),
  };
}
