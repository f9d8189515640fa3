import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { inPieces } from './pieces.ts';

// One sealed object:
//
//   magic (8) | nonce (12) | data key, sealed with the key-encryption key (32 + tag 16) | frame | frame | …
//
// The data key is random, one an object, and is sealed with AES-256-GCM; the magic and the object's name are its associated data, so that
// it opens under its own name alone. A frame is AES-256-GCM of 64 KiB of the object (the last one: of what is left) with the data key.
// Its nonce is its number (11 bytes, big-endian) and one byte that is 1 in the last frame (STREAM: Hoang, Reyhanitabar, Rogaway, Vizár
// 2015; age uses the same form): a frame that was moved, left out, repeated or added does not open, nor does an object cut between two
// frames. The number of frames follows from the stored size. What no seal tells is that an object is an older one of the same name; a
// caller who replaces objects and must know keeps that elsewhere.
//
// Random nonces under the key-encryption key stay safe for 2^32 objects (NIST SP 800-38D, 8.3).

const magic = Buffer.from('SEALED1\n', 'latin1');
const nonceBytes = 12;
const keyBytes = 32;
const tagBytes = 16;

/** Bytes of an object before its first frame. */
export const headerBytes = magic.length + nonceBytes + keyBytes + tagBytes;
/** Bytes of the object in every frame but the last. */
export const frameBytes = 64 * 1024;
/** Bytes such a frame takes sealed. */
export const sealedFrameBytes = frameBytes + tagBytes;

/** A sealed object that does not open: another key, another name, or bytes that are not those that were sealed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';

  constructor(object: string) {
    super(
      `The sealed object "${object}" does not open: its bytes, its name or the key are not those it was sealed with. Restore it from a copy.`,
    );
  }
}

/** Seals a stream of bytes under a name, in the order it comes; holds two frames at most. */
export async function* seal(
  envelopeKey: Buffer,
  object: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  const dataKey = randomBytes(keyBytes);
  const nonce = randomBytes(nonceBytes);
  const wrap = createCipheriv('aes-256-gcm', envelopeKey, nonce).setAAD(wrapContext(object));
  yield Buffer.concat([magic, nonce, wrap.update(dataKey), wrap.final(), wrap.getAuthTag()]);
  let number = 0;
  // Held back until the next one shows that it is not the last.
  let held: Buffer | undefined;
  for await (const piece of inPieces(bytes, frameBytes)) {
    if (held !== undefined) yield sealFrame(dataKey, number++, false, held);
    held = piece;
  }
  yield sealFrame(dataKey, number, true, held ?? Buffer.alloc(0));
}

/** The data key in the header of an object. Throws `SealBroken` unless key and name are those it was sealed with. */
export function openHeader(envelopeKey: Buffer, object: string, header: Buffer): Buffer {
  if (header.length < headerBytes || !header.subarray(0, magic.length).equals(magic))
    throw new SealBroken(object);
  const nonce = header.subarray(magic.length, magic.length + nonceBytes);
  const wrapped = header.subarray(magic.length + nonceBytes, headerBytes);
  try {
    const unwrap = createDecipheriv('aes-256-gcm', envelopeKey, nonce, { authTagLength: tagBytes })
      .setAAD(wrapContext(object))
      .setAuthTag(wrapped.subarray(keyBytes));
    return Buffer.concat([unwrap.update(wrapped.subarray(0, keyBytes)), unwrap.final()]);
  } catch {
    throw new SealBroken(object);
  }
}

/** Returns the layout of an object of `sealedSize` bytes. Throws `SealBroken` for a size no object has. */
export function layoutOf(object: string, sealedSize: number): { size: number; frames: number } {
  const body = sealedSize - headerBytes;
  const frames = Math.ceil(body / sealedFrameBytes);
  const last = body - (frames - 1) * sealedFrameBytes;
  // Only an empty object has an empty last frame.
  if (body < tagBytes || last < tagBytes || (last === tagBytes && frames > 1)) throw new SealBroken(object);
  return { size: body - frames * tagBytes, frames };
}

/**
 * Returns a frame's offset in the sealed object; that of the frame after the last is not the object's end.
 */
export function frameOffset(number: number): number {
  return headerBytes + number * sealedFrameBytes;
}

/**
 * Returns the content of one frame. Throws `SealBroken`, and releases nothing, unless it is that frame of
 * that object, unchanged.
 */
export function openFrame(
  object: string,
  dataKey: Buffer,
  { number, isLast, sealed }: { number: number; isLast: boolean; sealed: Buffer },
): Buffer {
  const end = sealed.length - tagBytes;
  if (end < 0) throw new SealBroken(object);
  try {
    const open = createDecipheriv('aes-256-gcm', dataKey, frameNonce(number, isLast), {
      authTagLength: tagBytes,
    }).setAuthTag(sealed.subarray(end));
    const bytes = open.update(sealed.subarray(0, end));
    open.final();
    return bytes;
  } catch {
    throw new SealBroken(object);
  }
}

function sealFrame(dataKey: Buffer, number: number, isLast: boolean, bytes: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', dataKey, frameNonce(number, isLast));
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

function frameNonce(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUIntBE(number, nonceBytes - 7, 6);
  nonce[nonceBytes - 1] = isLast ? 1 : 0;
  return nonce;
}

function wrapContext(object: string): Buffer {
  return Buffer.concat([magic, Buffer.from(object, 'utf8')]);
}
