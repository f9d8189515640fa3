import canonicalize from 'canonicalize';
import {
  type AuditTables,
  type AuditTrail,
  auditMigrations,
  type ChainHead,
  createAuditTrail,
  type HeadKeeper,
} from '../../src-main/features/audit/index.ts';
import { hashOf, noHash } from '../../src-main/features/audit/record-text.ts';
import { openStore, type Store, type StoreLocation } from '../../src-main/store/index.ts';
import type { Dialect } from './databases.ts';

/** A head keeper in memory, which a test reads and sets. */
export type MemoryHead = HeadKeeper & { kept: ChainHead | undefined; writes: number };

export function memoryHead(kept?: ChainHead): MemoryHead {
  const keeper: MemoryHead = {
    kind: 'keychain',
    kept,
    writes: 0,
    read: async () => keeper.kept,
    async write(head) {
      keeper.kept = head;
      keeper.writes += 1;
    },
  };
  return keeper;
}

/** A record as the store has it. */
export type ChainRow = { seq: number; append_id: string; body: string; hash: string };

/** A chain in a store of its own. */
export type TestChain = {
  readonly place: StoreLocation;
  readonly store: Store<AuditTables>;
  /** The trail as the console that runs now has it. */
  trail: AuditTrail;
  readonly head: MemoryHead;
  /** Returns everything logged, as one text. */
  readonly logged: () => string;
  /** Appends `count` records; their targets are `t1`, `t2`, ... */
  fill(count: number): Promise<void>;
  rows(): Promise<ChainRow[]>;
  /** The chain as a console that starts again sees it. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

export async function newChain(
  dialect: Dialect,
  now: () => number = Date.now,
  head = memoryHead(),
): Promise<TestChain> {
  const { place, remove } = await dialect.place();
  const store = await openStore<AuditTables>({ location: place, migrations: auditMigrations });
  const lines: string[] = [];
  const log = (fields: object, message: string): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`);
  };
  const started = (): AuditTrail => createAuditTrail({ store, now, log: { error: log, warn: log }, head });
  let filled = 0;
  const chain: TestChain = {
    place,
    store,
    trail: started(),
    head,
    logged: () => lines.join('\n'),
    async fill(count) {
      const acts = Array.from({ length: count }, async () => {
        filled += 1;
        const act = { actor: `p${filled % 3}@example.com`, action: 'tests.fill', target: `t${filled}` };
        const event = await chain.trail.begin(act, { address: '127.0.0.1' });
        event.record(`Filled ${filled}.`, { number: filled });
        await event.success();
      });
      await Promise.all(acts);
    },
    rows: () =>
      store.db
        .selectFrom('audit_records')
        .select(['seq', 'append_id', 'body', 'hash'])
        .orderBy('seq')
        .execute(),
    async restart() {
      await chain.trail.close();
      chain.trail = started();
    },
    async close() {
      await chain.trail.close();
      await store.close();
      remove();
    },
  };
  return chain;
}

/** A record's text with some of its fields changed. */
export function changed(body: string, fields: object): string {
  return canonicalize({ ...JSON.parse(body), ...fields }) ?? '';
}

/**
 * Recomputes every hash from `from` on, and the head, as an intruder who knows the chain's algorithm would.
 */
export async function rehash({ store, rows }: Pick<TestChain, 'store' | 'rows'>, from = 1): Promise<void> {
  let before: ChainHead = { seq: 0, hash: noHash };
  for (const row of await rows()) {
    if (row.seq >= from) {
      const body = changed(row.body, { prev_hash: before.hash, seq: row.seq });
      const hash = hashOf(body);
      await store.db.updateTable('audit_records').set({ body, hash }).where('seq', '=', row.seq).execute();
      before = { seq: row.seq, hash };
    } else before = row;
  }
  await store.db.updateTable('audit_head').set({ seq: before.seq, hash: before.hash }).execute();
}
