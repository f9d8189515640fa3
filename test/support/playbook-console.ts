import type { KyselyPlugin } from 'kysely';
import { type ConsoleTables, consoleMigrations } from '../../src-main/console/tables.ts';
import { openPlaybooks } from '../../src-main/features/playbooks/playbooks.ts';
import { openStore, type StoreLocation } from '../../src-main/store/index.ts';
import { folderActs, playbookParts } from './playbook-parts.ts';

// A console's playbooks as a process of their own, which kills itself (SIGKILL) at a border: before or after the nth query of
// the store, or before or after an act.

type Order = {
  readonly place:
    | StoreLocation
    | { readonly kind: 'sqlite'; readonly file: string; readonly encryption: string };
  readonly folder: string;
  /** The border at which it ends, by its number from 1 or by its name. */
  readonly border: number | string;
};

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
let borders = 0;
const border = (name?: string): void => {
  borders += 1;
  if (borders === order.border || name === order.border) process.kill(process.pid, 'SIGKILL');
};

/** Counts both sides of every query. */
const counting: KyselyPlugin = {
  transformQuery: ({ node }) => {
    border();
    return node;
  },
  transformResult: async ({ result }) => {
    border();
    return result;
  },
};

const { place } = order;
const location: StoreLocation =
  place.kind === 'postgres'
    ? place
    : {
        ...place,
        encryption:
          typeof place.encryption === 'string' ? Buffer.from(place.encryption, 'hex') : place.encryption,
      };
const store = await openStore<ConsoleTables>({ location, migrations: consoleMigrations });
const acts = folderActs(order.folder, { border });
openPlaybooks(
  playbookParts({ db: store.db.withPlugin(counting) }, acts, { times: { lease: 400, renew: 100 } }),
);
process.stdout.write('ready\n');
