import { signedAddress } from '../media/signed-address.ts';
import type { StoredContent } from '../parts.ts';
import { podcastNamespace, uuidV5 } from './uuid-v5.ts';
import { type XmlElement, xmlDocument } from './xml.ts';

const daySeconds = 24 * 60 * 60;
/**
 * Lifetime of an enclosure's address, in days. Platforms fetch an episode days after they saw it in the feed;
 * the feed names another address every day, so that a poll within the day finds it unchanged. The guid
 * identifies the episode.
 */
const enclosureDays = 30;

export type FeedOptions = {
  /** `https://host`, without a slash at the end. */
  readonly baseUrl: string;
  readonly addressKey: Buffer;
  /** Address of the podcast's cover. */
  readonly imageUrl?: string | undefined;
  /** Published pieces of sound, most recently published first. */
  readonly episodes: readonly StoredContent[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

/**
 * The podcast feed: RSS 2.0 (https://www.rssboard.org/rss-specification) with the elements of Apple's namespace and of the podcast
 * namespace. What nobody has said of the podcast, such as a cover or an author, is left out.
 */
export function podcastFeed(options: FeedOptions): string {
  const { baseUrl, episodes, imageUrl } = options;
  const feedUrl = `${baseUrl}/podcast/feed.xml`;
  const guid = uuidV5(podcastNamespace, feedUrl.replace(/^[a-z]+:\/\//, ''));
  const { host } = new URL(baseUrl);
  const [newest] = episodes;
  return xmlDocument({
    name: 'rss',
    attributes: {
      version: '2.0',
      'xmlns:atom': 'http://www.w3.org/2005/Atom',
      'xmlns:itunes': 'http://www.itunes.com/dtds/podcast-1.0.dtd',
      'xmlns:podcast': 'https://podcastindex.org/namespace/1.0',
    },
    content: [
      {
        name: 'channel',
        content: [
          text('title', `Podcast of ${host}`),
          text('link', `${baseUrl}/`),
          text('description', `Episodes published at ${host}.`),
          text('language', 'en'),
          {
            name: 'atom:link',
            attributes: { href: feedUrl, rel: 'self', type: 'application/rss+xml' },
          },
          ...(newest === undefined ? [] : [text('lastBuildDate', dateOf(newest.publishedAt))]),
          ...(imageUrl === undefined ? [] : [{ name: 'itunes:image', attributes: { href: imageUrl } }]),
          text('itunes:type', 'episodic'),
          text('itunes:explicit', 'false'),
          {
            name: 'itunes:category',
            attributes: { text: 'Business' },
            content: [{ name: 'itunes:category', attributes: { text: 'Marketing' } }],
          },
          text('podcast:guid', guid),
          text('podcast:medium', 'podcast'),
          text('podcast:locked', 'yes'),
          ...episodes.map((episode) => item(options, guid, episode)),
        ],
      },
    ],
  });
}

function item(
  { baseUrl, addressKey, now }: FeedOptions,
  feedGuid: string,
  episode: StoredContent,
): XmlElement {
  const expires = (Math.floor(now / 1000 / daySeconds) + 1 + enclosureDays) * daySeconds;
  return {
    name: 'item',
    content: [
      text('title', episode.title),
      ...(episode.description === '' ? [] : [text('description', episode.description)]),
      {
        name: 'enclosure',
        attributes: {
          url: `${baseUrl}${signedAddress(addressKey, episode, expires)}`,
          length: String(episode.size),
          type: episode.contentType,
        },
      },
      {
        name: 'guid',
        attributes: { isPermaLink: 'false' },
        // A piece is never replaced by another of its name, so its place is its identity for good.
        content: uuidV5(feedGuid, `${episode.shelf}/${episode.name}`),
      },
      text('pubDate', dateOf(episode.publishedAt)),
      text('itunes:title', episode.title),
      text('itunes:episodeType', 'full'),
    ],
  };
}

function text(name: string, content: string): XmlElement {
  return { name, content };
}

/** As RFC 822 writes it, with the year in full. */
function dateOf(ms: number | undefined): string {
  return new Date(ms ?? 0).toUTCString();
}
