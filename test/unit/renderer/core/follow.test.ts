import { describe, expect, it, vi } from 'vitest';
import { createFollow } from '../../../../src-renderer/core/events/create-follow.ts';
import { parseEvents } from '../../../../src-renderer/core/events/parse-events.ts';
import {
  type Channel,
  createPortConnection,
  serveWindow,
} from '../../../../src-renderer/core/events/port-connection.ts';
import {
  createSharedConnection,
  NotShared,
  type SharedConnection,
} from '../../../../src-renderer/core/events/shared-connection.ts';

const encoder = new TextEncoder();

/** An event stream that a test writes. */
function written(signal?: AbortSignal | null) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
  });
  signal?.addEventListener('abort', () => {
    try {
      controller?.error(signal.reason);
    } catch {
      // Ended before.
    }
  });
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } }),
    say: (event: string, data: unknown, id?: string) =>
      controller?.enqueue(
        encoder.encode(
          `event: ${event}\ndata: ${JSON.stringify(data)}\n${id === undefined ? '' : `id: ${id}\n`}\n`,
        ),
      ),
    close: () => controller?.close(),
    break: () => controller?.error(new TypeError('network error')),
  };
}

type Written = ReturnType<typeof written>;
type Subscribed = { id: string; route: string; query?: object; last_event_id?: string };

/** A console that a test plays: what was asked of it, its connections and what was subscribed to. */
function playedConsole({ shared = true, holds = true } = {}) {
  const asked: string[] = [];
  const connections: Written[] = [];
  const own: Written[] = [];
  const subscribed: Subscribed[] = [];
  const headers: Headers[] = [];
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const { method = 'GET' } = init;
    asked.push(`${method} ${url}`);
    if (method === 'POST') {
      if (!holds) return Response.json({ error: 'There is no such event connection.' }, { status: 404 });
      const body = JSON.parse(String(init.body)) as Subscribed;
      subscribed.push(body);
      return Response.json({ subscription: body.id });
    }
    if (method === 'DELETE') return Response.json({ ended: true });
    if (url !== '/api/events') {
      headers.push(new Headers(init.headers));
      const stream = written(init.signal);
      own.push(stream);
      return stream.response;
    }
    if (!shared) return new Response(null, { status: 204 });
    const stream = written(init.signal);
    connections.push(stream);
    stream.say('connection', { id: `c${connections.length}` });
    return stream.response;
  };
  const waited: number[] = [];
  const follow = createFollow(
    send,
    () => createSharedConnection(send),
    async (ms) => {
      waited.push(ms);
    },
  );
  return { asked, connections, own, subscribed, headers, waited, follow, send };
}

const changed = (resources: string[]) => ({ resources });
const never = new AbortController().signal;

describe('following events', () => {
  it('takes one connection for all streams, tells each its own, and ends with the last event', async () => {
    const { follow, connections, subscribed, asked } = playedConsole();
    const progress: number[] = [];
    const walk = follow(
      'audit.verify',
      {},
      { signal: never, on: { progress: (p) => progress.push(p.checked) } },
    );
    const bundle = follow('bundles.progress', { params: { id: 'abcd' } }, { signal: never, on: {} });
    await vi.waitFor(() => expect(subscribed).toHaveLength(2));
    const [connection] = connections;
    const [first, second] = subscribed;
    connection?.say('event', { subscription: first?.id, event: 'progress', data: { checked: 3, total: 9 } });
    connection?.say('event', { subscription: first?.id, event: 'unheard-of', data: {} });
    connection?.say('ended', { subscription: first?.id });
    connection?.say('event', {
      subscription: second?.id,
      event: 'progress',
      data: { state: 'open', step: 'Open', bytes_read: 1, files: 1, objects: 1 },
    });
    connection?.say('ended', { subscription: second?.id });
    expect(await walk).toEqual({ event: 'progress', data: { checked: 3, total: 9 } });
    expect((await bundle)?.data.state).toBe('open');
    expect(progress).toEqual([3]);
    expect(asked.filter((line) => line.startsWith('GET'))).toEqual(['GET /api/events']);
    expect(subscribed.map(({ route }) => route)).toEqual(['audit.verify', 'bundles.progress']);
  });

  it('subscribes again after its last event when the connection broke', async () => {
    const { follow, connections, subscribed, waited } = playedConsole();
    const leaving = new AbortController();
    const heard: string[][] = [];
    const following = follow(
      'targets.changes',
      { query: { target: 'prod' } },
      { signal: leaving.signal, on: { changed: ({ resources }) => heard.push(resources) } },
    );
    await vi.waitFor(() => expect(subscribed).toHaveLength(1));
    connections[0]?.say('event', {
      subscription: 's1',
      event: 'changed',
      data: changed(['pods']),
      id: 'x-7',
    });
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    connections[0]?.break();
    await vi.waitFor(() => expect(subscribed).toHaveLength(2));
    expect(subscribed[1]).toMatchObject({ query: { target: 'prod' }, last_event_id: 'x-7' });
    expect(connections).toHaveLength(2);
    connections[1]?.say('ended', { subscription: subscribed[1]?.id });
    await vi.waitFor(() => expect(subscribed).toHaveLength(3));
    for (const ms of waited) expect(ms).toBeGreaterThan(0);
    expect(waited.length).toBeGreaterThanOrEqual(2);
    leaving.abort(new Error('left'));
    await expect(following).rejects.toThrow('left');
  });

  it('says that a stream was refused with the status of its route, and does not ask again', async () => {
    const { follow, connections, subscribed } = playedConsole();
    const following = follow('targets.changes', { query: {} }, { signal: never, on: {} });
    await vi.waitFor(() => expect(subscribed).toHaveLength(1));
    connections[0]?.say('ended', { subscription: 's1', status: 403, error: 'You may not do this.' });
    await expect(following).rejects.toMatchObject({ status: 403, message: 'You may not do this.' });
  });

  it('says that work broke which would begin again, and does not ask again', async () => {
    const { follow, connections, subscribed } = playedConsole();
    const options = { signal: never, on: {}, reconnects: false };
    const broke = follow('audit.verify', {}, options);
    await vi.waitFor(() => expect(subscribed).toHaveLength(1));
    connections[0]?.break();
    await expect(broke).rejects.toMatchObject({ name: 'Unavailable', status: undefined });
    const early = follow('audit.verify', {}, { ...options, isLast: ({ event }) => event === 'result' });
    await vi.waitFor(() => expect(subscribed).toHaveLength(2));
    connections[1]?.say('event', { subscription: 's2', event: 'progress', data: { checked: 1, total: 2 } });
    connections[1]?.say('ended', { subscription: 's2' });
    await expect(early).rejects.toMatchObject({ status: undefined });
    expect(subscribed).toHaveLength(2);
  });

  it('refuses data that is not of the shape the route declares, and ends the stream', async () => {
    const { follow, connections, subscribed, asked } = playedConsole();
    const following = follow('audit.verify', {}, { signal: never, on: {} });
    await vi.waitFor(() => expect(subscribed).toHaveLength(1));
    connections[0]?.say('event', { subscription: 's1', event: 'progress', data: { checked: 'many' } });
    await expect(following).rejects.toThrow('was not understood');
    await vi.waitFor(() => expect(asked).toContain('DELETE /api/events/c1/subscriptions/s1'));
  });

  it('ends with its page: the stream at once, the connection when nobody is left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { follow, connections, asked, subscribed } = playedConsole();
      const leaving = new AbortController();
      const following = follow('targets.changes', { query: {} }, { signal: leaving.signal, on: {} });
      following.catch(() => undefined);
      await vi.waitFor(() => expect(subscribed).toHaveLength(1));
      leaving.abort(new Error('left'));
      await expect(following).rejects.toThrow('left');
      await vi.waitFor(() => expect(asked).toContain('DELETE /api/events/c1/subscriptions/s1'));
      await vi.advanceTimersByTimeAsync(2000);
      const later = follow('audit.verify', {}, { signal: never, on: {}, reconnects: false });
      later.catch(() => undefined);
      await vi.waitFor(() => expect(connections).toHaveLength(2));
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['has no shared connections', { shared: false }],
    ['is another one than holds the connection, behind a load balancer', { holds: false }],
  ])('takes a stream by itself where the console %s', async (_name, played) => {
    const { follow, own, asked, headers } = playedConsole(played);
    const heard: string[][] = [];
    const leaving = new AbortController();
    const following = follow(
      'targets.changes',
      { query: { target: 'prod eu' } },
      { signal: leaving.signal, on: { changed: ({ resources }) => heard.push(resources) } },
    );
    await vi.waitFor(() => expect(own).toHaveLength(1));
    expect(asked).toContain('GET /api/targets/changes?target=prod+eu');
    own[0]?.say('changed', changed(['pods']), 'x-1');
    await vi.waitFor(() => expect(heard).toEqual([['pods']]));
    own[0]?.close();
    await vi.waitFor(() => expect(own).toHaveLength(2));
    expect(headers.map((given) => given.get('last-event-id'))).toEqual([null, 'x-1']);
    leaving.abort();
    await expect(following).rejects.toThrow();
  });
});

describe('windows of one browser', () => {
  const request = (target: string) =>
    ({ route: 'targets.changes', params: {}, query: { target }, lastEventId: undefined }) as const;

  /** A window that reaches the connection of all windows through a port. */
  function windowOn(shared: SharedConnection) {
    const [toWindow, toWorker] = [new EventTarget(), new EventTarget()];
    const end = <Out, In>(from: EventTarget, to: EventTarget): Channel<Out, In> => ({
      send: (message) => void to.dispatchEvent(new CustomEvent('said', { detail: structuredClone(message) })),
      listen: (hear) => from.addEventListener('said', (event) => hear((event as CustomEvent<In>).detail)),
      onGone: (gone) => from.addEventListener('gone', gone),
    });
    serveWindow(end(toWorker, toWindow), shared);
    return {
      window: createPortConnection(end(toWindow, toWorker)),
      crash: () => toWorker.dispatchEvent(new Event('gone')),
    };
  }

  it('share one connection, each with its own streams, until the last of them leaves', async () => {
    const { send, connections, subscribed, asked } = playedConsole();
    const shared = createSharedConnection(send);
    const [one, two] = [windowOn(shared), windowOn(shared)];
    const heard: unknown[] = [];
    const leaving = new AbortController();
    const first = one.window.follow(request('a'), ({ data }) => heard.push(['one', data]), leaving.signal);
    const second = two.window.follow(request('b'), ({ data }) => heard.push(['two', data]), never);
    second.catch(() => undefined);
    await vi.waitFor(() => expect(subscribed).toHaveLength(2));
    expect(connections).toHaveLength(1);
    for (const { id } of subscribed)
      connections[0]?.say('event', { subscription: id, event: 'changed', data: changed(['pods']) });
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    leaving.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    await vi.waitFor(() => expect(asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(1));
    two.window.close();
    await expect(second).rejects.toMatchObject({ status: undefined });
    await vi.waitFor(() => expect(asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(2));
    const crashing = windowOn(shared);
    crashing.window.follow(request('c'), () => undefined, never).catch(() => undefined);
    await vi.waitFor(() => expect(subscribed).toHaveLength(3));
    crashing.crash();
    await vi.waitFor(() => expect(asked.filter((line) => line.startsWith('DELETE'))).toHaveLength(3));
  });

  it('are told of a refusal, of an end, and that a stream is not to be had so', async () => {
    const { send, connections, subscribed } = playedConsole();
    const { window } = windowOn(createSharedConnection(send));
    const refused = window.follow(request('a'), () => undefined, never);
    const ended = window.follow(request('b'), () => undefined, never);
    await vi.waitFor(() => expect(subscribed).toHaveLength(2));
    connections[0]?.say('ended', { subscription: subscribed[0]?.id, status: 403, error: 'You may not.' });
    connections[0]?.say('ended', { subscription: subscribed[1]?.id });
    await expect(refused).rejects.toMatchObject({ name: 'NotAllowed', status: 403, message: 'You may not.' });
    expect(await ended).toBeUndefined();
    const alone = windowOn(createSharedConnection(playedConsole({ shared: false }).send));
    await expect(alone.window.follow(request('a'), () => undefined, never)).rejects.toBeInstanceOf(NotShared);
  });
});

describe('server-sent events', () => {
  const text =
    '\uFEFF: a comment\n\nevent: one\ndata: ü\r\nid: 1\r\n\r\ndata\n\nevent: none\n\ndata: a\rdata:b\r\rid: x\0\ndata:  c\n\ndata: cut';

  it('are read as the standard says, wherever the bytes are cut', async () => {
    const bytes = encoder.encode(text);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
          controller.close();
        },
      });
      const events = [];
      for await (const event of parseEvents(body)) events.push(event);
      expect(events).toEqual([
        { event: 'one', data: 'ü', id: '1' },
        { event: 'message', data: '', id: '1' },
        { event: 'message', data: 'a\nb', id: '1' },
        { event: 'message', data: ' c', id: '1' },
      ]);
    }
  });
});
