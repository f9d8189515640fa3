import type { Kysely } from 'kysely';
import type { AuditBreak, AuditProgress } from '#shared/api/audit.ts';
import { explainBreak } from './explain-break.ts';
import { beforeAll, chainPages } from './read-records.ts';
import { follows, noHash } from './record-text.ts';
import { type AuditTables, headRow } from './store.ts';
import type { ChainHead } from './trail.ts';

/** The two ends that determine a chain's length, at one moment. */
export type ChainEnds = {
  /** The last record as appends noted it; undefined when that note is gone. */
  readonly head: ChainHead | undefined;
  /** Number of the last record; 0 when there is none. */
  readonly last: number;
};

export type WalkOptions = {
  readonly ends: ChainEnds;
  /** The head as it was kept outside the store before `ends` were read. */
  readonly kept: ChainHead | undefined;
  /** The record before the first to walk, to walk a part; the default is the whole chain. */
  readonly after?: ChainHead | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: AuditProgress) => void) | undefined;
};

export type Walk = { readonly checked: number; readonly firstBreak: AuditBreak | undefined };

/** Milliseconds between two tellings of progress. */
const progressEvery = 100;

/** Reads both ends in one statement: records appended meanwhile are in both or in neither. */
export async function chainEnds(db: Kysely<AuditTables>): Promise<ChainEnds> {
  const row = await db
    .selectFrom(({ selectFrom }) =>
      selectFrom('audit_records')
        .select(({ fn }) => fn.max('seq').as('last'))
        .as('records'),
    )
    .leftJoin('audit_head', (join) => join.on('audit_head.id', '=', headRow))
    .select(['records.last', 'audit_head.seq', 'audit_head.hash'])
    .executeTakeFirstOrThrow();
  const head = row.seq === null || row.hash === null ? undefined : { seq: row.seq, hash: row.hash };
  return { head, last: row.last ?? 0 };
}

/**
 * Walks the chain and names the first invalid record. One page is in memory at a time. Throws the reason of
 * `signal` when it aborts.
 */
export async function walkChain(db: Kysely<AuditTables>, options: WalkOptions): Promise<Walk> {
  const { ends, kept, signal } = options;
  const first = options.after ?? { seq: 0, hash: noHash };
  const tellProgress = progressTeller(options, ends.last - first.seq);
  let before = first;
  let keptHolds = true;
  let found: AuditBreak | undefined;
  const from = first.seq === 0 ? beforeAll : first.seq;
  for await (const rows of chainPages(db, from, ends.last)) {
    signal?.throwIfAborted();
    const bad = rows.findIndex((row) => {
      if (!follows(row, before)) return true;
      if (row.seq === kept?.seq && row.hash !== kept.hash) keptHolds = false;
      before = row;
      return false;
    });
    if (bad >= 0) {
      found = await explainBreak(db, { before, ends, signal });
      break;
    }
    tellProgress(before.seq - first.seq);
  }
  const checked = before.seq - first.seq;
  tellProgress(checked, true);
  found ??= brokenEnd(before, ends);
  return { checked, firstBreak: earliest(found, brokenPromise(before, kept, keptHolds)) };
}

/** Returns the break shown by the chain's own note of its head, when every record up to `last` is valid. */
function brokenEnd(last: ChainHead, { head }: ChainEnds): AuditBreak | undefined {
  if (head === undefined) {
    return {
      seq: last.seq + 1,
      kind: 'truncated',
      reason: `The note of the chain's last record (table audit_head) is missing: records after ${last.seq} may have been cut off.`,
    };
  }
  if (last.seq < head.seq) {
    const missing =
      head.seq === last.seq + 1 ? `record ${head.seq}` : `records ${last.seq + 1} to ${head.seq}`;
    return {
      seq: last.seq + 1,
      kind: 'truncated',
      reason: `The chain ends too early: ${missing} were written and are missing.`,
    };
  }
  if (last.seq > head.seq) {
    return {
      seq: head.seq + 1,
      kind: 'inserted',
      reason: `Record ${head.seq + 1} was not written by a console: the last one a console wrote is ${head.seq}.`,
    };
  }
  if (last.hash === head.hash) return undefined;
  return {
    seq: Math.max(last.seq, 1),
    kind: 'edited',
    reason: `Record ${last.seq} was changed and its hash recomputed: the console noted another hash for it.`,
  };
}

/** Returns the break shown by the head kept outside the store, when every record up to `last` is valid. */
function brokenPromise(
  last: ChainHead,
  kept: ChainHead | undefined,
  keptHolds: boolean,
): AuditBreak | undefined {
  if (kept !== undefined && !keptHolds) {
    return {
      seq: kept.seq,
      kind: 'rewritten',
      reason: `The chain is consistent, but record ${kept.seq} is not the one whose hash was kept outside the store: it, or records before it, were rewritten with new hashes.`,
    };
  }
  if (kept === undefined || kept.seq <= last.seq) return undefined;
  return {
    seq: last.seq + 1,
    kind: 'truncated',
    reason: `The chain ends at record ${last.seq}, but record ${kept.seq} was kept outside the store as its last: what came after ${last.seq} was cut off.`,
  };
}

function earliest(...breaks: readonly (AuditBreak | undefined)[]): AuditBreak | undefined {
  return breaks
    .filter((found) => found !== undefined)
    .sort((a, b) => a.seq - b.seq)
    .at(0);
}

function progressTeller(
  { onProgress }: WalkOptions,
  total: number,
): (checked: number, last?: boolean) => void {
  let reportedAt = performance.now();
  return (checked, last = false) => {
    if (onProgress === undefined || (!last && performance.now() - reportedAt < progressEvery)) return;
    reportedAt = performance.now();
    onProgress({ checked, total });
  };
}
