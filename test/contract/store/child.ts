// A program of its own that opens a store, for tests of several programs on one store: one connection is held by each
// process, and SQLite's locks are a process's. Its whole task is its first argument.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type ConsoleTables, consoleMigrations } from '../../../src-main/console/tables.ts';
import { openStore, StoreError } from '../../../src-main/store/index.ts';
import type { ChildTask } from './harness.ts';

const task = JSON.parse(process.argv[2] ?? '') as ChildTask;
const { place } = task;
try {
  const store = await openStore<ConsoleTables>({
    location:
      place.kind === 'postgres'
        ? place
        : {
            ...place,
            encryption: place.encryption === 'none' ? 'none' : Buffer.from(place.encryption, 'hex'),
          },
    migrations: consoleMigrations,
  });
  if (task.act === 'hold') {
    await sql`begin immediate`.execute(store.db);
    tell({ held: true });
    await sleep(60_000);
  }
  if (task.act === 'stay') {
    await store.db.selectFrom('session_admins').selectAll().execute();
    tell({ held: true });
    await sleep(60_000);
  }
  if (task.act === 'write and die') {
    for (let i = 0; i < task.rows; i += 1)
      await store.db
        .insertInto('session_admins')
        .values({ email: `person-${i}@example.com`, added_at: i })
        .execute();
    // No farewell: what was committed lies in the -wal only.
    process.kill(process.pid, 'SIGKILL');
  }
  const { n } = await store.db
    .selectFrom('session_admins')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  await store.close();
  tell({ opened: true, rows: n });
} catch (error) {
  tell({ error: error instanceof Error ? error.message : String(error), known: error instanceof StoreError });
}

function tell(what: object): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
