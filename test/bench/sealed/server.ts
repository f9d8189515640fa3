import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { mediaRoutes, mediaStore } from '../../../src-main/backends/campaign/media/index.ts';
import { type PlainRoute, serveBackend, silentLog } from '../../../src-main/backends/serving/index.ts';
import { campaignParts, partsCampaignId } from '../../support/campaign-parts.ts';
import { filmOf } from './film.ts';

// The media routes of the campaign backend as a process of its own, so that its memory is its own; and the same bytes unsealed, for a
// measure of what the seal costs. Tells its parent where it listens, and then its memory whenever it is asked.

const size = z.coerce.number().int().parse(process.argv[2]);
const { parts, caller, close } = await campaignParts();
if (parts.mediaLocation.kind !== 'folder') throw new Error('the media are not in a folder');
const plainFile = join(parts.mediaLocation.dir, 'film');
await writeFile(plainFile, filmOf(size));
await mediaStore(parts).put('media/film', filmOf(size));
await parts.store.content.add({
  name: 'film',
  shelf: 'media',
  campaignId: partsCampaignId,
  owner: caller.userId,
  contentType: 'video/mp4',
  size,
  createdAt: 0,
  publishedAt: undefined,
  title: '',
  description: '',
  object: 'media/film',
});

const plain: PlainRoute = {
  method: 'GET',
  path: '/plain',
  async answer(request, response) {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const out: Writable = response;
    await pipeline(createReadStream(plainFile, { start: Number(start), end: Number(end) }), out);
  },
};
const serving = await serveBackend({
  listen: { host: '127.0.0.1', port: 0 },
  name: 'campaign backend',
  services: () => undefined,
  plain: [...mediaRoutes(parts), plain],
  log: silentLog,
});

let most = 0;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 20);
process.on('message', (message) => {
  if (message === 'memory') {
    const now = process.memoryUsage.rss();
    process.send?.({ most: Math.max(most, now), now });
    most = 0;
  } else {
    clearInterval(watch);
    void serving
      .close()
      .then(close)
      .then(() => process.disconnect());
  }
});
process.send?.({ url: serving.url });
