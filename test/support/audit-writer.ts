import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { type AuditTables, auditMigrations, createAuditTrail } from '../../src-main/features/audit/index.ts';
import { openStore, type StoreLocation } from '../../src-main/store/index.ts';

// A process that appends to an audit chain until it is killed: node audit-writer.ts. Its standard input takes one line
// of JSON, a `WriterOrder`; its standard output has the line `loaded`, then one line for each record that was
// acknowledged, its target.

export type WriterOrder = {
  /** Begins the target of each of its records. */
  readonly name: string;
  readonly place:
    | Extract<StoreLocation, { kind: 'postgres' }>
    | { readonly kind: 'sqlite'; readonly file: string; readonly key: string };
  /** Acts at the same time. */
  readonly concurrency: number;
  /** Ends by itself after so many records; undefined never. */
  readonly records?: number;
};

// It is killed before Node would keep by itself what it has compiled.
flushCompileCache();
writeSync(1, 'loaded\n');
createInterface({ input: process.stdin }).once('line', (line) => {
  // The parent process wrote it, from the same type.
  void write(JSON.parse(line) as WriterOrder);
});

async function write({ name, place, concurrency, records }: WriterOrder): Promise<void> {
  const store = await openStore<AuditTables>({
    location:
      place.kind === 'postgres'
        ? place
        : { kind: 'sqlite', file: place.file, encryption: Buffer.from(place.key, 'base64') },
    migrations: auditMigrations,
  });
  const say = (fields: object, message: string): void => {
    process.stderr.write(`${name}: ${message} ${'err' in fields ? fields.err : ''}\n`);
  };
  const trail = createAuditTrail({
    store,
    now: Date.now,
    log: { error: say, warn: say },
    head: undefined,
  });
  let begun = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (records === undefined || begun < records) {
        begun += 1;
        const target = `${name}-${begun}`;
        const event = await trail.begin({ actor: `${name}@example.com`, action: 'tests.write', target });
        event.record('Written.', { begun });
        await event.success();
        // Straight into the pipe: what was acknowledged must be known even when the next instruction is the last.
        writeSync(1, `${target}\n`);
      }
    }),
  );
  await trail.close();
  await store.close();
  process.exit(0);
}
