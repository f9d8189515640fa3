import { createHash } from 'node:crypto';
import { matchesTag, type PlainRoute, RouteRefused, writeHead } from '../../serving/index.ts';
import type { CampaignParts } from '../parts.ts';
import { podcastFeed } from './feed.ts';

/** Most episodes a feed names, the newest: what platforms read at most. */
const mostEpisodes = 300;

/**
 * GET `/podcast/feed.xml` (BCK-024): open on purpose, for podcast platforms poll it. 503 in words without
 * `CAMPAIGN_PUBLIC_BASE_URL`, because its addresses must be reachable from outside.
 */
export function podcastRoutes(parts: CampaignParts): PlainRoute[] {
  const { config, store, addressKey, now } = parts;
  return [
    {
      method: 'GET',
      path: '/podcast/feed.xml',
      async answer(request, response) {
        if (config.publicBaseUrl === undefined) {
          throw new RouteRefused(
            503,
            'The podcast feed needs the address this backend is reached at from outside: set CAMPAIGN_PUBLIC_BASE_URL and start it again.',
          );
        }
        const feed = podcastFeed({
          baseUrl: config.publicBaseUrl,
          addressKey,
          imageUrl: config.podcastImageUrl,
          episodes: await store.content.published(mostEpisodes),
          now: now(),
        });
        const etag = `"${createHash('sha256').update(feed).digest('base64url').slice(0, 22)}"`;
        const headers = { etag, 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' };
        if (matchesTag(request.headers['if-none-match'], etag)) {
          writeHead(response, 304, headers);
          response.end();
          return;
        }
        writeHead(response, 200, {
          ...headers,
          'content-type': 'application/rss+xml; charset=utf-8',
          'content-length': String(Buffer.byteLength(feed)),
        });
        // Node leaves the body of a HEAD out.
        response.end(feed);
      },
    },
  ];
}
