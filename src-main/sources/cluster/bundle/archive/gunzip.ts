import type { TransformOptions } from 'node:stream';
import { constants, createGunzip, type Gunzip, type ZlibOptions } from 'node:zlib';

/** Packed bytes that are read at a time. */
export const packedLength = 256 * 1024;
/**
 * Bytes unpacked at a time. Whoever reads them and the thread that unpacks wait for each other once for each: pieces of
 * 16 kB would cost half of the speed, and those of 1 MB take 10 MB more.
 */
const chunkLength = 512 * 1024;
/** Chunks that are unpacked ahead, so that unpacking, which has a thread of its own, waits for nobody. */
const ahead = 2;

/**
 * Unpacks bytes as they come. What was cut off gives all that it has, without an error. To be destroyed by who reads it,
 * which ends the reading of `bytes`, too.
 */
export function gunzipped(bytes: AsyncIterable<Buffer>): Gunzip {
  // The types leave out that what zlib makes is a Transform and takes its options, too.
  const options: ZlibOptions & TransformOptions = {
    chunkSize: chunkLength,
    // Counted in chunks, each of which is handed over as it is: of bytes, a reader gets all that wait copied into one.
    readableObjectMode: true,
    readableHighWaterMark: ahead,
    writableHighWaterMark: 2 * packedLength,
    finishFlush: constants.Z_SYNC_FLUSH,
  };
  const gunzip = createGunzip(options);
  const feed = async (): Promise<void> => {
    for await (const piece of bytes) {
      if (gunzip.destroyed) return;
      if (!gunzip.write(piece)) await drained(gunzip);
    }
    gunzip.end();
  };
  feed().catch((error: unknown) => gunzip.destroy(error instanceof Error ? error : new Error(String(error))));
  return gunzip;
}

/** Also when it is destroyed, after which it never drains. */
function drained(gunzip: Gunzip): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (gunzip.destroyed) return Promise.resolve();
  gunzip.once('drain', resolve).once('close', resolve);
  return promise.finally(() => gunzip.off('drain', resolve).off('close', resolve));
}
