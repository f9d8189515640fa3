import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { type Cluster, type LogRequest, noCluster } from '../../../../src-main/sources/cluster/index.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { pod, readingCluster } from './harness.ts';

const container = (name: string, more = {}) => ({ name, image: 'i', ...more });
const two = pod({
  name: 'api',
  namespace: 'shop',
  spec: { initContainers: [container('migrate')], containers: [container('main'), container('proxy')] },
});
const one = pod({ name: 'api', namespace: 'shop' });
const path = '/api/pods/shop/api/logs';

/** A cluster whose logs are these, by container. */
const logging = (
  objects: Parameters<typeof objectCluster>[0],
  logs: (ask: LogRequest) => ReturnType<Cluster['logs']>,
): Cluster => ({ ...objectCluster(objects), logs });
async function* pieces(...texts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text;
}

describe("a pod's log", () => {
  it('is asked of the cluster since a duration or a time, with times when they are wanted', async () => {
    const asked: LogRequest[] = [];
    const { get } = await readingCluster(
      logging([one], async (request) => {
        asked.push(request);
        return { state: 'read', bytes: pieces('a\n') };
      }),
    );
    const before = Date.now();
    await get(`${path}?since=15m&timestamps=true`);
    await get(`${path}?since=2026-11-21T10:00:00Z`);
    expect(Math.abs((asked[0]?.since ?? 0) - (before - 15 * 60_000))).toBeLessThan(24 * 3_600_000);
    expect(asked[0]?.timestamps).toBe(true);
    expect(asked[1]).toMatchObject({ since: Date.parse('2026-11-21T10:00:00Z') });
    expect(asked[1]).not.toHaveProperty('timestamps');
    expect((await get(`${path}?since=soon`)).status).toBe(400);
  });

  it('has its times before the names of its containers', async () => {
    const { get } = await readingCluster(
      logging([two], async ({ container }) => ({
        state: 'read',
        bytes: pieces(`2026-11-21T10:00:0`, `0.5Z ${container} begins\n\n2026-11-21T10:00:01Z end`),
      })),
    );
    const { text } = await get(`${path}?timestamps=true`);
    expect(text.split('\n').slice(0, 3)).toEqual([
      '2026-11-21T10:00:00.5Z migrate migrate begins',
      'migrate ',
      '2026-11-21T10:00:01Z migrate end',
    ]);
  });

  it('of one container is its text as it is', async () => {
    const { get } = await readingCluster(
      objectCluster([one], { logs: { 'shop/api/main': 'first\n\nthird without end' } }),
    );
    const { status, text, headers } = await get(path);
    expect(status).toBe(200);
    expect(text).toBe('first\n\nthird without end');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('of several containers names each line, one after the other in the order they start', async () => {
    const { get } = await readingCluster(
      objectCluster([two], {
        logs: { 'shop/api/migrate': 'done', 'shop/api/main': 'a\n\nb\n', 'shop/api/proxy': 'c\n' },
      }),
    );
    expect((await get(path)).text).toBe('migrate done\nmain a\nmain \nmain b\nproxy c\n');
    expect((await get(`${path}?container=main`)).text).toBe('a\n\nb\n');
  });

  it('puts together what was cut between two pieces: a line, and a character', async () => {
    const umlaut = Buffer.from('ü');
    const { get } = await readingCluster(
      logging([two], async ({ container }) =>
        container === 'main'
          ? {
              state: 'read',
              bytes: pieces('be', 'gun\n', umlaut.subarray(0, 1), umlaut.subarray(1), 'ber\n'),
            }
          : { state: 'missing', reason: 'None.' },
      ),
    );
    expect((await get(path)).text).toBe('main begun\nmain über\n');
  });

  it('passes on what was asked for', async () => {
    const asked: unknown[] = [];
    const { get } = await readingCluster(
      logging([one], async ({ signal, ...ask }) => {
        asked.push(ask);
        return { state: 'read', bytes: pieces('x\n') };
      }),
    );
    await get(`${path}?previous=true&tail=20`);
    expect(asked).toEqual([
      { namespace: 'shop', pod: 'api', container: 'main', previous: true, follow: false, tail: 20 },
    ]);
  });

  it('that is missing is 404 with the reason, and one that was not read 503', async () => {
    const missing = await readingCluster(objectCluster([one]));
    const previous = await missing.get(`${path}?previous=true`);
    expect([previous.status, JSON.parse(previous.text)]).toEqual([
      404,
      { error: 'There is no log.', request_id: expect.any(String) },
    ]);
    expect((await missing.get('/api/pods/shop/none/logs')).status).toBe(404);
    const unread = await readingCluster(noCluster(Date.now));
    const answer = await unread.get(path);
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('No cluster is attached');
  });

  it('says in its place which of several was not read', async () => {
    const { get } = await readingCluster(
      logging([two], async ({ container }) =>
        container === 'main'
          ? { state: 'unread', reason: 'Forbidden: get pods/log in shop.' }
          : { state: 'read', bytes: pieces(`${container}!\n`) },
      ),
    );
    expect((await get(path)).text).toBe(
      'migrate migrate!\nmain [The log of main was not read: Forbidden: get pods/log in shop.]\nproxy proxy!\n',
    );
  });

  it('ends with a line that says why when the cluster breaks off', async () => {
    const { get } = await readingCluster(
      logging([one], async () => ({
        state: 'read',
        bytes: (async function* () {
          yield Buffer.from('half a li');
          throw new Error('connection reset');
        })(),
      })),
    );
    expect((await get(path)).text).toBe('half a li\n[The log of main broke off: connection reset]\n');
  });

  it('is cut at 50 MB and says so in its last line', async () => {
    const megabyte = Buffer.from(`${'x'.repeat(999_999)}\n`);
    let given = 0;
    const { get } = await readingCluster(
      logging([one], async () => ({
        state: 'read',
        bytes: (async function* () {
          while (true) {
            given += 1;
            yield megabyte;
          }
        })(),
      })),
    );
    const { text } = await get(path);
    expect(text.length).toBeLessThan(50_001_000);
    expect(text.split('\n').at(-2)).toBe(
      '[Cut here: 50 MB of the log were sent. Ask for its newest lines only.]',
    );
    expect(given).toBe(51);
  });
});

describe('a log that is followed', () => {
  /** A log that is written to while it is read. */
  function written() {
    let write: (text: string) => void = () => undefined;
    const waiting: string[] = [];
    const bytes = async function* (signal: AbortSignal): AsyncGenerator<Uint8Array> {
      while (!signal.aborted) {
        const next = waiting.shift();
        if (next !== undefined) yield Buffer.from(next);
        else
          await new Promise<void>((resolve) => {
            write = () => resolve();
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
      }
    };
    return {
      bytes,
      write(text: string) {
        waiting.push(text);
        write(text);
      },
    };
  }

  it('begins at once, brings lines of all containers as they come, and ends with the caller', async () => {
    const logs = { migrate: written(), main: written(), proxy: written() };
    const signals: AbortSignal[] = [];
    const cluster = logging([two], async ({ container, follow, signal }) => {
      expect(follow).toBe(true);
      signals.push(signal);
      return { state: 'read', bytes: logs[container as keyof typeof logs].bytes(signal) };
    });
    const { console_ } = await readingCluster(cluster);
    const left = new AbortController();
    const { statusCode, body } = await request(`${console_.url}${path}?follow=true`, {
      headers: { cookie: await console_.cookie() },
      signal: left.signal,
    });
    // Not a byte has been written yet.
    expect(statusCode).toBe(200);
    const lines = body[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await lines.next()).value);
    logs.proxy.write('ready\n');
    expect(await next()).toBe('proxy ready\n');
    logs.main.write('half ');
    logs.proxy.write('again\n');
    expect(await next()).toBe('proxy again\n');
    logs.main.write('and whole\n');
    expect(await next()).toBe('main half and whole\n');
    const ended = Promise.all(
      signals.map((signal) => new Promise((resolve) => signal.addEventListener('abort', resolve))),
    );
    left.abort();
    await ended;
    expect(signals).toHaveLength(3);
  });

  it.each([
    ['its pod was deleted', [], '[The log ended: pod api in shop is gone.]'],
    [
      'its container stopped',
      [one],
      '[The log ended: its container has stopped. Open the log again after its restart.]',
    ],
  ])('ends with a sentence when %s', async (_why, left, sentence) => {
    const objects = [one];
    const cluster = {
      ...objectCluster(objects),
      logs: async () => ({
        state: 'read' as const,
        bytes: (async function* () {
          yield Buffer.from('last words\n');
          objects.splice(0, 1, ...left);
        })(),
      }),
    };
    const { get } = await readingCluster(cluster);
    expect((await get(`${path}?follow=true&container=main`)).text).toBe(`last words\n${sentence}\n`);
  });
});
