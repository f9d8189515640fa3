import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  type AuditTables,
  auditMigrations,
  type ChainHead,
  createAuditTrail,
} from '../../../../src-main/features/audit/index.ts';
import { openStore, type StoreLocation } from '../../../../src-main/store/index.ts';
import { buildWriters } from '../../../support/audit-writers.ts';
import { dialects } from '../../../support/databases.ts';
import { sweepOf } from '../../../support/sweeps.ts';

const writers = buildWriters();
const rounds = sweepOf(50, 8);
const writersAtOnce = 4;
/** The longest a writer lives once it is at work, in ms; and, for every other one, once it has its order. */
const longestLife = 80;

type Seen = { readonly targets: Set<string>; head: ChainHead | undefined };

/** Opens the store as a console that starts again does, and judges what the killed writers left. */
async function judge(place: StoreLocation, seen: Seen, acknowledged: readonly string[]): Promise<void> {
  const store = await openStore<AuditTables>({ location: place, migrations: auditMigrations });
  const quiet = (): void => undefined;
  const log = { error: quiet, warn: quiet };
  const before = seen.head;
  const kept = before && { kind: 'file' as const, read: async () => before, write: async () => undefined };
  const trail = createAuditTrail({ store, now: Date.now, log, head: kept });
  try {
    const verdict = await trail.verify();
    expect(verdict).toMatchObject({ intact: true });
    const added = await store.db
      .selectFrom('audit_records')
      .select('body')
      .where('seq', '>', before?.seq ?? 0)
      .execute();
    for (const { body } of added) {
      const { target }: { target: string } = JSON.parse(body);
      expect(seen.targets, `${target} is doubled`).not.toContain(target);
      seen.targets.add(target);
    }
    for (const target of acknowledged) expect(seen.targets, `${target} was acknowledged`).toContain(target);
    if (verdict.head_seq !== undefined && verdict.head_hash !== undefined)
      seen.head = { seq: verdict.head_seq, hash: verdict.head_hash };
  } finally {
    await trail.close();
    await store.close();
  }
}

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;
  describe.skipIf(dialect.missing !== undefined)(`the audit chain on ${dialect.name}${why}`, () => {
    it(`holds what it acknowledged, once each, when its writers are killed ${rounds * writersAtOnce} times`, async () => {
      const { place, remove } = await dialect.place();
      const seen: Seen = { targets: new Set(), head: undefined };
      let acknowledged = 0;
      const startAll = () => Array.from({ length: writersAtOnce }, writers.start);
      let next = startAll();
      for (let round = 0; round < rounds; round += 1) {
        const running = next;
        await Promise.all(
          running.map(async (writer, index) => {
            await writer.loaded();
            writer.go({ name: `w${round}.${index}`, place, concurrency: 4 });
            // Half of them while they open the store or write, the other half at work for certain.
            if (index % 2 === 0) await writer.atWork();
            await sleep(Math.random() * longestLife);
            await writer.kill();
          }),
        );
        // Loading while this round is judged.
        next = round + 1 < rounds ? startAll() : [];
        const acks = (await Promise.all(running.map((writer) => writer.acknowledged()))).flat();
        acknowledged += acks.length;
        await judge(place, seen, acks);
      }
      expect(acknowledged).toBeGreaterThanOrEqual((rounds * writersAtOnce) / 2);
      remove();
    }, 120_000);

    it('never forks when several processes append at the same time', async () => {
      const { place, remove } = await dialect.place();
      const each = 150;
      const all = Array.from({ length: 6 }, writers.start);
      for (const [index, writer] of all.entries())
        writer.go({ name: `w${index}`, place, concurrency: 8, records: each });
      const ends = await Promise.all(all.map((writer) => writer.ended()));
      expect(ends).toEqual(ends.map(() => ({ code: 0, stderr: '' })));
      const acks = (await Promise.all(all.map((writer) => writer.acknowledged()))).flat();
      const seen: Seen = { targets: new Set(), head: undefined };
      await judge(place, seen, acks);
      expect(seen.head?.seq).toBe(acks.length);
      expect(acks.length).toBeGreaterThanOrEqual(each * all.length);
      remove();
    }, 60_000);
  });
}
