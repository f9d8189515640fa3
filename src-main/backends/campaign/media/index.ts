import {
  SealBroken,
  type SealedObject,
  type SealedStore,
  StorageUnavailable,
  startingWith,
} from '../../sealed/index.ts';
import {
  type AnyRequest,
  type AnyResponse,
  matchesTag,
  type PlainRoute,
  RouteRefused,
  writeHead,
} from '../../serving/index.ts';
import { type CampaignParts, type ContentShelf, noSession, type StoredContent } from '../parts.ts';
import { contentHeaders, isContentName } from './kinds.ts';
import { mediaStore } from './media-store.ts';
import { type AskedRange, readRange } from './range.ts';
import { sendPieces } from './send-pieces.ts';
import { isSignedFor } from './signed-address.ts';

export { contentService } from './content-service.ts';
export { mediaStore } from './media-store.ts';

/**
 * GET and HEAD of `/creatives/<name>` and `/media/<name>` (BCK-023): decrypted from the sealed store for the owner's
 * session or a signed address. 401 without either; 404 alike for what is not there and for what is another person's.
 *
 * Name, key, length, and the first frame of what is asked for are verified before the answer begins, every other frame before it is sent. When
 * one does not open, the connection is cut: the reader has fewer bytes than the head announced, and none that were not sealed.
 */
export function mediaRoutes(parts: CampaignParts): PlainRoute[] {
  const store = mediaStore(parts);
  return (['creatives', 'media'] as const).map((shelf) => ({
    method: 'GET',
    path: `/${shelf}/*`,
    answer: (request, response, rest) => answerContent({ parts, store, shelf }, request, response, rest),
  }));
}

type Shelf = { readonly parts: CampaignParts; readonly store: SealedStore; readonly shelf: ContentShelf };

async function answerContent(
  { parts, store, shelf }: Shelf,
  request: AnyRequest,
  response: AnyResponse,
  rest: string,
): Promise<void> {
  const { content, isSigned } = await findAllowed({ parts, store, shelf }, request, rest);
  let object: SealedObject | undefined;
  try {
    object = await store.open(content.object);
    if (object === undefined || object.size !== content.size) throw new SealBroken(content.object);
    await answerObject(request, response, { content, object, isSigned });
  } catch (error) {
    throw refusalOf(error, parts, content);
  } finally {
    await object?.close();
  }
}

/** The piece a request may read. Throws 401 or 404. */
async function findAllowed(
  { parts, shelf }: Shelf,
  request: AnyRequest,
  rest: string,
): Promise<{ content: StoredContent; isSigned: boolean }> {
  const name = decoded(rest);
  const query = new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));
  const isSigned = isContentName(name) && isSignedFor(parts.addressKey, { shelf, name }, query, parts.now());
  const caller = isSigned ? undefined : await parts.callerOf(request);
  if (!isSigned && caller === undefined) {
    const sentence = query.has('signature')
      ? 'This address has expired or was changed: ask for a new one, or sign in as the owner.'
      : noSession;
    throw new RouteRefused(401, sentence, { 'www-authenticate': 'Bearer' });
  }
  const content = isContentName(name) ? await parts.store.content.find(shelf, name) : undefined;
  if (content === undefined || (!isSigned && content.owner !== caller?.userId))
    throw new RouteRefused(404, 'You have no content of that name on this shelf.');
  return { content, isSigned };
}

type Piece = {
  readonly content: StoredContent;
  readonly object: SealedObject;
  readonly isSigned: boolean;
};

async function answerObject(
  request: AnyRequest,
  response: AnyResponse,
  { content, object, isSigned }: Piece,
): Promise<void> {
  const etag = `"${object.version}"`;
  const headers = {
    ...contentHeaders(content.contentType, content.name),
    etag,
    'last-modified': new Date(content.createdAt).toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    // Players of other origins read signed addresses; what a session opens is for this backend's own pages.
    'cross-origin-resource-policy': isSigned ? 'cross-origin' : 'same-origin',
  };
  if (matchesTag(request.headers['if-none-match'], etag)) {
    writeHead(response, 304, headers);
    response.end();
    return;
  }
  const requested = requestedRange(request, etag, object.size);
  if (requested.kind === 'unsatisfiable') {
    throw new RouteRefused(416, `This content has ${object.size} bytes and none of those asked for.`, {
      'content-range': `bytes */${object.size}`,
    });
  }
  const { start, end } = requested.kind === 'part' ? requested : { start: 0, end: object.size };
  const pieces = object.read(start, end);
  try {
    // Before the head: an object broken at its beginning is refused with a message.
    const first = await pieces.next();
    writeHead(response, requested.kind === 'part' ? 206 : 200, {
      ...headers,
      'content-length': String(end - start),
      ...(requested.kind === 'part' ? { 'content-range': `bytes ${start}-${end - 1}/${object.size}` } : {}),
    });
    if (request.method === 'HEAD') response.end();
    else await sendPieces(response, first.done === true ? pieces : startingWith(first.value, pieces));
  } finally {
    await pieces.return();
  }
}

/** A range counts for GET alone (RFC 9110, 14.2), and only of the version `If-Range` names (13.1.5); a date there names none surely. */
function requestedRange(request: AnyRequest, etag: string, size: number): AskedRange {
  const ifRange = request.headers['if-range'];
  if (request.method !== 'GET' || (ifRange !== undefined && ifRange !== etag)) return { kind: 'whole' };
  return readRange(request.headers.range, size);
}

function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest);
  } catch {
    return '';
  }
}

/** A store failure is reported and logged; a refusal and any other error stay what they are. */
function refusalOf(error: unknown, { log }: CampaignParts, { shelf, name }: StoredContent): unknown {
  if (error instanceof SealBroken) {
    log.error({ err: error, shelf, name }, 'a sealed object does not open: restore it from a copy');
    return new RouteRefused(
      500,
      'This content is damaged in the store and nothing of it is given out: its operator finds the fault in the log.',
    );
  }
  if (error instanceof StorageUnavailable) {
    log.error({ err: error, shelf, name }, 'the sealed store does not serve');
    return new RouteRefused(503, 'The store of this content does not answer: try again in a moment.', {
      'retry-after': '5',
    });
  }
  return error;
}
