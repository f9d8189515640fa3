import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ConsoleTables, consoleMigrations } from '../../../src-main/console/tables.ts';
import { openStore, type Store, type StoreLocation } from '../../../src-main/store/index.ts';
import { bundleProgram } from '../../support/bundled-program.ts';

export type ChildTask = {
  readonly place:
    | { readonly kind: 'postgres'; readonly url: string }
    | { readonly kind: 'sqlite'; readonly file: string; readonly encryption: string };
} & (
  | { readonly act: 'open' }
  /** Takes the write lock and keeps it. */
  | { readonly act: 'hold' }
  /** Has the store open, idle, and stays. */
  | { readonly act: 'stay' }
  /** Writes session admins, each durable, and is killed without closing. */
  | { readonly act: 'write and die'; readonly rows: number }
);

export type ChildAnswer = {
  readonly opened?: true;
  readonly held?: true;
  /** Session admins found. */
  readonly rows?: number;
  readonly error?: string;
  /** True when the error was a `StoreError`. */
  readonly known?: boolean;
};

export type Child = {
  readonly process: ChildProcess;
  /** Its first line, or undefined when it ended without one. */
  readonly answer: Promise<ChildAnswer | undefined>;
};

type Act = ChildTask extends infer T ? (T extends unknown ? Omit<T, 'place'> : never) : never;

let program: string | undefined;

/** Starts a program of its own on a store; `user` is a user and group id to run it as. */
export function storeChild(place: StoreLocation, act: Act, user?: number): Child {
  const told =
    place.kind === 'postgres'
      ? place
      : { ...place, encryption: place.encryption === 'none' ? 'none' : place.encryption.toString('hex') };
  program ??= bundleProgram(join(import.meta.dirname, 'child.ts'));
  const child = spawn(process.execPath, [program, JSON.stringify({ place: told, ...act })], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  const lines = createInterface({ input: child.stdout });
  const answer = Promise.race([
    once(lines, 'line').then(([line]) => JSON.parse(String(line)) as ChildAnswer),
    once(lines, 'close').then(() => undefined),
  ]);
  return { process: child, answer };
}

/** Runs a program of its own on a store to its end and answers what it said. */
export async function inAnotherProgram(
  place: StoreLocation,
  act: Act,
  user?: number,
): Promise<ChildAnswer | undefined> {
  const child = storeChild(place, act, user);
  const ended = once(child.process, 'exit');
  const answer = await child.answer;
  await ended;
  return answer;
}

export type SqlitePlace = Extract<StoreLocation, { kind: 'sqlite' }>;

/** A place for a file of its own, and how to take it away. */
export function sqlitePlace(encryption: Buffer | 'none'): {
  place: SqlitePlace;
  folder: string;
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'console-store-'));
  return {
    place: { kind: 'sqlite', file: join(folder, 'console.db'), encryption },
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Opens the console's store. */
export function openConsole(place: StoreLocation): Promise<Store<ConsoleTables>> {
  return openStore<ConsoleTables>({ location: place, migrations: consoleMigrations });
}

/** The message that opening the store fails with; throws when it opens. */
export async function refusalOf(place: StoreLocation): Promise<string> {
  let store: Store<ConsoleTables>;
  try {
    store = await openConsole(place);
  } catch (error) {
    if (error instanceof Error && error.name === 'StoreError') return error.message;
    throw error;
  }
  await store.close();
  throw new Error('the store opened');
}

/** Every file of a folder by name, as bytes: to see that nothing changed, and what is written where. */
export function bytesIn(folder: string): Map<string, Buffer> {
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

export async function addAdmin(store: Store<ConsoleTables>, email: string): Promise<void> {
  await store.db.insertInto('session_admins').values({ email, added_at: 1 }).execute();
}

export async function adminsOf(store: Store<ConsoleTables>): Promise<string[]> {
  const rows = await store.db.selectFrom('session_admins').select('email').orderBy('email').execute();
  return rows.map(({ email }) => email);
}

export type Relay = {
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Swallows what comes on every connection, as a broken network does. */
  swallow(): void;
  /** Carries new connections again; those that were swallowed stay so. */
  carryNew(): void;
};

/** A way to a PostgreSQL server that the test can break. */
export async function openRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let swallowing = false;
  const server: Server = createServer((client) => {
    const upstream = createConnection(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          upstream.destroy();
        });
    }
    if (swallowing) return;
    client.pipe(upstream);
    upstream.pipe(client);
  });
  const listen = async (at: number): Promise<number> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const own = await listen(0);
  const url = new URL(target);
  url.port = String(own);
  return {
    url: url.href,
    async down() {
      swallowing = false;
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    up: async () => void (await listen(own)),
    swallow() {
      swallowing = true;
      for (const socket of sockets) socket.unpipe().resume();
    },
    carryNew() {
      swallowing = false;
    },
  };
}
