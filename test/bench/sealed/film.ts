import { createCipheriv } from 'node:crypto';

const key = Buffer.alloc(16, 3);
const block = 16;

/**
 * The bytes from `start` on of a film that never ends: a keystream of AES-CTR, so that any part of it can be made again to compare with,
 * and none of it compresses. Each call answers the next `length` bytes.
 */
export function filmFrom(start: number): (length: number) => Buffer {
  const counter = Buffer.alloc(16);
  counter.writeBigUInt64BE(BigInt(Math.floor(start / block)), 8);
  const cipher = createCipheriv('aes-128-ctr', key, counter);
  cipher.update(Buffer.alloc(start % block));
  return (length) => cipher.update(Buffer.alloc(length));
}

/** Its first `size` bytes, a piece at a time. */
export async function* filmOf(size: number): AsyncGenerator<Buffer, void, undefined> {
  const next = filmFrom(0);
  const piece = 1024 * 1024;
  for (let at = 0; at < size; at += piece) yield next(Math.min(piece, size - at));
}
