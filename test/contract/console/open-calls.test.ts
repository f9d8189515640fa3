import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cluster } from '../../../src-main/sources/cluster/index.ts';
import { readEvents } from '../../support/event-reader.ts';
import { objectCluster } from '../../support/object-cluster.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

const admin = 'ada@northgate.example';
const person = 'sven@northgate.example';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'api', namespace: 'shop', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { containers: [{ name: 'main', image: 'i' }] },
  status: { phase: 'Running' },
};

/** A log that says a line and then nothing more until it is left. */
const followed: Cluster = {
  ...objectCluster([pod]),
  watch: () => () => undefined,
  async logs({ signal }) {
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('first\n');
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    }
    return { state: 'read', bytes: bytes() };
  },
};

let console_: TestConsole;
beforeEach(async () => {
  console_ = await testConsole({}, { cluster: followed });
  await console_.store.db.insertInto('session_admins').values({ email: admin, added_at: 0 }).execute();
});
afterEach(() => console_.close());

const get = (path: string, cookie: string, headers: Record<string, string> = {}) =>
  request(`${console_.url}${path}`, { headers: { cookie, ...headers } });
const post = (path: string, cookie: string, body: object) =>
  request(`${console_.url}${path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Reads an answer to its end, and tells when it was over. */
function reading({ body, statusCode }: Dispatcher.ResponseData) {
  expect(statusCode).toBe(200);
  const read = { over: undefined as number | undefined, bytes: 0 };
  body
    .on('data', (piece: Buffer) => {
      read.bytes += piece.length;
    })
    .on('error', () => undefined)
    .on('close', () => {
      read.over = performance.now();
    });
  return read;
}

const events = { accept: 'text/event-stream' };
/** Every kind of call under /api that goes on by itself, once its first bytes have come. */
const streamsOf = async (cookie: string) => {
  const streams = [
    reading(await get('/api/targets/changes', cookie, events)),
    reading(await get('/api/events', cookie, events)),
    reading(await get('/api/pods/shop/api/logs?follow=true', cookie)),
  ];
  await vi.waitFor(() => expect(streams.every(({ bytes }) => bytes > 0)).toBe(true));
  return streams;
};

/** The longest any of them went on after `since`, in ms. */
const lasted = async (streams: Awaited<ReturnType<typeof streamsOf>>, since: number): Promise<number> => {
  await vi.waitFor(() => expect(streams.every(({ over }) => over !== undefined)).toBe(true), 5000);
  return Math.max(...streams.map(({ over = 0 }) => over - since));
};

describe('what is open when its session ends, ends within a second', () => {
  it('by signing out, and nothing of another session of the same person does', async () => {
    const [cookie, other] = [await console_.cookieOf(person), await console_.cookieOf(person)];
    const [mine, theirs] = [await streamsOf(cookie), await streamsOf(other)];
    await post('/auth/logout', cookie, {});
    expect(await lasted(mine, performance.now())).toBeLessThan(1000);
    expect(theirs.map(({ over }) => over)).toEqual([undefined, undefined, undefined]);
  });

  it('by somebody else, who revokes all sessions of the person', async () => {
    const streams = await streamsOf(await console_.cookieOf(person));
    const revoked = await post('/api/sessions/revoke-all', await console_.cookieOf(admin), {
      subject: person,
    });
    expect(revoked.statusCode).toBe(200);
    expect(await lasted(streams, performance.now())).toBeLessThan(1000);
  });

  it('by its absolute lifetime', async () => {
    const streams = await streamsOf(await console_.cookieOf(person));
    console_.advance(14 * 3_600_000);
    expect(await lasted(streams, performance.now())).toBeLessThan(1000);
  });

  it('and a subscription on another connection of the console says that it ended', async () => {
    const cookie = await console_.cookieOf(person);
    const window = await readEvents(`${console_.url}/api/events`, { cookie });
    const { data } = await window.until(({ event }) => event === 'connection');
    const path = `/api/events/${(data as { id: string }).id}/subscriptions`;
    await post(path, cookie, { id: 'changes', route: 'targets.changes' });
    await window.until(({ event }) => event === 'event');
    await post('/auth/logout', cookie, {});
    // Cut in the middle: the reader sees an end or an error, and never another event.
    const rest = await Promise.race([
      window.next().catch(() => undefined),
      sleep(3000, 'still open' as const),
    ]);
    expect(rest === undefined || (rest !== 'still open' && rest.event === 'ended')).toBe(true);
  });

  it('and its long poll claims nothing that is queued afterwards', async () => {
    const [cookie, other] = [await console_.cookieOf(person), await console_.cookieOf(person)];
    const poll = get('/api/session-commands?wait=20', cookie);
    await sleep(300);
    await post('/auth/logout', cookie, {});
    await post('/api/session-commands', other, { command: 'for the session that is left' });
    const answer = await poll;
    expect([answer.statusCode, await answer.body.json()]).toEqual([
      401,
      { error: expect.stringContaining('session has ended'), request_id: expect.any(String) },
    ]);
    const claimed = await get('/api/session-commands', other);
    expect(await claimed.body.json()).toMatchObject({ command: { command: 'for the session that is left' } });
  });

  it('and its long poll is answered 401 within a second when nothing is queued', async () => {
    const cookie = await console_.cookieOf(person);
    const poll = get('/api/session-commands?wait=20', cookie);
    await sleep(300);
    await post('/auth/logout', cookie, {});
    const since = performance.now();
    expect((await poll).statusCode).toBe(401);
    expect(performance.now() - since).toBeLessThan(1000);
  });
});

describe('what only people on a list may read', () => {
  /** Enough records that an export is not written whole before its reader takes it. */
  const fillTrail = async (): Promise<void> => {
    const { db } = console_.store;
    const { seq: from } = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow();
    for (let seq = from + 1; seq <= from + 1500; seq += 1) {
      const body = JSON.stringify({
        action: 'test',
        actor: admin,
        at: '2026-01-01T00:00:00.000Z',
        detail: { text: 'x'.repeat(16_000) },
        outcome: 'success',
        prev: '0'.repeat(64),
        seq,
        summary: 'Done.',
        target: 't',
      });
      const hash = createHash('sha256').update(body).digest('hex');
      await db
        .insertInto('audit_records')
        .values({ seq, append_id: randomBytes(8).toString('hex'), body, hash })
        .execute();
    }
  };

  it('ends within a second of their leaving it, their session going on', async () => {
    await fillTrail();
    const cookie = await console_.cookieOf(admin);
    const { body, statusCode } = await get('/api/audit/export', cookie);
    expect(statusCode).toBe(200);
    const ended = new Promise<'whole' | 'cut'>((resolve) => {
      body.once('error', () => resolve('cut')).once('end', () => resolve('whole'));
    });
    const pieces = body[Symbol.asyncIterator]();
    await pieces.next();
    await console_.store.db.deleteFrom('session_admins').execute();
    await sleep(1000);
    const drained = (async () => {
      for (;;) if ((await pieces.next()).done === true) return 'whole';
    })().catch(() => 'cut');
    expect(await Promise.race([drained, ended])).toBe('cut');
    expect((await get('/api/targets', cookie)).statusCode).toBe(200);
  });
});

describe('streams of one person', () => {
  it('are 256 at most, each followed log and event stream counted, and closing one makes room', async () => {
    const cookie = await console_.cookieOf(person);
    const path = '/api/pods/shop/api/logs?follow=true';
    const open = await Promise.all(Array.from({ length: 256 }, () => get(path, cookie)));
    expect(open.every(({ statusCode }) => statusCode === 200)).toBe(true);
    const refused = await get('/api/targets/changes', cookie, events);
    expect([refused.statusCode, refused.headers['retry-after'], await refused.body.json()]).toEqual([
      429,
      '30',
      { error: expect.stringMatching(/^256 event streams .* close some/), request_id: expect.any(String) },
    ]);
    const other = await get(path, await console_.cookieOf(admin));
    expect(other.statusCode).toBe(200);
    for (const { body } of [...open.slice(0, 1), other]) body.on('error', () => undefined).destroy();
    await vi.waitFor(async () => {
      const again = await get(path, cookie);
      again.body.on('error', () => undefined).destroy();
      expect(again.statusCode).toBe(200);
    });
    for (const { body } of open) body.on('error', () => undefined).destroy();
  });
});
