// bench: the audit trail: walking a million records, appending them durably (about 3 minutes)
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { beforeAll, chainPages } from '../../src-main/features/audit/read-records.ts';
import { hashOf } from '../../src-main/features/audit/record-text.ts';
import type { StoreLocation } from '../../src-main/store/index.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { type BenchChain, contentOf, encryptedFile, fillChain, openChain, recordOne } from './audit/chain.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    appends: { type: 'string', default: '6000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(
    'npm run bench -- audit [--records 1000000] [--appends 6000] [--rounds 3] [--only verify|append]',
  );
  process.exit(0);
}

const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'bench-audit-'));
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const whole = (value: number): string => Math.round(value).toLocaleString('en');

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows])
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    );
  console.log();
}

type Walker = { readonly name: string; walk(): Promise<void> };

/** Walks of one long chain in an encrypted file, interleaved; the first round only warms up. */
async function verify(): Promise<void> {
  const count = Number(values.records);
  const place = encryptedFile(folder, 'long');
  const chain = await openChain(place);
  await fillChain(chain, count);
  const { db } = chain.store;
  const walkers: readonly Walker[] = [
    {
      name: 'verify',
      async walk() {
        const { intact, checked } = await chain.trail.verify();
        if (!intact || checked !== count) throw new Error(`walked ${checked} of ${count}`);
      },
    },
    {
      name: 'read the rows, hash each',
      async walk() {
        let read = 0;
        for await (const rows of chainPages(db, beforeAll, count))
          for (const { body } of rows) read += hashOf(body).length / 64;
        if (read !== count) throw new Error(`read ${read} of ${count}`);
      },
    },
    {
      name: 'read the rows',
      async walk() {
        let read = 0;
        for await (const rows of chainPages(db, beforeAll, count)) read += rows.length;
        if (read !== count) throw new Error(`read ${read} of ${count}`);
      },
    },
  ];
  const times = new Map(walkers.map(({ name }) => [name, [] as number[]]));
  const growth = new Map(walkers.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1)
    for (const { name, walk } of walkers) {
      const before = process.memoryUsage.rss();
      let most = before;
      const watch = setInterval(() => {
        most = Math.max(most, process.memoryUsage.rss());
      }, 50);
      const started = performance.now();
      await walk();
      clearInterval(watch);
      if (round === 0) continue;
      times.get(name)?.push(performance.now() - started);
      growth.get(name)?.push(most - before);
    }
  await chain.close();
  const floor = median(times.get('read the rows, hash each') ?? []);
  const size = statSync(place.file).size / count;
  console.log(
    `Walking ${whole(count)} records, encrypted SQLite, ${size.toFixed(0)} bytes each in the file, ` +
      `medians of ${rounds} interleaved rounds; budget: 200,000 records/s, flat memory`,
  );
  table(
    ['walk', 'records/s', '× read and hash', 'RSS growth MB'],
    walkers.map(({ name }) => {
      const time = median(times.get(name) ?? []);
      return [
        name,
        whole((count / time) * 1000),
        (time / floor).toFixed(2),
        (median(growth.get(name) ?? []) / 1e6).toFixed(1),
      ];
    }),
  );
}

type Writer = { readonly name: string; readonly atOnce: number; write(number: number): Promise<void> };

/** Appends of 32 acts at a time beside other ways to write the same, interleaved; the first round only warms up. */
async function append(kind: string, place: StoreLocation): Promise<void> {
  const chain: BenchChain = await openChain(place);
  const { db } = chain.store;
  await sql`create table plain_records (id bigint primary key, body text not null)`.execute(db);
  let id = 0;
  const plain = async (number: number): Promise<void> => {
    id += 1;
    await sql`insert into plain_records (id, body) values (${id}, ${JSON.stringify(contentOf(number))})`.execute(
      db,
    );
  };
  const writers: readonly Writer[] = [
    { name: 'the audit trail, 32 acts at once', atOnce: 32, write: (n) => recordOne(chain.trail, n) },
    { name: 'one insert a transaction, no chain, 32 at once', atOnce: 32, write: plain },
    { name: 'the audit trail, one act at a time', atOnce: 1, write: (n) => recordOne(chain.trail, n) },
    { name: 'one insert a transaction, no chain, one at a time', atOnce: 1, write: plain },
  ];
  const results = new Map(writers.map(({ name }) => [name, [] as { rate: number; waits: number[] }[]]));
  for (let round = 0; round <= rounds; round += 1)
    for (const { name, atOnce, write } of writers) {
      const count = Number(values.appends) / (atOnce === 1 ? 10 : 1);
      const waits: number[] = [];
      let begun = 0;
      const started = performance.now();
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (begun < count) {
            begun += 1;
            const asked = performance.now();
            await write(begun);
            waits.push(performance.now() - asked);
          }
        }),
      );
      const rate = (count / (performance.now() - started)) * 1000;
      if (round > 0) results.get(name)?.push({ rate, waits: waits.sort((a, b) => a - b) });
    }
  const { intact } = await chain.trail.verify();
  await chain.close();
  if (!intact) throw new Error('the chain of the bench is broken');
  const rateOf = (name: string): number => median((results.get(name) ?? []).map(({ rate }) => rate));
  const peer = rateOf('one insert a transaction, no chain, 32 at once');
  console.log(
    `Durable appends, ${kind}, medians of ${rounds} interleaved rounds; budget: 2,000 records/s with 32 at once`,
  );
  table(
    ['writer', 'records/s', '× plain, 32 at once', 'p50 ms', 'p99 ms'],
    writers.map(({ name }) => {
      const of = results.get(name) ?? [];
      const at = (share: number): string =>
        median(of.map(({ waits }) => waits[Math.floor(waits.length * share)] ?? Number.NaN)).toFixed(2);
      return [name, whole(rateOf(name)), (rateOf(name) / peer).toFixed(2), at(0.5), at(0.99)];
    }),
  );
}

try {
  if (values.only !== 'append') await verify();
  if (values.only !== 'verify') {
    await append('encrypted SQLite', encryptedFile(folder, 'appends'));
    const server = await startPostgres();
    if ('missing' in server) console.log(`Durable appends, PostgreSQL: skipped, ${server.missing}.`);
    else
      try {
        await append('PostgreSQL', { kind: 'postgres', url: server.url });
      } finally {
        server.stop();
      }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
