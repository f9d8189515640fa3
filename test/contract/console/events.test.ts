import { afterEach, describe, expect, it, vi } from 'vitest';
import * as resources from '../../../src-main/cluster-model/kinds/index.ts';
import type { Cluster, ClusterChange, ClusterStatus } from '../../../src-main/sources/cluster/index.ts';
import { maxSubscriptions } from '../../../src-shared/api/events.ts';
import { routeTable } from '../../../src-shared/api/index.ts';
import type { Route } from '../../../src-shared/api/route.ts';
import { clusterStatus, targetChange } from '../../../src-shared/api/targets.ts';
import { type EventReader, type ReadEvent, readEvents } from '../../support/event-reader.ts';
import { objectCluster } from '../../support/object-cluster.ts';
import { type TestConsole, type TestConsoleOptions, testConsole } from '../../support/test-console.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A cluster that changes when a test says so. */
function changingCluster(detail = 'All is well.') {
  const watchers = new Set<(change: ClusterChange) => void>();
  const status = (): ClusterStatus => ({ state: 'ready', detail });
  const cluster: Cluster = {
    ...objectCluster([]),
    status,
    watch(onChange) {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
  };
  const change = (resource: Exclude<ClusterChange['resource'], undefined>): void => {
    for (const watcher of watchers) watcher({ resource, status: status() });
  };
  return { cluster, change, watchers };
}

async function started(env: Record<string, string> = {}, options: TestConsoleOptions = {}) {
  const console_ = await testConsole(env, options);
  closers.push(() => console_.close());
  return console_;
}

type Body = { id: string; route: string; params?: object; query?: object; last_event_id?: string };

/** The window of somebody: one connection, and what is done with it. */
async function windowOf(console_: TestConsole, cookie = '') {
  const reader = await readEvents(`${console_.url}/api/events`, { cookie });
  closers.push(reader.leave);
  const { data } = await reader.until(({ event }) => event === 'connection');
  const { id: connection } = data as { id: string };
  return { reader, connection, ...subscriptions(console_, connection, cookie) };
}

function subscriptions(console_: TestConsole, connection: string, cookie: string) {
  const send = async (method: string, path: string, body?: Body, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${console_.url}/api/events/${connection}/subscriptions${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as { error?: string } };
  };
  return {
    subscribe: (body: Body, headers?: Record<string, string>) => send('POST', '', body, headers),
    unsubscribe: (id: string) => send('DELETE', `/${id}`),
  };
}

/** Whether an event is of this subscription. */
const of =
  (subscription: string, name?: string) =>
  ({ event, data }: ReadEvent): boolean => {
    const carried = data as { subscription?: string; event?: string };
    return carried.subscription === subscription && (name === undefined || (carried.event ?? event) === name);
  };

const streams = (routeTable as readonly Route[]).filter(
  (route) => route.events !== undefined && route.id !== 'events.open',
);
/** Status of a stream asked for by itself, and the sentence of a refusal. */
async function ownAnswer(console_: TestConsole, path: string, cookie: string) {
  const leaving = new AbortController();
  const answer = await fetch(`${console_.url}${filled(path)}`, {
    headers: { cookie, accept: 'text/event-stream' },
    signal: leaving.signal,
  });
  const error = answer.ok ? undefined : ((await answer.json()) as { error: string }).error;
  leaving.abort();
  return { status: answer.status, error };
}

const filled = (path: string): string => path.replace(/\{\w+\}/g, 'abcd1234');
const paramsOf = (path: string) =>
  Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'abcd1234']));

describe('an event connection', () => {
  it('names itself, then carries the events of each subscription as its route declares them', async () => {
    const { cluster, change } = changingCluster();
    const console_ = await started({}, { cluster });
    const { reader, subscribe } = await windowOf(console_, await console_.cookie());
    expect(await subscribe({ id: 'a', route: 'targets.changes' })).toEqual({
      status: 200,
      body: { subscription: 'a' },
    });
    await subscribe({ id: 'b', route: 'targets.changes', query: { target: 'test' } });
    for (const id of ['a', 'b']) {
      const state = (await reader.until(of(id, 'state'))).data as { data: unknown };
      expect(clusterStatus.parse(state.data)).toMatchObject({ state: 'ready' });
    }
    change(resources.pods);
    const seen = [await reader.until(of('a', 'changed')), await reader.until(of('b', 'changed'))];
    for (const { data } of seen) {
      const { data: changed, id } = data as { data: unknown; id: string };
      expect(targetChange.parse(changed)).toEqual({ resources: ['pods'] });
      expect(id).toMatch(/^[0-9a-f]{12}-1$/);
    }
  });

  it("has subscriptions that obey the access class of each route, and tell that route's own refusal", async () => {
    const env = { CONSOLE_SESSION_ADMINS: 'ada@northgate.example' };
    const guarded = await started(env);
    const open = await started({ ...env, CONSOLE_LOCAL_OPERATOR: 'off' });
    const stranger = await guarded.cookieOf('sven@northgate.example');
    const statuses = new Set<number>();
    for (const [console_, cookie] of [
      [guarded, stranger],
      [open, ''],
    ] as const) {
      const { reader, subscribe } = await windowOf(console_, cookie);
      for (const { id, path } of streams) {
        const own = await ownAnswer(console_, path, cookie);
        const subscription = id.replace('.', '-');
        await subscribe({ id: subscription, route: id, params: paramsOf(path) });
        const { event, data } = await reader.until(of(subscription));
        const { status = 200, error } =
          event === 'ended' ? (data as { status?: number; error?: string }) : {};
        expect({ id, status, error }).toEqual({ id, ...own });
        statuses.add(status);
      }
    }
    // Let in; nobody, a stranger, and what is not there.
    expect([...statuses].sort()).toEqual([200, 401, 403, 404]);
  });

  it('has no subscription to what is no event stream, nor to a connection', async () => {
    const console_ = await started();
    const { reader, subscribe } = await windowOf(console_, await console_.cookie());
    for (const route of [
      'events.open',
      'sessions.revokeAll',
      'audit.export',
      'system.healthz',
      '__proto__',
    ]) {
      await subscribe({ id: route.replace('.', '-'), route });
      const { event, data } = await reader.until(of(route.replace('.', '-')));
      expect([event, data]).toMatchObject(['ended', { status: 400 }]);
    }
  });

  it('checks what a subscription asks for as it would an address', async () => {
    const console_ = await started();
    const { reader, subscribe } = await windowOf(console_, await console_.cookie());
    const wrong = [
      { route: 'bundles.progress', params: { id: '../x' } },
      { route: 'bundles.progress' },
      { route: 'targets.changes', query: { colour: 'red' } },
      { route: 'targets.changes', query: { target: 'a\0b' } },
    ];
    for (const [index, asked] of wrong.entries()) {
      const id = `wrong-${index}`;
      await subscribe({ id, ...asked });
      expect((await reader.until(of(id))).data).toMatchObject({ status: 400, error: expect.any(String) });
    }
    expect((await subscribe({ id: 'not valid', route: 'targets.changes' })).status).toBe(400);
    expect(
      (await subscribe({ id: 'a', route: 'targets.changes', params: { x: 'y'.repeat(5000) } })).status,
    ).toBe(400);
  });

  it("another session cannot subscribe to my connection, nor end what I follow, even a person's own other one", async () => {
    const { cluster, change } = changingCluster();
    const console_ = await started({}, { cluster });
    const mine = await windowOf(console_, await console_.cookieOf('ada@northgate.example'));
    await mine.subscribe({ id: 'a', route: 'targets.changes' });
    await mine.reader.until(of('a', 'state'));
    for (const cookie of [
      await console_.cookieOf('sven@northgate.example'),
      await console_.cookieOf('ada@northgate.example'),
    ]) {
      const theirs = subscriptions(console_, mine.connection, cookie);
      const unknown = subscriptions(console_, 'no-such-connection', cookie);
      const asked = { id: 'b', route: 'targets.changes' };
      const [refused, missing] = [await theirs.subscribe(asked), await unknown.subscribe(asked)];
      expect([refused.status, missing.status]).toEqual([404, 404]);
      expect(refused.body.error).toBe(missing.body.error);
      expect((await theirs.unsubscribe('a')).status).toBe(404);
    }
    expect((await subscriptions(console_, mine.connection, '').unsubscribe('a')).status).toBe(401);
    change(resources.pods);
    await mine.reader.until(of('a', 'changed'));
  });

  it('takes no subscription from a page of another origin', async () => {
    const console_ = await started();
    const { subscribe } = await windowOf(console_, await console_.cookie());
    const foreign = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await subscribe({ id: 'a', route: 'targets.changes' }, foreign)).status).toBe(403);
  });

  it('text with line breaks cannot forge an event', async () => {
    const forged =
      'Away.\n\nevent: connection\ndata: {"id":"forged"}\n\r\nevent: forged\rdata: 1\u2028id: 7\n\n';
    const { cluster } = changingCluster(forged);
    const console_ = await started({}, { cluster });
    const cookie = await console_.cookie();
    const own = await readEvents(`${console_.url}/api/targets/changes`, { cookie });
    closers.push(own.leave);
    expect(await own.next()).toMatchObject({ event: 'state', data: { detail: forged } });
    const { reader, subscribe } = await windowOf(console_, cookie);
    await subscribe({ id: 'a', route: 'targets.changes', last_event_id: 'x\ndata: 1' });
    const { data } = await reader.until(of('a', 'state'));
    expect(data).toMatchObject({ data: { detail: forged } });
    for (const text of [own.text(), reader.text()])
      expect(
        text.split(/\r\n|\r|\n/).filter((line) => /^(event|data|id): /.test(line) && /forged$/.test(line)),
      ).toEqual([]);
  });

  it('ends the work of what is unsubscribed, and of everything when its reader leaves', async () => {
    const { cluster, watchers } = changingCluster();
    const console_ = await started({}, { cluster });
    const { reader, subscribe, unsubscribe } = await windowOf(console_, await console_.cookie());
    await subscribe({ id: 'a', route: 'targets.changes' });
    await reader.until(of('a', 'state'));
    expect(watchers.size).toBe(1);
    expect(await unsubscribe('a')).toEqual({ status: 200, body: { ended: true } });
    await vi.waitFor(async () => expect((await unsubscribe('a')).body).toEqual({ ended: false }));
    await subscribe({ id: 'a', route: 'targets.changes' });
    await reader.until(of('a', 'state'));
    reader.leave();
    await vi.waitFor(async () =>
      expect((await subscribe({ id: 'b', route: 'targets.changes' })).status).toBe(404),
    );
  });

  it('is bounded: in subscriptions, and in connections of a person, who may open others when some are closed', async () => {
    const { cluster } = changingCluster();
    const console_ = await started({}, { cluster });
    const cookie = await console_.cookie();
    const { subscribe, unsubscribe } = await windowOf(console_, cookie);
    for (let i = 0; i < maxSubscriptions; i += 1)
      expect((await subscribe({ id: `s${i}`, route: 'targets.changes' })).status).toBe(200);
    expect((await subscribe({ id: 'one-more', route: 'targets.changes' })).status).toBe(429);
    expect((await subscribe({ id: 's1', route: 'targets.changes' })).status).toBe(409);
    await unsubscribe('s1');
    await vi.waitFor(async () =>
      expect((await subscribe({ id: 'one-more', route: 'targets.changes' })).status).toBe(200),
    );
    const open: EventReader[] = [];
    for (;;) {
      const reader = await readEvents(`${console_.url}/api/events`, { cookie });
      closers.push(reader.leave);
      if (reader.status !== 200) {
        expect([reader.status, open.length]).toEqual([429, 31]);
        break;
      }
      open.push(reader);
    }
    const other = await console_.cookieOf('ada@northgate.example');
    await windowOf(console_, other);
    open[0]?.leave();
    await vi.waitFor(async () => {
      const again = await readEvents(`${console_.url}/api/events`, { cookie });
      closers.push(again.leave);
      expect(again.status).toBe(200);
    });
  });

  it('ends when the console closes', async () => {
    const { cluster } = changingCluster();
    const console_ = await testConsole({}, { cluster });
    const { reader, subscribe } = await windowOf(console_, await console_.cookie());
    await subscribe({ id: 'a', route: 'targets.changes' });
    await reader.until(of('a', 'state'));
    const began = Date.now();
    await console_.close();
    expect(await reader.next()).toBeUndefined();
    expect(Date.now() - began).toBeLessThan(2000);
  });
});

describe('a reader of changes who comes back', () => {
  const changes = async (console_: TestConsole, cookie: string, lastEventId?: string) => {
    const reader = await readEvents(`${console_.url}/api/targets/changes`, {
      cookie,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    });
    closers.push(reader.leave);
    return reader;
  };
  const named = (name: string) => (event: ReadEvent) => event.event === name;

  it('is told what changed meanwhile, once', async () => {
    const { cluster, change } = changingCluster();
    const console_ = await started({}, { cluster });
    const cookie = await console_.cookie();
    const first = await changes(console_, cookie);
    await first.until(named('state'));
    change(resources.nodes);
    const { id = '' } = await first.until(named('changed'));
    first.leave();
    change(resources.pods);
    change(resources.pods);
    change(resources.jobs);
    const again = await changes(console_, cookie, id);
    const missed = await again.until(named('changed'));
    expect(missed.data).toEqual({ resources: ['jobs', 'pods'] });
    const { reader, subscribe } = await windowOf(console_, cookie);
    await subscribe({ id: 'a', route: 'targets.changes', last_event_id: id });
    expect((await reader.until(of('a', 'changed'))).data).toMatchObject({ data: missed.data, id: missed.id });
    const last = await changes(console_, cookie, missed.id);
    await last.until(named('state'));
    change(resources.events);
    expect((await last.until(named('changed'))).data).toEqual({ resources: ['events'] });
  });

  it('is told that anything may have changed where that is not known, as on another console', async () => {
    const { cluster } = changingCluster();
    const console_ = await started({}, { cluster });
    const cookie = await console_.cookie();
    for (const id of ['0123456789ab-7', 'nonsense']) {
      const { data } = await (await changes(console_, cookie, id)).until(named('changed'));
      expect((data as { resources: string[] }).resources).toEqual(
        resources.everyKind.map(({ plural }) => plural).sort(),
      );
    }
  });
});
