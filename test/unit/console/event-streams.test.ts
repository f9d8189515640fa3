import { describe, expect, it } from 'vitest';
import { eventHandlers } from '../../../src-main/console/event-connections.ts';
import { eventText } from '../../../src-main/console/event-stream.ts';
import type { Call } from '../../../src-shared/api/handler.ts';
import type { EventStream, StreamEvent } from '../../../src-shared/api/route.ts';

/** Counts on without end; how far it was asked for, and whether it was returned. */
function counting() {
  const state = { yielded: 0, returned: false };
  const events = (async function* (): AsyncGenerator<StreamEvent> {
    try {
      for (;;) {
        state.yielded += 1;
        yield { event: 'count', data: state.yielded };
      }
    } finally {
      state.returned = true;
    }
  })();
  return { state, events };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('event text', () => {
  it('is one event a piece, with its id, and asks for no more than was taken', async () => {
    const { state, events } = counting();
    const text = eventText(events);
    expect((await text.next()).value).toBe('event: count\ndata: 1\n\n');
    await settled();
    expect(state.yielded).toBe(1);
    await text.return(undefined);
    expect(state.returned).toBe(true);
    const withId = eventText(
      (async function* () {
        yield { event: 'a', data: { text: 'one\ntwo\r\rthree\u2028' }, id: '7' };
      })(),
    );
    expect((await withId.next()).value).toBe(
      'event: a\ndata: {"text":"one\\ntwo\\r\\rthree\u2028"}\nid: 7\n\n',
    );
    expect((await withId.next()).done).toBe(true);
  });

  it('has a comment whenever nothing happens for so long, and loses nothing by it', async () => {
    let happen = (): void => undefined;
    const happened = new Promise<void>((resolve) => {
      happen = resolve;
    });
    const text = eventText(
      (async function* () {
        await happened;
        yield { event: 'late', data: null };
      })(),
      10,
    );
    expect((await text.next()).value).toMatch(/^: /);
    expect((await text.next()).value).toMatch(/^: /);
    happen();
    expect((await text.next()).value).toBe('event: late\ndata: null\n\n');
  });

  it('refuses an id or a name of several lines, and returns the stream', async () => {
    for (const forged of [
      { event: 'a', data: 1, id: '7\ndata: 2' },
      { event: 'a\rdata: 2', data: 1 },
    ]) {
      let returned = false;
      const text = eventText(
        (async function* () {
          try {
            yield forged;
          } finally {
            returned = true;
          }
        })(),
      );
      await expect(text.next()).rejects.toThrow('several lines');
      await settled();
      expect(returned).toBe(true);
    }
  });

  it('fails with its stream', async () => {
    const text = eventText({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('away')) }),
    });
    await expect(text.next()).rejects.toThrow('away');
  });
});

describe('an event connection', () => {
  /** A connection over which streams of the test's own are followed. */
  async function opened(streams: Readonly<Record<string, EventStream>>) {
    const leaving = new AbortController();
    const failures: unknown[] = [];
    const handlers = eventHandlers({ log: { error: (fields) => failures.push(fields) } });
    // Of a call these handlers use no more.
    const call = {
      caller: { email: 'ada@northgate.example', sessionId: 's', localOperator: false, signInLink: false },
      address: '127.0.0.1',
      signal: leaving.signal,
      openStream: async ({ route }) => {
        const stream = streams[route];
        if (stream === undefined) throw new Error('a bug, with a secret in its words');
        return stream;
      },
    } satisfies Partial<Call> as unknown as Call;
    const none = { params: undefined, query: undefined, body: undefined };
    const answer = await handlers['events.open'](none, call);
    const events = answer[Symbol.asyncIterator]();
    const { value } = await events.next();
    const { id: connection } = value.data as { id: string };
    for (const route of Object.keys(streams))
      await handlers['events.subscribe'](
        { params: { connection }, query: undefined, body: { id: route, route } },
        call,
      );
    await settled();
    const next = async () => (await events.next()).value as { event: string; data: Record<string, unknown> };
    const subscribe = (route: string) =>
      handlers['events.subscribe'](
        { params: { connection }, query: undefined, body: { id: route, route } },
        call,
      );
    return { next, subscribe, leave: () => leaving.abort(), failures, events };
  }

  it('serves each subscription in turn, however much one has to say', async () => {
    const [loud, louder, quiet] = [counting(), counting(), counting()];
    const { next } = await opened({ loud: loud.events, louder: louder.events, quiet: quiet.events });
    const order: unknown[] = [];
    for (let i = 0; i < 30; i += 1) {
      order.push((await next()).data.subscription);
      await settled();
    }
    for (const name of ['loud', 'louder', 'quiet'])
      expect(order.filter((said) => said === name)).toHaveLength(10);
  });

  it('holds one event of each while its reader is slow, and asks the stream for no more', async () => {
    const { state, events } = counting();
    const { next } = await opened({ loud: events });
    await settled();
    expect(state.yielded).toBe(1);
    await next();
    await settled();
    expect(state.yielded).toBe(2);
  });

  it('returns every stream when its reader leaves', async () => {
    const streams = { a: counting(), b: counting() };
    const { next, leave, events } = await opened({ a: streams.a.events, b: streams.b.events });
    await next();
    await settled();
    leave();
    await events.return?.();
    await settled();
    expect([streams.a.state.returned, streams.b.state.returned]).toEqual([true, true]);
  });

  it('tells of a bug without its words, and goes on', async () => {
    const { events } = counting();
    const { next, subscribe, failures } = await opened({});
    await subscribe('nowhere');
    const { event, data } = await next();
    expect([event, data.status]).toEqual(['ended', 500]);
    expect(JSON.stringify(data)).not.toContain('secret');
    expect(failures).toHaveLength(1);
    await events.return(undefined);
  });
});
