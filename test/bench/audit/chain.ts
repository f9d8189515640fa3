import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fitRecord } from '../../../src-main/features/audit/fit-record.ts';
import {
  type AuditTables,
  type AuditTrail,
  auditMigrations,
  type ChainHead,
  createAuditTrail,
} from '../../../src-main/features/audit/index.ts';
import { noHash, recordAfter } from '../../../src-main/features/audit/record-text.ts';
import { openStore, type Store, type StoreLocation } from '../../../src-main/store/index.ts';

/** An open chain for a bench. */
export type BenchChain = {
  readonly store: Store<AuditTables>;
  readonly trail: AuditTrail;
  close(): Promise<void>;
};

/** A new place for an encrypted file in `folder`. */
export function encryptedFile(folder: string, name: string): Extract<StoreLocation, { kind: 'sqlite' }> {
  const file = join(folder, `${name}.db`);
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  return { kind: 'sqlite', file, encryption: randomBytes(32) };
}

export async function openChain(place: StoreLocation): Promise<BenchChain> {
  const store = await openStore<AuditTables>({ location: place, migrations: auditMigrations });
  const fail = (fields: object, message: string): never => {
    throw new Error(message, { cause: fields });
  };
  const log = { error: fail, warn: fail };
  const trail = createAuditTrail({ store, now: Date.now, log, head: undefined });
  return {
    store,
    trail,
    async close() {
      await trail.close();
      await store.close();
    },
  };
}

/** Returns the audit record the console writes for one request, as long as such records are. */
function saying(number: number) {
  const target = `p${number % 1000}@example.com`;
  return {
    act: { actor: `operator${number % 50}@example.com`, action: 'sessions.revoke_all', target },
    circumstances: {
      address: '192.0.2.17',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/152.0',
    },
    summary: `Ended ${number % 7} sessions of ${target}.`,
    facts: { revoked: number % 7 },
  };
}

/** One act, recorded as the console does it for a request. */
export async function recordOne(trail: AuditTrail, number: number): Promise<void> {
  const { act, circumstances, summary, facts } = saying(number);
  const event = await trail.begin(act, circumstances);
  event.record(summary, facts);
  await event.success();
}

/** The same record's content, for who writes it without a trail. */
export function contentOf(number: number) {
  const { act, circumstances, summary, facts } = saying(number);
  const detail = { ...circumstances, ...facts };
  return fitRecord({ ...act, summary, detail, outcome: 'success', at: 1_790_000_000_000 + number * 997 });
}

/** Makes a long chain faster than acts could: the same records, a thousand in each transaction. */
export async function fillChain({ store }: BenchChain, count: number): Promise<void> {
  let head: ChainHead = { seq: 0, hash: noHash };
  while (head.seq < count) {
    const rows = Array.from({ length: Math.min(1000, count - head.seq) }, () => {
      const record = recordAfter(head, contentOf(head.seq));
      head = { seq: record.seq, hash: record.hash };
      return { ...record, append_id: `fill-${record.seq}` };
    });
    await store.db.transaction().execute(async (tx) => {
      await tx.insertInto('audit_records').values(rows).execute();
      await tx.updateTable('audit_head').set(head).execute();
    });
  }
}
