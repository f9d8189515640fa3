import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Code, ConnectError } from '@connectrpc/connect';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Studio } from '../../../../src-main/backends/studio/index.ts';
import { Role } from '../../../../src-shared/gen/studio/v1/studio_pb.js';
import { clientOf, jon, mira, newChat, say, testStudio } from './harness.ts';

const brief =
  'Match incoming invoices to purchase orders by supplier and amount. Anything above 2 % goes to a person.';

const failureOf = async (call: Promise<unknown>): Promise<ConnectError> => {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ConnectError);
  return ConnectError.from(failure);
};

describe('chats of the studio', () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await testStudio();
  });
  afterAll(() => studio.close());

  it('streams accepted, then the text message by message, then done (CON-201)', async () => {
    const client = clientOf(studio, mira);
    const chatId = await newChat(client);
    const times: number[] = [];
    let done = '';
    let text = '';
    for await (const { event } of client.chat({ chatId, text: brief })) {
      if (event.case === 'accepted') {
        expect(event.value.message).toMatchObject({ role: Role.PERSON, text: brief, interrupted: false });
        expect(event.value.chat?.title).toBe('Match incoming invoices to purchase orders by supplier and…');
      }
      if (event.case === 'text') {
        times.push(performance.now());
        text += event.value;
      }
      if (event.case === 'done') done = event.value.text;
    }
    expect(times.length).toBeGreaterThan(20);
    // The pieces came over time and not in one go at the end, and the whole took less than 2 s.
    const took = (times.at(-1) ?? 0) - (times[0] ?? 0);
    expect(took).toBeGreaterThan(200);
    expect(took).toBeLessThan(4000);
    expect(done).toBe(text);
    expect(text).toContain('built-in planner');
    expect(text).toContain('INFERENCE_REMOTE_URL is not set');
  });

  it('gives the same answer to the same words', async () => {
    const client = clientOf(studio, mira);
    const first = await say(client, await newChat(client), brief);
    const second = await say(client, await newChat(client), brief);
    expect(second.text).toBe(first.text);
    expect(first.cases).toEqual(['accepted', 'text', 'done']);
  });

  it('makes ids of c- and 16 hex characters, and a repo- chat for an app, which is its project', async () => {
    const client = clientOf(studio, mira);
    expect(await newChat(client)).toMatch(/^c-[0-9a-f]{16}$/);
    const opened = await client.openChat({ id: 'repo-harbor-board' });
    expect(opened.chat).toMatchObject({
      id: 'repo-harbor-board',
      title: 'harbor-board',
      project: 'harbor-board',
    });
    await say(client, 'repo-harbor-board', brief);
    expect((await client.openChat({ id: 'repo-harbor-board' })).chat?.project).toBe('harbor-board');
    expect((await failureOf(client.openChat({ id: 'repo-../../etc' }))).code).toBe(Code.InvalidArgument);
  });

  it('lists chats and the apps that answers named, most recently updated first', async () => {
    const client = clientOf(studio, 'lists@example.com');
    const older = await newChat(client);
    await say(client, older, brief);
    const newer = await newChat(client);
    await say(client, newer, 'Track berths by quay.');
    const chats = (await client.listChats({})).chats;
    expect(chats.map((chat) => chat.id)).toEqual([newer, older]);
    const apps = (await client.listApps({})).apps;
    expect(apps.map(({ name, chatId }) => [name, chatId])).toEqual([
      ['berth-tracker', newer],
      ['invoice-matcher', older],
    ]);
  });

  it("answers NOT_FOUND for another person's chat, in the same words as for one that is not there", async () => {
    const chatId = await newChat(clientOf(studio, mira));
    await say(clientOf(studio, mira), chatId, brief);
    const stranger = clientOf(studio, jon);
    const open = await failureOf(stranger.openChat({ id: chatId }));
    const absent = await failureOf(stranger.openChat({ id: 'c-0000000000000000' }));
    expect(open.code).toBe(Code.NotFound);
    expect(open.rawMessage).toBe(absent.rawMessage);
    expect((await failureOf(say(stranger, chatId, 'hello'))).code).toBe(Code.NotFound);
    expect((await stranger.listChats({})).chats).toEqual([]);
    expect((await stranger.listApps({})).apps).toEqual([]);
  });

  it('keeps a repo- chat of the same name apart for two people', async () => {
    await say(
      clientOf(studio, mira),
      (await clientOf(studio, mira).openChat({ id: 'repo-shared' })).chat?.id ?? '',
      brief,
    );
    expect((await clientOf(studio, jon).openChat({ id: 'repo-shared' })).messages).toEqual([]);
  });

  it('refuses an empty message and one of more than 32,000 characters', async () => {
    const client = clientOf(studio, mira);
    const chatId = await newChat(client);
    expect((await failureOf(say(client, chatId, ' \n '))).code).toBe(Code.InvalidArgument);
    expect((await failureOf(say(client, chatId, 'a'.repeat(32_001)))).rawMessage).toContain('32000');
    // Characters, not UTF-16 units: the longest message may be made of emoji.
    await say(client, chatId, '🙂'.repeat(32_000));
  });

  it('answers one message of a chat at a time, and other chats meanwhile', async () => {
    const client = clientOf(studio, mira);
    const [busy, free] = [await newChat(client), await newChat(client)];
    const first = say(client, busy, brief);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await failureOf(say(client, busy, brief));
    expect(second.code).toBe(Code.FailedPrecondition);
    expect(second.rawMessage).toContain('still answering');
    expect((await say(client, free, brief)).cases).toContain('done');
    await first;
    expect((await say(client, busy, brief)).cases).toContain('done');
  });

  it('stores what had arrived as interrupted when the person stops, and takes the next message', async () => {
    const client = clientOf(studio, mira);
    const chatId = await newChat(client);
    const stop = new AbortController();
    let arrived = '';
    await expect(async () => {
      for await (const { event } of client.chat({ chatId, text: brief }, { signal: stop.signal })) {
        if (event.case === 'text') arrived += event.value;
        if (arrived.length > 60) stop.abort();
      }
    }).rejects.toThrow(/cancel/i);
    const partial = await vi.waitFor(async () => {
      const last = (await client.openChat({ id: chatId })).messages.at(-1);
      expect(last?.role).toBe(Role.STUDIO);
      return last;
    });
    expect(partial?.interrupted).toBe(true);
    expect(partial?.text.startsWith(arrived)).toBe(true);
    expect((await say(client, chatId, 'Go on.')).cases).toContain('done');
  });

  it("ends at the caller's deadline and stores the partial answer", async () => {
    const client = clientOf(studio, mira);
    const chatId = await newChat(client);
    const failure = await failureOf(
      (async () => {
        for await (const _ of client.chat({ chatId, text: brief }, { timeoutMs: 300 }));
      })(),
    );
    expect(failure.code).toBe(Code.DeadlineExceeded);
    await vi.waitFor(async () => {
      expect((await client.openChat({ id: chatId })).messages.at(-1)?.interrupted).toBe(true);
    });
  });

  it('keeps 500 chats: an empty one makes room, chats with messages never do', async () => {
    const client = clientOf(studio, 'many@example.com');
    const first = await newChat(client);
    for (let count = 1; count < 500; count += 1) await client.openChat({ id: `repo-app-${count}` });
    const next = await newChat(client);
    const ids = (await client.listChats({})).chats.map((chat) => chat.id);
    expect(ids).toHaveLength(500);
    expect(ids).toContain(next);
    expect(ids).not.toContain(first);
  });
});

describe('the store of the studio', () => {
  it('has chats, messages and apps after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'studio-'));
    try {
      const storeFile = join(folder, 'studio.db');
      const before = await testStudio({ storeFile });
      const chatId = await newChat(clientOf(before, mira));
      const { text } = await say(clientOf(before, mira), chatId, brief);
      await before.close();
      const after = await testStudio({ storeFile });
      const opened = await clientOf(after, mira).openChat({ id: chatId });
      expect(opened.messages.map((message) => message.text)).toEqual([brief, text]);
      expect(opened.chat?.project).toBe('invoice-matcher');
      expect((await clientOf(after, mira).listApps({})).apps).toHaveLength(1);
      await after.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('lets a running answer end when the studio closes, and closes twice without harm', async () => {
    const studio = await testStudio();
    const client = clientOf(studio, mira);
    const answer = say(client, await newChat(client), brief);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const started = performance.now();
    await Promise.all([studio.close(), studio.close()]);
    expect(performance.now() - started).toBeLessThan(5000);
    expect((await answer).cases).toEqual(['accepted', 'text', 'done']);
  });
});
