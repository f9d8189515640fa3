import { randomBytes } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import {
  type ContentSchema,
  type ContentService,
  type NewContent,
  Shelf,
  type UploadContentRequest,
} from '#shared/gen/campaign/v1/content_pb.js';
import { storableText } from '../../../store/index.ts';
import { type SealedStore, StorageUnavailable } from '../../sealed/index.ts';
import { type CampaignParts, type ContentShelf, caller, type StoredContent } from '../parts.ts';
import { isContentName, isKeptType } from './kinds.ts';
import { mediaStore } from './media-store.ts';
import { signedAddress } from './signed-address.ts';

/** Largest piece, in bytes, unless told otherwise. */
const largestContent = 1024 ** 3;
/** Uploads at once, each with a few megabytes in memory, and how long one may send nothing, in milliseconds. */
const mostUploads = 16;
const uploadSilenceMs = 60_000;
/** Most pieces one campaign keeps: as many as a list holds. */
const mostContent = 500;
/** Limits of an episode's texts, in characters. */
const longestTitle = 200;
const longestDescription = 4000;
/** Shortest and longest lifetime of a signed address, in seconds (campaign.v1.SignContentUrlRequest). */
const shortestSign = 60;
const longestSign = 604_800;
const usualSign = 3600;

/** `campaign.v1.ContentService`: a person's own content, its bytes in the sealed store. */
export function contentService(
  parts: CampaignParts,
  options: {
    /** Largest piece, in bytes. Default 1 GiB. */
    readonly largest?: number;
  } = {},
): ServiceImpl<typeof ContentService> {
  const { store, now } = parts;
  const sealed = mediaStore(parts);
  let uploads = 0;

  const keep = async (
    userId: string,
    incoming: AsyncIterator<UploadContentRequest>,
  ): Promise<StoredContent> => {
    const piece = await described(incoming);
    await ownCampaign(parts, userId, piece.campaignId);
    if ((await store.content.count(userId, piece.campaignId)) >= mostContent) {
      throw new ConnectError(
        `This campaign has ${mostContent} pieces of content, the most it keeps.`,
        Code.ResourceExhausted,
      );
    }
    if ((await store.content.find(piece.shelf, piece.name)) !== undefined) throw taken(piece);
    const object = `${piece.shelf}/${randomBytes(16).toString('hex')}`;
    const bytes = chunks(incoming, options.largest ?? largestContent);
    const content: StoredContent = {
      ...piece,
      owner: userId,
      size: await sealBytes(parts, sealed, object, bytes),
      createdAt: now(),
      publishedAt: undefined,
      title: '',
      description: '',
      object,
    };
    let isAdded = false;
    try {
      isAdded = await store.content.add(content);
    } finally {
      // Nothing names what was sealed: another upload was first, or the store failed.
      if (!isAdded) await sealed.remove(object);
    }
    if (!isAdded) throw taken(piece);
    return content;
  };

  return {
    async listContent({ campaignId }, context) {
      const { userId } = await caller(context);
      await ownCampaign(parts, userId, campaignId);
      const content = await store.content.list(userId, campaignId);
      return { content: content.map(message) };
    },

    async uploadContent(requests, context) {
      const { userId } = await caller(context);
      if (uploads >= mostUploads) {
        throw new ConnectError(
          `${mostUploads} pieces are being uploaded: try again in a moment.`,
          Code.ResourceExhausted,
        );
      }
      uploads += 1;
      try {
        return { content: message(await keep(userId, requests[Symbol.asyncIterator]())) };
      } finally {
        uploads -= 1;
      }
    },

    async signContentUrl({ shelf, name, seconds }, context) {
      const { userId } = await caller(context);
      if (seconds !== 0 && (seconds < shortestSign || seconds > longestSign)) {
        throw new ConnectError(
          `An address is good for ${shortestSign} to ${longestSign} seconds; 0 asks for ${usualSign}.`,
          Code.InvalidArgument,
        );
      }
      const content = await ownContent(parts, userId, shelf, name);
      const expires = Math.floor(now() / 1000) + (seconds === 0 ? usualSign : seconds);
      return {
        url: signedAddress(parts.addressKey, content, expires),
        expiresAt: timestampFromMs(expires * 1000),
      };
    },

    async publishEpisode({ shelf, name, title, description }, context) {
      const { userId } = await caller(context);
      checkText('title', title, 1, longestTitle);
      checkText('description', description, 0, longestDescription);
      const found = await ownContent(parts, userId, shelf, name);
      if (!found.contentType.startsWith('audio/')) {
        throw new ConnectError(
          `${name} is ${found.contentType}: only sound goes into the podcast feed.`,
          Code.FailedPrecondition,
        );
      }
      const content = await store.content.publish(userId, found.shelf, name, {
        title,
        description,
        at: now(),
      });
      if (content === undefined) throw unknownContent();
      return { content: message(content) };
    },
  };
}

type DescribedContent = Pick<StoredContent, 'name' | 'shelf' | 'campaignId' | 'contentType'>;

/** The description an upload begins with. Throws INVALID_ARGUMENT. */
async function described(incoming: AsyncIterator<UploadContentRequest>): Promise<DescribedContent> {
  const { done, value } = await nextOf(incoming);
  if (done === true || value.part.case !== 'content') {
    throw new ConnectError('An upload begins with the description of the piece.', Code.InvalidArgument);
  }
  const { name, shelf, campaignId, contentType }: NewContent = value.part.value;
  if (!isContentName(name)) {
    throw new ConnectError(
      'The name is 1 to 128 letters, digits, dots, hyphens and underscores, and begins with a letter or digit.',
      Code.InvalidArgument,
    );
  }
  if (!isKeptType(contentType)) {
    throw new ConnectError(
      'The content type is a picture, film, sound, text or PDF in lower case and without parameters, such as audio/mpeg.',
      Code.InvalidArgument,
    );
  }
  return { name, shelf: shelfOf(shelf), campaignId, contentType };
}

/** The bytes of an upload. Throws INVALID_ARGUMENT for a second description, RESOURCE_EXHAUSTED above `largest`. */
async function* chunks(
  incoming: AsyncIterator<UploadContentRequest>,
  largest: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for (let next = await nextOf(incoming); next.done !== true; next = await nextOf(incoming)) {
    const { part } = next.value;
    if (part.case !== 'chunk') {
      throw new ConnectError('After its description an upload holds bytes only.', Code.InvalidArgument);
    }
    size += part.value.length;
    if (size > largest) {
      throw new ConnectError(
        `The piece is larger than ${largest} bytes; nothing of it was kept.`,
        Code.ResourceExhausted,
      );
    }
    yield part.value;
  }
}

/** The next message of an upload. Throws DEADLINE_EXCEEDED when none comes for a minute. */
async function nextOf(
  incoming: AsyncIterator<UploadContentRequest>,
): Promise<IteratorResult<UploadContentRequest>> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new ConnectError('The upload sent nothing for 60 s; nothing was kept.', Code.DeadlineExceeded),
        ),
      uploadSilenceMs,
    );
  });
  try {
    return await Promise.race([incoming.next(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

async function sealBytes(
  { log }: CampaignParts,
  sealed: SealedStore,
  object: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  try {
    return await sealed.put(object, bytes);
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    log.error({ err: error }, 'the sealed store does not serve');
    throw new ConnectError(
      'The store of content does not answer; nothing was kept. Try again in a moment.',
      Code.Unavailable,
    );
  }
}

async function ownCampaign({ store }: CampaignParts, owner: string, id: string): Promise<void> {
  if ((await store.campaigns.find(owner, id)) === undefined)
    throw new ConnectError('You have no campaign with this id.', Code.NotFound);
}

async function ownContent(
  { store }: CampaignParts,
  owner: string,
  shelf: Shelf,
  name: string,
): Promise<StoredContent> {
  const content = isContentName(name) ? await store.content.find(shelfOf(shelf), name) : undefined;
  if (content === undefined || content.owner !== owner) throw unknownContent();
  return content;
}

function shelfOf(shelf: Shelf): ContentShelf {
  if (shelf === Shelf.CREATIVES) return 'creatives';
  if (shelf === Shelf.MEDIA) return 'media';
  throw new ConnectError('The shelf is SHELF_CREATIVES or SHELF_MEDIA.', Code.InvalidArgument);
}

function checkText(field: string, text: string, shortest: number, longest: number): void {
  const { length } = Array.from(text.slice(0, 2 * longest + 2));
  if (length < shortest || length > longest || storableText(text) !== text) {
    throw new ConnectError(
      `The ${field} has ${shortest} to ${longest} characters, and none that cannot be stored.`,
      Code.InvalidArgument,
    );
  }
}

/** The same words for what is not there and for another person's: the answer must not tell them apart. */
function unknownContent(): ConnectError {
  return new ConnectError('You have no content of that name on this shelf.', Code.NotFound);
}

/** Names are unique on a shelf whoever owns them, so this alone tells that a name is in use. */
function taken({ name, shelf }: DescribedContent): ConnectError {
  return new ConnectError(
    `The shelf ${shelf} has a piece named ${name}: choose another.`,
    Code.AlreadyExists,
  );
}

function message(content: StoredContent): MessageInitShape<typeof ContentSchema> {
  return {
    name: content.name,
    shelf: content.shelf === 'media' ? Shelf.MEDIA : Shelf.CREATIVES,
    campaignId: content.campaignId,
    contentType: content.contentType,
    size: BigInt(content.size),
    createdAt: timestampFromMs(content.createdAt),
    ...(content.publishedAt === undefined ? {} : { publishedAt: timestampFromMs(content.publishedAt) }),
  };
}
