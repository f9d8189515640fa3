import { sql } from 'kysely';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routeTable } from '../../../src-shared/api/index.ts';
import type { Route } from '../../../src-shared/api/route.ts';
import { objectCluster } from '../../support/object-cluster.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

const admin = 'ada@northgate.example';

let console_: TestConsole;
beforeEach(async () => {
  console_ = await testConsole({ CONSOLE_SESSION_ADMINS: admin }, { cluster: objectCluster([]) });
});
afterEach(() => console_.close());

/** Every write of the store fails from here on, as on a full disk. */
const fillDisk = () => sql`pragma query_only = 1`.execute(console_.store.db);

const table: readonly Route[] = routeTable;
/** What is only read. Redeeming a link is a sign-in, which has to be written down. */
const reads = table.filter(({ method, id }) => method === 'GET' && id !== 'signIn.link');
const address = (path: string): string => path.replace('{seq}', '1').replace(/\{\w+\}/g, 'x');

const statusOf = async (path: string, cookie: string): Promise<number> => {
  const { statusCode, body } = await request(`${console_.url}${path}`, { headers: { cookie } });
  body.on('error', () => undefined).destroy();
  return statusCode;
};

describe('a store that takes no writes', () => {
  it('costs nothing that only reads: every GET of the table is answered as before, minutes later, too', async () => {
    const cookie = await console_.cookieOf(admin);
    const statuses = async () =>
      Object.fromEntries(
        await Promise.all(
          reads.map(async ({ path }) => [path, await statusOf(address(path), cookie)] as const),
        ),
      );
    const before = await statuses();
    expect(before['/api/sessions']).toBe(200);
    await fillDisk();
    console_.advance(2 * 60_000);
    expect(await statuses()).toEqual(before);
    console_.advance(2 * 60_000);
    expect(await statuses()).toEqual(before);
  });

  it('leaves a session that has ended ended', async () => {
    const cookie = await console_.cookieOf(admin);
    await fillDisk();
    console_.advance(14 * 3_600_000);
    expect(await statusOf('/api/sessions', cookie)).toBe(401);
  });

  it('is no reason to forget when it takes them again: the time a session was last seen is written', async () => {
    const cookie = await console_.cookieOf(admin);
    const lastSeen = async () =>
      (await console_.store.db.selectFrom('sessions').select('last_seen_at').executeTakeFirstOrThrow())
        .last_seen_at;
    const first = await lastSeen();
    await fillDisk();
    console_.advance(2 * 60_000);
    await statusOf('/api/sessions', cookie);
    expect(await lastSeen()).toBe(first);
    await sql`pragma query_only = 0`.execute(console_.store.db);
    console_.advance(2 * 60_000);
    await statusOf('/api/sessions', cookie);
    expect(await lastSeen()).toBeGreaterThan(first + 3 * 60_000);
  });
});

describe('GET /healthz', () => {
  it('answers without the store, cookie or not', async () => {
    const cookie = await console_.cookieOf(admin);
    await console_.store.close();
    expect(await statusOf('/api/sessions', cookie)).toBeGreaterThanOrEqual(500);
    expect([await statusOf('/healthz', ''), await statusOf('/healthz', cookie)]).toEqual([200, 200]);
  });
});
