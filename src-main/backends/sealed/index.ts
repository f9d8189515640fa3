import { createHash } from 'node:crypto';
import { StartupRefused } from '../serving/index.ts';
import {
  frameBytes,
  frameOffset,
  headerBytes,
  layoutOf,
  openFrame,
  openHeader,
  SealBroken,
  seal,
  sealedFrameBytes,
} from './envelope.ts';
import { isObjectName, type ObjectStorage, type PlacedObject } from './storage.ts';

export { bucketStorage } from './bucket-storage.ts';
export { SealBroken } from './envelope.ts';
export { envelopeKeyBytes, readEnvelopeKey } from './envelope-key.ts';
export { folderStorage } from './folder-storage.ts';
export { startingWith } from './pieces.ts';
export { isObjectName, type ObjectStorage, StorageUnavailable } from './storage.ts';

/**
 * Objects sealed at rest: AES-256-GCM in frames, a data key for each object, wrapped by one key-encryption key together with the object's
 * name. Names are those of `isObjectName`; another one throws. Every call may throw `StorageUnavailable`.
 */
export type SealedStore = {
  /** The place's name, for people. */
  readonly name: string;
  /**
   * Sees that the place serves and that the key opens what is sealed there. Throws `StorageUnavailable`, or `StartupRefused` for another key
   * than the one that what is there was sealed with.
   */
  check(): Promise<void>;
  /** Seals an object, in the place of one of that name, and answers its size in bytes. When `bytes` throws, nothing has changed. */
  put(name: string, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<number>;
  /** Undefined when there is no such object. Throws `SealBroken` for one that does not open under this name with this key. */
  open(name: string): Promise<SealedObject | undefined>;
  /** A small object, whole. Throws `SealBroken` as `open` does, and a RangeError above `largest` bytes. */
  get(name: string, largest: number): Promise<Buffer | undefined>;
  /** Names that begin with `prefix`, sorted. */
  list(prefix: string): Promise<string[]>;
  remove(name: string): Promise<void>;
};

/**
 * An open object. Its name, key, length and last frame have been verified; each other frame is before any of it is given out. A reader
 * who passes bytes on as they come must therefore cut its answer when `read` throws halfway.
 */
export type SealedObject = {
  /** In bytes, unsealed. */
  readonly size: number;
  /** Another one for every time an object is sealed: a strong validator (RFC 9110, 8.8.1). */
  readonly version: string;
  /** The bytes from `start` up to `end`, one frame at a time. Throws `SealBroken` at the first frame that is not as it was sealed. */
  read(start: number, end: number): AsyncGenerator<Buffer, void, undefined>;
  close(): Promise<void>;
};

/** Sealed with the key when a place is first used, to tell another key before it seals anything beside what it cannot open. */
const keyCheckName = 'key-check';

/** The sealed objects of a place. `envelopeKey` is 32 bytes (`readEnvelopeKey`). */
export function sealedStore(storage: ObjectStorage, envelopeKey: Buffer): SealedStore {
  const put = async (name: string, bytes: AsyncIterable<Uint8Array> | Uint8Array): Promise<number> => {
    let size = 0;
    const counted = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
        size += chunk.length;
        yield chunk;
      }
    };
    await storage.write(checked(name), seal(envelopeKey, name, counted()));
    return size;
  };
  const open = async (name: string): Promise<SealedObject | undefined> => {
    const placed = await storage.open(checked(name), headerBytes + sealedFrameBytes);
    if (placed === undefined) return undefined;
    try {
      return await openPlaced(placed, name, envelopeKey);
    } catch (error) {
      await placed.close();
      throw error;
    }
  };
  const get = async (name: string, largest: number): Promise<Buffer | undefined> => {
    const object = await open(name);
    if (object === undefined) return undefined;
    try {
      if (object.size > largest)
        throw new RangeError(`The sealed object "${name}" is larger than ${largest} bytes.`);
      const pieces: Buffer[] = [];
      for await (const piece of object.read(0, object.size)) pieces.push(piece);
      return Buffer.concat(pieces);
    } finally {
      await object.close();
    }
  };

  return {
    name: storage.name,
    async check() {
      await storage.check();
      try {
        if ((await get(keyCheckName, 1024)) === undefined)
          await put(
            keyCheckName,
            Buffer.from('This opens with the key that everything here is sealed with.\n'),
          );
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        throw new StartupRefused(
          `the envelope key does not open what is sealed in ${storage.name}: set PLATFORM_ENVELOPE_KEK to the original, from escrow; never generate a new one over existing data.`,
        );
      }
    },
    put,
    open,
    get,
    async list(prefix) {
      const names = await storage.list(prefix);
      return names.filter((name) => isObjectName(name) && name !== keyCheckName);
    },
    remove: (name) => storage.remove(checked(name)),
  };
}

async function openPlaced(placed: PlacedObject, name: string, envelopeKey: Buffer): Promise<SealedObject> {
  const dataKey = openHeader(envelopeKey, name, placed.head);
  const { size, frames } = layoutOf(name, placed.size);
  /** Sealed frames, from the head when it has them: a short object is asked for once. */
  const sealedFrames = (first: number, last: number): AsyncIterable<Buffer> | Iterable<Buffer> => {
    const start = frameOffset(first);
    const end = Math.min(frameOffset(last + 1), placed.size);
    return end <= placed.head.length && first === last
      ? [placed.head.subarray(start, end)]
      : placed.read(start, end, sealedFrameBytes);
  };
  const frame = (number: number, sealed: Buffer): Buffer =>
    openFrame(name, dataKey, { number, isLast: number === frames - 1, sealed });

  // Only the whole object ends with a frame that says it is the last: shorter or longer, it is refused here.
  for await (const sealed of sealedFrames(frames - 1, frames - 1)) frame(frames - 1, sealed);
  return {
    size,
    version: createHash('sha256')
      .update(placed.head.subarray(0, headerBytes))
      .digest('base64url')
      .slice(0, 22),
    async *read(start, end) {
      if (start < 0 || end > size) throw new RangeError(`The object has ${size} bytes.`);
      if (start >= end) return;
      const first = Math.floor(start / frameBytes);
      const last = Math.floor((end - 1) / frameBytes);
      let number = first;
      for await (const sealed of sealedFrames(first, last)) {
        const bytes = frame(number, sealed);
        const offset = number * frameBytes;
        yield bytes.subarray(Math.max(start - offset, 0), Math.min(end - offset, bytes.length));
        number += 1;
      }
    },
    close: () => placed.close(),
  };
}

function checked(name: string): string {
  if (!isObjectName(name)) throw new RangeError(`"${name.slice(0, 100)}" is no name of a sealed object.`);
  return name;
}
