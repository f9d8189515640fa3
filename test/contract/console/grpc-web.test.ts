import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Code, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-node';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Density, ProfileService, Theme } from '../../../src-shared/gen/profile/v1/profile_pb.js';
import {
  ChatRequestSchema,
  ChatResponseSchema,
  StudioService,
} from '../../../src-shared/gen/studio/v1/studio_pb.js';
import { codeOf, rpcClient } from '../../support/rpc-client.ts';
import { type StreamingService, startStreamingService } from '../../support/streaming-service.ts';
import { type TestConsole, testConsole } from '../../support/test-console.ts';

describe('profile.v1.ProfileService on / (CON-006, CON-160)', () => {
  let console_: TestConsole;
  beforeAll(async () => {
    console_ = await testConsole();
  });
  afterAll(() => console_.close());

  const clientWith = (headers: Record<string, string>) => rpcClient(ProfileService, console_.url, headers);

  it('answers the defaults, keeps changes, and leaves fields that were not named', async () => {
    const client = clientWith({ cookie: await console_.cookie() });
    const before = (await client.getProfile({})).profile;
    expect(before).toMatchObject({
      theme: Theme.SYSTEM,
      density: Density.DEFAULT,
      defaultTab: 'overview',
    });
    await client.updateProfile({ theme: Theme.DARK });
    await client.updateProfile({ defaultTab: 'settings' });
    const after = (await clientWith({ cookie: await console_.cookie() }).getProfile({})).profile;
    expect(after).toMatchObject({
      email: 'operator@console.localhost',
      theme: Theme.DARK,
      density: Density.DEFAULT,
      defaultTab: 'settings',
    });
  });

  it('keeps the hidden columns of each table for itself, and replaces those of one', async () => {
    const client = clientWith({ cookie: await console_.cookie() });
    await client.updateProfile({ columns: { table: 'runs', hidden: ['actor', 'kind'] } });
    await client.updateProfile({ columns: { table: 'audit', hidden: ['hash'] } });
    await client.updateProfile({ columns: { table: 'runs', hidden: ['actor'] } });
    const { profile } = await client.getProfile({});
    expect(profile?.tables.map(({ table, hidden }) => [table, hidden])).toEqual([
      ['audit', ['hash']],
      ['runs', ['actor']],
    ]);
  });

  it('keeps the order of a table and the widths of its columns', async () => {
    const client = clientWith({ cookie: await console_.cookie() });
    const columns = { table: 'nodes', hidden: [], sort: '-name', widths: { name: 300, state: 90 } };
    await client.updateProfile({ columns });
    const { profile } = await client.getProfile({});
    expect(profile?.tables.find(({ table }) => table === 'nodes')).toMatchObject(columns);
  });

  it('refuses columns that are none, more than a person may have, and changes nothing then', async () => {
    const client = clientWith({ cookie: await console_.cookie() });
    const before = (await client.getProfile({})).profile;
    for (const columns of [
      { table: '../runs', hidden: [] },
      { table: 'runs', hidden: ['a b'] },
      { table: 'runs', sort: 'name; drop' },
      { table: 'runs', widths: { name: 47 } },
      { table: 'runs', widths: { 'a b': 100 } },
      { table: 'runs', hidden: Array.from({ length: 41 }, (_, index) => `c${index}`) },
    ]) {
      expect(await codeOf(client.updateProfile({ theme: Theme.LIGHT, columns }))).toBe(Code.InvalidArgument);
    }
    expect((await client.getProfile({})).profile).toEqual(before);
  });

  it('refuses a value that is none, and changes nothing then', async () => {
    const client = clientWith({ cookie: await console_.cookie() });
    const before = (await client.getProfile({})).profile;
    expect(await codeOf(client.updateProfile({ theme: Theme.LIGHT, defaultTab: '../../etc' }))).toBe(
      Code.InvalidArgument,
    );
    expect(await codeOf(client.updateProfile({ density: 99 as Density }))).toBe(Code.InvalidArgument);
    expect((await client.getProfile({})).profile).toEqual(before);
  });

  it('refuses a caller without a session (CON-152)', async () => {
    expect(await codeOf(clientWith({}).getProfile({}))).toBe(Code.Unauthenticated);
    expect(await codeOf(clientWith({ cookie: `console_session=${'A'.repeat(43)}` }).getProfile({}))).toBe(
      Code.Unauthenticated,
    );
  });

  it('refuses a page of another origin with 403 before any method runs (CON-186)', async () => {
    const { statusCode, body } = await request(`${console_.url}/profile.v1.ProfileService/UpdateProfile`, {
      method: 'POST',
      headers: {
        origin: 'http://evil.example',
        'content-type': 'application/grpc-web-text',
        cookie: await console_.cookie(),
      },
      body: '',
    });
    await body.dump();
    expect(statusCode).toBe(403);
  });

  it('answers an unknown method as unimplemented', async () => {
    const unknown = createClient(
      StudioService,
      createGrpcWebTransport({ baseUrl: console_.url, httpVersion: '1.1' }),
    );
    expect(await codeOf(unknown.listApps({}))).toBe(Code.Unimplemented);
  });
});

describe('streams over gRPC-web', () => {
  let service: StreamingService;
  beforeAll(async () => {
    service = await startStreamingService();
  });
  afterAll(() => service.close());

  const client = () =>
    createClient(StudioService, createGrpcWebTransport({ baseUrl: service.url, httpVersion: '1.1' }));

  it('arrive message by message', async () => {
    const arrivals: number[] = [];
    for await (const message of client().chat({ text: 'one two three four' })) {
      expect(message.event.case).toBe('text');
      arrivals.push(performance.now());
    }
    expect(arrivals).toHaveLength(4);
    expect((arrivals[3] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(100);
  });

  it('end at the deadline the caller set', async () => {
    const drain = async () => {
      for await (const _ of client().chat({ text: 'forever' }, { timeoutMs: 200 }));
    };
    expect(await codeOf(drain())).toBe(Code.DeadlineExceeded);
  });

  it('end with UNAVAILABLE and the words for it when the store is away, as do calls that do not stream', async () => {
    const drain = async () => {
      for await (const _ of client().chat({ text: 'one storeless' }));
    };
    const away = { code: Code.Unavailable, rawMessage: 'The store does not answer.' };
    await expect(drain()).rejects.toMatchObject(away);
    await expect(client().openChat({ id: 'storeless' })).rejects.toMatchObject(away);
  });

  it('stop on the server when the caller cancels', async () => {
    const before = service.cancelled();
    const abort = new AbortController();
    const drain = async () => {
      for await (const _ of client().chat({ text: 'forever' }, { signal: abort.signal })) abort.abort();
    };
    expect(await codeOf(drain())).toBe(Code.Canceled);
    await vi.waitFor(() => expect(service.cancelled()).toBeGreaterThan(before));
  });
});

describe('application/grpc-web-text', () => {
  let service: StreamingService;
  beforeAll(async () => {
    service = await startStreamingService();
  });
  afterAll(() => service.close());

  const frame = (payload: Uint8Array): Buffer => {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(payload.length, 1);
    return Buffer.concat([head, payload]);
  };
  const chatFrame = (text: string) => frame(toBinary(ChatRequestSchema, create(ChatRequestSchema, { text })));
  const post = (body: string) =>
    request(`${service.url}/studio.v1.StudioService/Chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/grpc-web-text', accept: 'application/grpc-web-text' },
      body,
    });
  /** Each piece is base64 of its own: groups are decoded one by one, as a streaming client must. */
  const framesOf = (text: string): { flag: number; payload: Buffer }[] => {
    let bytes = Buffer.concat((text.match(/[^=]+={0,2}/g) ?? []).map((part) => Buffer.from(part, 'base64')));
    const frames: { flag: number; payload: Buffer }[] = [];
    while (bytes.length > 0) {
      const length = bytes.readUInt32BE(1);
      frames.push({ flag: bytes[0] ?? 0, payload: bytes.subarray(5, 5 + length) });
      bytes = bytes.subarray(5 + length);
    }
    return frames;
  };

  it('streams each message in base64 the moment it is there, and ends with the trailers', async () => {
    const { headers, body } = await post(chatFrame('one two three').toString('base64'));
    expect(headers['content-type']).toMatch(/^application\/grpc-web-text/);
    const times: number[] = [];
    let text = '';
    for await (const chunk of body) {
      times.push(performance.now());
      text += String(chunk);
    }
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(80);
    const frames = framesOf(text);
    const words = frames
      .filter(({ flag }) => flag === 0)
      .map(({ payload }) => fromBinary(ChatResponseSchema, payload).event.value);
    expect(words).toEqual(['one', 'two', 'three']);
    expect(frames.at(-1)?.payload.toString()).toMatch(/grpc-status: 0/);
  });

  it('reads a body whose base64 comes in padded segments', async () => {
    const bytes = chatFrame('one');
    const cut = [bytes.subarray(0, 4), bytes.subarray(4, 5), bytes.subarray(5)];
    const { body } = await post(cut.map((part) => Buffer.from(part).toString('base64')).join(''));
    expect(framesOf(await body.text())).toHaveLength(2);
  });

  it('refuses what is not base64 and what ends in the middle, without falling over', async () => {
    for (const bad of ['****', 'AAA', `${chatFrame('one').toString('base64')}A`]) {
      const { headers, body } = await post(bad);
      const text = await body.text();
      const status = headers['grpc-status'] ?? framesOf(text).at(-1)?.payload.toString();
      expect(String(status)).not.toMatch(/(^|: )0$/);
    }
  });
});
