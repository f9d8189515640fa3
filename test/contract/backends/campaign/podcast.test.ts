import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { podcastFeed } from '../../../../src-main/backends/campaign/podcast/feed.ts';
import { Shelf, type UploadContentRequestSchema } from '../../../../src-shared/gen/campaign/v1/content_pb.js';
import { campaignClients, startTestCampaign, type TestCampaign } from '../../../support/campaign.ts';

// BCK-024: the podcast feed.

const base = 'https://campaign.example';
const podcastSpace = 'https://podcastindex.org/namespace/1.0';
const itunesSpace = 'http://www.itunes.com/dtds/podcast-1.0.dtd';
const bytes = randomBytes(90_000);
let campaign: TestCampaign;
let mira: ReturnType<typeof campaignClients>;
let campaignId: string;

beforeAll(async () => {
  campaign = await startTestCampaign({ CAMPAIGN_PUBLIC_BASE_URL: `${base}/` });
  mira = campaignClients(campaign.url, (await campaign.signIn('mira@example.com')).accessToken);
  campaignId = (await mira.campaigns.createCampaign({ name: 'Radio', goal: '' })).campaign?.id ?? '';
  await upload('one.mp3', 'audio/mpeg');
  await upload('two.ogg', 'audio/ogg');
  await upload('picture.png', 'image/png');
});
afterAll(() => campaign.close());

async function upload(name: string, contentType: string): Promise<void> {
  const requests = async function* (): AsyncGenerator<MessageInitShape<typeof UploadContentRequestSchema>> {
    yield { part: { case: 'content', value: { name, shelf: Shelf.MEDIA, campaignId, contentType } } };
    yield { part: { case: 'chunk', value: bytes } };
  };
  await mira.content.uploadContent(requests());
}

/** The part of an element that these tests read. */
type Element = {
  readonly tagName: string;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getElementsByTagName(name: string): ArrayLike<Element>;
  getElementsByTagNameNS(space: string, name: string): ArrayLike<Element>;
};
// Its own types bring those of a browser along, which no program of Node has.
const { DOMParser } = createRequire(import.meta.url)('@xmldom/xmldom') as {
  DOMParser: new (options: {
    errorHandler: (level: string, message: string) => void;
  }) => { parseFromString(text: string, type: string): { readonly documentElement: Element } };
};

/** Parses strictly: any fault of the document throws. */
function parse(text: string): Element {
  const parser = new DOMParser({
    errorHandler: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  });
  expect(text).not.toMatch(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
  return parser.parseFromString(text, 'text/xml').documentElement;
}

const all = (node: Element, name: string): Element[] => Array.from(node.getElementsByTagName(name));
const texts = (node: Element, name: string): (string | null)[] =>
  all(node, name).map(({ textContent }) => textContent);

const feed = async (headers: Record<string, string> = {}) =>
  fetch(`${campaign.url}/podcast/feed.xml`, { headers });

describe('the podcast feed (BCK-024)', () => {
  it('is RSS 2.0 with its namespaces, open, and empty before an episode is published', async () => {
    const answer = await feed();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/rss+xml; charset=utf-8',
    ]);
    const root = parse(await answer.text());
    expect([root.tagName, root.getAttribute('version')]).toEqual(['rss', '2.0']);
    expect(texts(root, 'link')).toEqual([`${base}/`]);
    expect(texts(root, 'item')).toEqual([]);
    const self = root.getElementsByTagNameNS('http://www.w3.org/2005/Atom', 'link')[0];
    expect(self?.getAttribute('href')).toBe(`${base}/podcast/feed.xml`);
    expect(root.getElementsByTagNameNS(podcastSpace, 'guid')[0]?.textContent).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(root.getElementsByTagNameNS(itunesSpace, 'explicit')[0]?.textContent).toBe('false');
  });

  it('gives each episode an enclosure that its signed address reaches without a session', async () => {
    const title = 'Ends & beginnings <1> "quoted"';
    await mira.content.publishEpisode({
      shelf: Shelf.MEDIA,
      name: 'one.mp3',
      title,
      description: 'First\u0007 ]]>',
    });
    await mira.content.publishEpisode({ shelf: Shelf.MEDIA, name: 'two.ogg', title: 'Two', description: '' });
    const root = parse(await (await feed()).text());
    const items = all(root, 'item');
    expect(items).toHaveLength(2);
    const one = items.find((item) => texts(item, 'title')[0] === title);
    if (one === undefined) throw new Error('the first episode is not in the feed');
    expect(texts(one, 'description')).toEqual(['First\uFFFD ]]>']);
    expect(Number.isNaN(Date.parse(texts(one, 'pubDate')[0] ?? ''))).toBe(false);
    expect(one.getElementsByTagName('guid')[0]?.getAttribute('isPermaLink')).toBe('false');
    const enclosure = one.getElementsByTagName('enclosure')[0];
    expect([enclosure?.getAttribute('length'), enclosure?.getAttribute('type')]).toEqual([
      '90000',
      'audio/mpeg',
    ]);
    const address = new URL(enclosure?.getAttribute('url') ?? '');
    expect(address.origin).toBe(base);
    const sound = await fetch(`${campaign.url}${address.pathname}${address.search}`);
    expect(Buffer.from(await sound.arrayBuffer()).equals(bytes)).toBe(true);
    expect(new Set(items.map((item) => texts(item, 'guid')[0])).size).toBe(2);
  });

  it('is not sent again within the day to who has it, and names a fresh address for weeks to come', async () => {
    const answer = await feed();
    const etag = answer.headers.get('etag') ?? '';
    const again = await feed({ 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const guidsOf = (text: string) => texts(parse(text), 'guid');
    const before = await answer.text();
    const old = /url="([^"]+)"/.exec(before)?.[1]?.replaceAll('&amp;', '&').replace(base, campaign.url) ?? '';
    campaign.advance(29 * 24 * 3_600_000);
    expect((await fetch(old, { method: 'HEAD' })).status).toBe(200);
    const after = await (await feed({ 'if-none-match': etag })).text();
    expect(after).not.toBe(before);
    expect(guidsOf(after)).toEqual(guidsOf(before));
    campaign.advance(3 * 24 * 3_600_000);
    expect((await fetch(old, { method: 'HEAD' })).status).toBe(401);
    campaign.advance(-32 * 24 * 3_600_000);
  });

  it('names its cover where CAMPAIGN_PODCAST_IMAGE_URL does, and none otherwise', async () => {
    const covers = async (of: TestCampaign) => {
      const root = parse(await (await fetch(`${of.url}/podcast/feed.xml`)).text());
      const channel = root.getElementsByTagName('channel')[0] ?? root;
      return Array.from(channel.getElementsByTagNameNS(itunesSpace, 'image')).map((image) =>
        image.getAttribute('href'),
      );
    };
    expect(await covers(campaign)).toEqual([]);
    const image = 'https://cdn.example/cover.jpg?v=2&size=3000';
    const env = { CAMPAIGN_PUBLIC_BASE_URL: base, CAMPAIGN_PODCAST_IMAGE_URL: image };
    const other = await startTestCampaign(env, campaign.issuer);
    expect(await covers(other)).toEqual([image]);
    await other.close();
    for (const value of ['cover.jpg', 'ftp://a/b.jpg', 'https://user:canary@a.example/b.jpg'])
      await expect(startTestCampaign({ CAMPAIGN_PODCAST_IMAGE_URL: value }, campaign.issuer)).rejects.toThrow(
        /^CAMPAIGN_PODCAST_IMAGE_URL must be(?!.*canary)/,
      );
  });

  it('answers HEAD with its length', async () => {
    const answer = await fetch(`${campaign.url}/podcast/feed.xml`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(500);
  });

  it('is 503 in words without CAMPAIGN_PUBLIC_BASE_URL', async () => {
    const bare = await startTestCampaign();
    const answer = await fetch(`${bare.url}/podcast/feed.xml`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { error: expect.stringContaining('set CAMPAIGN_PUBLIC_BASE_URL') },
    ]);
    await bare.close();
  });

  it('stays well-formed and keeps what XML can say of 2,000 titles and descriptions', () => {
    const kept = (text: string) =>
      text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}');
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.string({
        unit: fc.constantFrom('<', '>', '&', '"', "'", ']]>', '\0', '\ud800', '\r', 'a'),
        minLength: 1,
      }),
    );
    fc.assert(
      fc.property(text, text, (title, description) => {
        const episode = {
          name: 'a.mp3',
          shelf: 'media' as const,
          campaignId: 'c',
          owner: 'u',
          contentType: 'audio/mpeg',
          size: 1,
          createdAt: 0,
          publishedAt: 0,
          title,
          description,
          object: 'media/a',
        };
        const root = parse(podcastFeed({ baseUrl: base, addressKey: bytes, episodes: [episode], now: 0 }));
        const [item] = all(root, 'item');
        if (item === undefined) throw new Error('there is no item');
        // A parser reads every line break as one (XML 1.1, 2.11); the text is otherwise the same.
        const asRead = (words: string) => kept(words).replace(/\r[\n\u{85}]|[\r\u{85}\u{2028}]/gu, '\n');
        expect(texts(item, 'title')).toEqual([asRead(title)]);
        expect(texts(item, 'description')).toEqual([asRead(description)]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('campaign.v1.ContentService/PublishEpisode', () => {
  it.each([
    ['a picture', { name: 'picture.png', title: 'A' }, Code.FailedPrecondition],
    ['no title', { name: 'one.mp3', title: '' }, Code.InvalidArgument],
    ['a title of 201 characters', { name: 'one.mp3', title: 'x'.repeat(201) }, Code.InvalidArgument],
    ['a title that cannot be stored', { name: 'one.mp3', title: 'a\0' }, Code.InvalidArgument],
    ['an unknown piece', { name: 'none.mp3', title: 'A' }, Code.NotFound],
  ])('refuses %s', async (_, asked, code) => {
    await expect(mira.content.publishEpisode({ shelf: Shelf.MEDIA, ...asked })).rejects.toMatchObject({
      code,
    });
  });

  it('takes 200 characters, however many bytes they have', async () => {
    const title = '\u{1F399}'.repeat(200);
    const { content } = await mira.content.publishEpisode({ shelf: Shelf.MEDIA, name: 'two.ogg', title });
    expect(content?.publishedAt).toBeDefined();
  });
});
