import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, createClient, createContextValues } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentService, mediaRoutes } from '../../../../src-main/backends/campaign/media/index.ts';
import { callerKey } from '../../../../src-main/backends/campaign/parts.ts';
import { serveBackend, silentLog } from '../../../../src-main/backends/serving/index.ts';
import {
  ContentService,
  Shelf,
  type UploadContentRequestSchema,
} from '../../../../src-shared/gen/campaign/v1/content_pb.js';
import { campaignClients, startTestCampaign, type TestCampaign } from '../../../support/campaign.ts';
import { campaignParts, partsCampaignId } from '../../../support/campaign-parts.ts';
import { s3Credentials, startS3Server } from '../../../support/s3-server.ts';
import { requestCountText, sweepRequests } from '../../../support/sweeps.ts';

// BCK-023: generated media.

type Described = { name: string; shelf?: Shelf; campaignId: string; contentType?: string };

async function* uploadOf(
  piece: Described,
  bytes: Uint8Array,
): AsyncGenerator<MessageInitShape<typeof UploadContentRequestSchema>> {
  yield {
    part: {
      case: 'content',
      value: { shelf: Shelf.MEDIA, contentType: 'audio/mpeg', ...piece },
    },
  };
  for (let at = 0; at < bytes.length; at += 50_000)
    yield { part: { case: 'chunk', value: bytes.subarray(at, at + 50_000) } };
}

const size = 200_000;
const bytes = randomBytes(size);
let folder: string;
let campaign: TestCampaign;
let mira: ReturnType<typeof campaignClients>;
let omar: ReturnType<typeof campaignClients>;
let token: string;
let otherToken: string;
let campaignId: string;
const agent = new Agent({ connections: 16, pipelining: 1 });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'campaign-media-'));
  campaign = await startTestCampaign({
    CAMPAIGN_MEDIA_DIR: folder,
    PLATFORM_ENVELOPE_KEK: randomBytes(32).toString('base64'),
  });
  token = (await campaign.signIn('mira@example.com')).accessToken;
  otherToken = (await campaign.signIn('omar@example.com')).accessToken;
  mira = campaignClients(campaign.url, token);
  omar = campaignClients(campaign.url, otherToken);
  const created = await mira.campaigns.createCampaign({ name: 'Spring sale', goal: '' });
  campaignId = created.campaign?.id ?? '';
  await mira.content.uploadContent(uploadOf({ name: 'song.mp3', campaignId }, bytes));
  await mira.content.uploadContent(
    uploadOf({ name: 'page.html', campaignId, shelf: Shelf.CREATIVES, contentType: 'text/html' }, bytes),
  );
  await mira.content.uploadContent(
    uploadOf({ name: 'empty.txt', campaignId, contentType: 'text/plain' }, new Uint8Array()),
  );
});
afterAll(async () => {
  await agent.close();
  await campaign.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(`${campaign.url}${path}`, { method, headers });
const asMira = () => ({ authorization: `Bearer ${token}` });

describe('a piece of content', () => {
  it.each([
    ['its bearer token', () => asMira()],
    ['its cookie', () => ({ cookie: `campaign_session=${token}` })],
  ])("is decrypted for the owner's session by %s (BCK-023)", async (_, headers) => {
    const answer = await get('/media/song.mp3', headers());
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(size),
      'content-disposition': 'inline; filename="song.mp3"',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });

  it('is never run as a page of this origin: HTML is to be saved, in a sandbox without scripts', async () => {
    const answer = await get('/creatives/page.html', asMira());
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="page.html"');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox$/);
    await answer.body?.cancel();
  });

  it('is refused with 401 without a session', async () => {
    for (const path of ['/media/song.mp3', '/media/not-there', '/media/%2e%2e%2fx']) {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await answer.json()).toEqual({ error: expect.stringMatching(/^This needs a session/) });
    }
  });

  it("is 404 in the same words for another person's, another shelf's, an unknown and an impossible name", async () => {
    const words = new Set<string>();
    for (const [path, bearer] of [
      ['/media/song.mp3', otherToken],
      ['/media/nothing.mp3', otherToken],
      ['/creatives/song.mp3', token],
      ['/media/..%2Fmedia%2Fsong.mp3', token],
      ['/media/%', token],
      ['/media/song.mp3%00', token],
      [`/media/${'x'.repeat(200)}`, token],
    ] as const) {
      const answer = await get(path, { authorization: `Bearer ${bearer}` });
      expect([path, answer.status]).toEqual([path, 404]);
      words.add(await answer.text());
    }
    expect([...words]).toEqual(['{"error":"You have no content of that name on this shelf."}']);
  });

  it('is answered to HEAD without its bytes', async () => {
    const answer = await get('/media/song.mp3', { ...asMira(), range: 'bytes=0-9' }, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      String(size),
      '',
    ]);
  });

  it('is not sent again to who has it', async () => {
    const etag = (await get('/media/song.mp3', asMira(), 'HEAD')).headers.get('etag') ?? '';
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await get('/media/song.mp3', { ...asMira(), 'if-none-match': header });
      expect([header, answer.status, await answer.text()]).toEqual([header, 304, '']);
    }
    const stale = await get('/media/song.mp3', { ...asMira(), 'if-none-match': '"other"' }, 'HEAD');
    expect(stale.status).toBe(200);
  });

  it('of no bytes is answered, and has no range', async () => {
    const whole = await get('/media/empty.txt', asMira());
    expect([whole.status, await whole.text()]).toEqual([200, '']);
    expect((await get('/media/empty.txt', { ...asMira(), range: 'bytes=0-' })).status).toBe(416);
  });
});

describe('a range of a piece (RFC 9110, 14)', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=10-65999', 10, 66_000],
    ['bytes=65536-131071', 65_536, 131_072],
    ['bytes=199999-', 199_999, size],
    ['bytes=-7', size - 7, size],
    ['bytes=-999999', 0, size],
    ['bytes=100-99999999999999999999', 100, size],
    ['BYTES=5-6', 5, 7],
  ])('%s is bytes %i up to %i', async (range, start, end) => {
    const answer = await get('/media/song.mp3', { ...asMira(), range });
    expect([
      answer.status,
      answer.headers.get('content-range'),
      answer.headers.get('content-length'),
    ]).toEqual([206, `bytes ${start}-${end - 1}/${size}`, String(end - start)]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
  });

  it.each(['bytes=200000-', 'bytes=999999999999999999999-', 'bytes=-0'])(
    '%s cannot be satisfied',
    async (range) => {
      const answer = await get('/media/song.mp3', { ...asMira(), range });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
      expect(await answer.json()).toEqual({ error: expect.stringContaining(`has ${size} bytes`) });
    },
  );

  it.each(['bytes=5-4', 'bytes=0-1,3-4', 'items=0-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes 0-1'])(
    '%s is ignored',
    async (range) => {
      const answer = await get('/media/song.mp3', { ...asMira(), range });
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(size)]);
      await answer.body?.cancel();
    },
  );

  it('counts only for the version If-Range names', async () => {
    const etag = (await get('/media/song.mp3', asMira(), 'HEAD')).headers.get('etag') ?? '';
    const statusFor = async (ifRange: string) => {
      const answer = await get('/media/song.mp3', { ...asMira(), range: 'bytes=0-1', 'if-range': ifRange });
      await answer.body?.cancel();
      return answer.status;
    };
    expect(await statusFor(etag)).toBe(206);
    expect(await statusFor('"other"')).toBe(200);
    expect(await statusFor(`W/${etag}`)).toBe(200);
    expect(await statusFor(new Date().toUTCString())).toBe(200);
  });
});

describe('a server-signed address (BCK-023)', () => {
  const sign = async (name = 'song.mp3', seconds = 60) =>
    (await mira.content.signContentUrl({ shelf: Shelf.MEDIA, name, seconds })).url;

  it('needs no session', async () => {
    const answer = await get(await sign(), { range: 'bytes=0-99' });
    expect([answer.status, answer.headers.get('cross-origin-resource-policy')]).toEqual([
      206,
      'cross-origin',
    ]);
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(0, 100))).toBe(true);
  });

  it.each([
    ['another name', (url: string) => url.replace('song.mp3', 'empty.txt')],
    ['another shelf', (url: string) => url.replace('/media/', '/creatives/')],
    ['a later expiry', (url: string) => url.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 1}`)],
    ['no expiry', (url: string) => url.replace(/expires=\d+&/, '')],
    ['another signature', (url: string) => url.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))],
    ['a short signature', (url: string) => url.slice(0, -4)],
    ['no signature', (url: string) => url.replace(/&signature=.*/, '')],
  ])('is refused with %s', async (_, change) => {
    expect((await get(change(await sign()))).status).toBe(401);
  });

  it('ends when it says, in words', async () => {
    const url = await sign('song.mp3', 60);
    campaign.advance(61_000);
    const answer = await get(url);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({
      error: expect.stringMatching(/^This address has expired or was changed/),
    });
  });

  it.each([
    [{ shelf: Shelf.MEDIA, name: 'song.mp3', seconds: 59 }, Code.InvalidArgument],
    [{ shelf: Shelf.MEDIA, name: 'song.mp3', seconds: 604_801 }, Code.InvalidArgument],
    [{ shelf: Shelf.MEDIA, name: 'song.mp3', seconds: -1 }, Code.InvalidArgument],
    [{ shelf: Shelf.UNSPECIFIED, name: 'song.mp3' }, Code.InvalidArgument],
    [{ shelf: Shelf.MEDIA, name: 'nothing' }, Code.NotFound],
  ])('is not given for %j', async (asked, code) => {
    await expect(mira.content.signContentUrl(asked)).rejects.toMatchObject({ code });
  });

  it("is not given for another person's piece, nor without a session", async () => {
    const asked = { shelf: Shelf.MEDIA, name: 'song.mp3' };
    await expect(omar.content.signContentUrl(asked)).rejects.toMatchObject({ code: Code.NotFound });
    await expect(campaignClients(campaign.url).content.signContentUrl(asked)).rejects.toMatchObject({
      code: Code.Unauthenticated,
    });
  });
});

describe('what is not as it was sealed (refused, never a partial plaintext)', () => {
  /** The sealed file of a new piece. */
  async function sealedFile(name: string): Promise<string> {
    const before = new Set(readdirSync(join(folder, 'media')));
    await mira.content.uploadContent(uploadOf({ name, campaignId }, bytes));
    const added = readdirSync(join(folder, 'media')).find((file) => !before.has(file));
    return join(folder, 'media', added ?? '');
  }
  const flip = (file: string, at: number): void => {
    const sealed = readFileSync(file);
    sealed[at] = (sealed[at] ?? 0) ^ 1;
    writeFileSync(file, sealed);
  };

  it('a file with a flipped bit in its beginning, in its end, or renamed is 500 in words, with none of its bytes', async () => {
    const changes: Record<string, (file: string) => void> = {
      'first.mp3': (file) => flip(file, 100),
      'last.mp3': (file) => flip(file, readFileSync(file).length - 20),
      'cut.mp3': (file) => writeFileSync(file, readFileSync(file).subarray(0, 100_000)),
      'renamed.mp3': (file) => {
        const other = readdirSync(join(folder, 'creatives'))[0] ?? '';
        renameSync(join(folder, 'creatives', other), file);
      },
      'gone.mp3': (file) => rmSync(file),
    };
    for (const [name, change] of Object.entries(changes)) {
      change(await sealedFile(name));
      const answer = await get(`/media/${name}`, asMira());
      expect([name, answer.status, await answer.json()]).toEqual([
        name,
        500,
        {
          error: expect.stringMatching(
            /^This content is damaged in the store and nothing of it is given out/,
          ),
        },
      ]);
    }
    expect(campaign.log).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'a sealed object does not open: restore it from a copy',
        fields: expect.objectContaining({ name: 'first.mp3' }),
      }),
    );
  });

  it('a flipped bit in the middle cuts the connection before any byte of its frame', async () => {
    const file = await sealedFile('middle.mp3');
    flip(file, 68 + 2 * (65_536 + 16) + 9);
    const answer = await get('/media/middle.mp3', asMira());
    expect(answer.headers.get('content-length')).toBe(String(size));
    const received: Uint8Array[] = [];
    await expect(async () => {
      for await (const chunk of answer.body ?? []) received.push(chunk);
    }).rejects.toThrow();
    const got = Buffer.concat(received);
    expect(got.length).toBeLessThanOrEqual(2 * 65_536);
    expect(got.equals(bytes.subarray(0, got.length))).toBe(true);
    const range = await get('/media/middle.mp3', { ...asMira(), range: 'bytes=131072-131080' });
    expect(range.status).toBe(500);
    const before = await get('/media/middle.mp3', { ...asMira(), range: 'bytes=131000-131071' });
    expect(Buffer.from(await before.arrayBuffer()).equals(bytes.subarray(131_000, 131_072))).toBe(true);
  });
});

describe('a piece of content over HTTP/2', () => {
  /** One request on a connection of its own: its status, its bytes, and whether the stream was cut. */
  const read = async (headers: Record<string, string>) => {
    const session = connect(campaign.url);
    const stream = session.request({ ...asMira(), ...headers });
    const [head] = await once(stream, 'response');
    const chunks: Buffer[] = [];
    let isCut = false;
    try {
      for await (const chunk of stream) chunks.push(chunk as Buffer);
    } catch {
      isCut = true;
    }
    session.destroy();
    return { status: (head as { ':status': number })[':status'], body: Buffer.concat(chunks), isCut };
  };

  it('arrives whole, in ranges, and without its bytes for HEAD', async () => {
    const whole = await read({ ':path': '/media/song.mp3' });
    expect([whole.status, whole.body.equals(bytes), whole.isCut]).toEqual([200, true, false]);
    const part = await read({ ':path': '/media/song.mp3', range: 'bytes=65000-70000' });
    expect([part.status, part.body.equals(bytes.subarray(65_000, 70_001))]).toEqual([206, true]);
    const head = await read({ ':path': '/media/song.mp3', ':method': 'HEAD' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect((await read({ ':path': '/media/none.mp3' })).status).toBe(404);
  });

  it('is cut as well when a frame in its middle does not open', async () => {
    const answer = await read({ ':path': '/media/middle.mp3' });
    expect([answer.status, answer.body.length < size, answer.isCut]).toEqual([200, true, true]);
    expect(answer.body.equals(bytes.subarray(0, answer.body.length))).toBe(true);
  });
});

describe('campaign.v1.ContentService', () => {
  it('lists the pieces of a campaign of the caller', async () => {
    const { content } = await mira.content.listContent({ campaignId });
    expect(content.find(({ name }) => name === 'song.mp3')).toMatchObject({
      shelf: Shelf.MEDIA,
      campaignId,
      contentType: 'audio/mpeg',
      size: BigInt(size),
    });
    await expect(omar.content.listContent({ campaignId })).rejects.toMatchObject({ code: Code.NotFound });
  });

  it.each([
    ['a name with a slash', { name: 'a/b' }, Code.InvalidArgument],
    ['an empty name', { name: '' }, Code.InvalidArgument],
    ['a name that begins with a dot', { name: '.profile' }, Code.InvalidArgument],
    ['a program', { name: 'x', contentType: 'application/javascript' }, Code.InvalidArgument],
    ['a type with a line break', { name: 'x', contentType: 'text/plain\r\nx: y' }, Code.InvalidArgument],
    ['no shelf', { name: 'x', shelf: Shelf.UNSPECIFIED }, Code.InvalidArgument],
    ['an unknown campaign', { name: 'x', campaignId: 'c-none' }, Code.NotFound],
    ['a name that is taken', { name: 'song.mp3' }, Code.AlreadyExists],
  ])('refuses an upload with %s, and keeps nothing', async (_, piece, code) => {
    const before = readdirSync(join(folder, 'media')).length;
    await expect(mira.content.uploadContent(uploadOf({ campaignId, ...piece }, bytes))).rejects.toMatchObject(
      { code },
    );
    expect(readdirSync(join(folder, 'media')).length).toBe(before);
  });

  it('refuses an upload without its description first, and with a second one', async () => {
    const bare = async function* (): AsyncGenerator<MessageInitShape<typeof UploadContentRequestSchema>> {
      yield { part: { case: 'chunk', value: bytes } };
    };
    const twice = async function* (): AsyncGenerator<MessageInitShape<typeof UploadContentRequestSchema>> {
      yield* uploadOf({ name: 'twice.mp3', campaignId }, bytes);
      yield* uploadOf({ name: 'twice.mp3', campaignId }, bytes);
    };
    await expect(mira.content.uploadContent(bare())).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(mira.content.uploadContent(twice())).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect((await get('/media/twice.mp3', asMira())).status).toBe(404);
  });

  it('keeps nothing of an upload that breaks off', async () => {
    const before = readdirSync(join(folder, 'media')).length;
    const leaving = new AbortController();
    const upload = async function* (): AsyncGenerator<MessageInitShape<typeof UploadContentRequestSchema>> {
      yield* uploadOf({ name: 'half.mp3', campaignId }, bytes);
      leaving.abort();
      await new Promise(() => undefined);
    };
    await expect(mira.content.uploadContent(upload(), { signal: leaving.signal })).rejects.toMatchObject({
      code: Code.Canceled,
    });
    await expect.poll(() => readdirSync(join(folder, '.drafts'))).toEqual([]);
    expect(readdirSync(join(folder, 'media')).length).toBe(before);
    expect((await get('/media/half.mp3', asMira())).status).toBe(404);
  });

  it('keeps one of ten uploads of one name at once, whole', async () => {
    const before = readdirSync(join(folder, 'media')).length;
    const versions = Array.from({ length: 10 }, () => randomBytes(150_000));
    const outcomes = await Promise.allSettled(
      versions.map((version) =>
        mira.content.uploadContent(uploadOf({ name: 'race.mp3', campaignId }, version)),
      ),
    );
    const won = outcomes.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
    expect(won).toHaveLength(1);
    const answer = await get('/media/race.mp3', asMira());
    expect(Buffer.from(await answer.arrayBuffer()).equals(versions[won[0] ?? -1] ?? Buffer.alloc(0))).toBe(
      true,
    );
    expect(readdirSync(join(folder, 'media')).length).toBe(before + 1);
  });

  it('takes 16 uploads at once and refuses the next one until one of them has ended', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = async function* (
      number: number,
    ): AsyncGenerator<MessageInitShape<typeof UploadContentRequestSchema>> {
      yield* uploadOf({ name: `slow-${number}.mp3`, campaignId }, bytes);
      await finished;
    };
    const uploads = Array.from({ length: 16 }, (_, number) => mira.content.uploadContent(slow(number)));
    await expect.poll(() => readdirSync(join(folder, '.drafts')).length).toBe(16);
    const next = () => mira.content.uploadContent(uploadOf({ name: 'next.mp3', campaignId }, bytes));
    await expect(next()).rejects.toMatchObject({ code: Code.ResourceExhausted });
    finish();
    await Promise.all(uploads);
    expect((await next()).content?.size).toBe(BigInt(size));
  });

  it('refuses a piece above the largest size and keeps nothing of it', async () => {
    const { parts, caller, close } = await campaignParts();
    const serving = await serveBackend({
      listen: { host: '127.0.0.1', port: 0 },
      name: 'campaign backend',
      services: (router) => router.service(ContentService, contentService(parts, { largest: 100_000 })),
      contextValues: () => createContextValues().set(callerKey, async () => caller),
      plain: mediaRoutes(parts),
      log: silentLog,
    });
    const client = createClient(
      ContentService,
      createConnectTransport({ baseUrl: serving.url, httpVersion: '2' }),
    );
    const piece = { name: 'a.mp3', campaignId: partsCampaignId };
    await expect(client.uploadContent(uploadOf(piece, randomBytes(100_001)))).rejects.toMatchObject({
      code: Code.ResourceExhausted,
      rawMessage: 'The piece is larger than 100000 bytes; nothing of it was kept.',
    });
    expect((await fetch(`${serving.url}/media/a.mp3`)).status).toBe(404);
    await client.uploadContent(uploadOf(piece, randomBytes(100_000)));
    expect((await fetch(`${serving.url}/media/a.mp3`, { method: 'HEAD' })).status).toBe(200);
    await serving.close();
    await close();
  });
});

describe('content in an object store', () => {
  it('is sealed there, served in ranges, refused when it was changed, and 503 in words while the store is away', async () => {
    const s3 = await startS3Server();
    const stored = await startTestCampaign({
      OBJECTSTORE_ENDPOINT: s3.url,
      OBJECTSTORE_BUCKET: 'media',
      OBJECTSTORE_ACCESS_KEY_ID: s3Credentials.accessKeyId,
      OBJECTSTORE_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
      PLATFORM_ENVELOPE_KEK: randomBytes(32).toString('base64'),
    });
    const { accessToken } = await stored.signIn('mira@example.com');
    const clients = campaignClients(stored.url, accessToken);
    const made = await clients.campaigns.createCampaign({ name: 'Stored', goal: '' });
    await clients.content.uploadContent(
      uploadOf({ name: 'song.mp3', campaignId: made.campaign?.id ?? '' }, bytes),
    );
    const read = (range: string) =>
      fetch(`${stored.url}/media/song.mp3`, { headers: { authorization: `Bearer ${accessToken}`, range } });
    const part = await read('bytes=60000-150000');
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(60_000, 150_001))).toBe(true);
    const [key = '', object] = [...s3.objects].find(([name]) => name.startsWith('media/media/')) ?? [];
    expect(object?.includes(bytes.subarray(0, 100))).toBe(false);
    s3.fail = () => 503;
    const away = await read('bytes=0-1');
    expect([away.status, await away.json()]).toEqual([
      503,
      { error: expect.stringContaining('The store of this content does not answer') },
    ]);
    s3.fail = () => undefined;
    s3.objects.set(key, Buffer.concat([object ?? Buffer.alloc(0), Buffer.alloc(1)]));
    expect((await read('bytes=0-1')).status).toBe(500);
    await stored.close();
    await s3.close();
  });
});

describe(`${requestCountText} requests of any form`, () => {
  const ask = async (path: string, headers: Record<string, string>): Promise<number> => {
    const { statusCode, body } = await request(`${campaign.url}${path}`, { headers, dispatcher: agent });
    await body.dump();
    return statusCode;
  };
  const digits = fc.oneof(fc.nat(300_000).map(String), fc.constant(''), fc.bigInt({ min: 0n }).map(String));
  const ranges = fc.oneof(
    fc.tuple(digits, digits).map(([first, last]) => `bytes=${first}-${last}`),
    fc
      .array(
        fc.tuple(digits, digits).map((pair) => pair.join('-')),
        { maxLength: 30 },
      )
      .map((all) => `bytes=${all}`),
    fc.string({ unit: 'grapheme-ascii', maxLength: 300 }),
  );

  it('with any Range header answer 200, 206 or 416', async () => {
    const name = 'small.mp3';
    await mira.content.uploadContent(uploadOf({ name, campaignId }, bytes.subarray(0, 2000)));
    await sweepRequests(ranges, async (range) => {
      expect([200, 206, 416]).toContain(await ask(`/media/${name}`, { ...asMira(), range }));
    });
  });

  it('with any name and query answer 401 or 404', async () => {
    const segment = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }).map(encodeURIComponentOf),
      fc
        .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 })
        .map((text) => text.replace(/[\s#?]/g, '%')),
    );
    const query = fc
      .record({ expires: fc.string(), signature: fc.string() })
      .map((fields) => `${new URLSearchParams(fields)}`);
    await sweepRequests(fc.tuple(segment, query, fc.boolean()), async ([path, search, isSignedIn]) => {
      const status = await ask(`/media/x${path}?${search}`, isSignedIn ? asMira() : {});
      expect(status).toBe(isSignedIn ? 404 : 401);
    });
  });
});

/** Percent-encodes anything, halves of surrogate pairs too. */
function encodeURIComponentOf(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
