import { errorMessage } from '../../../../base/error-message.ts';
import { UnreadFile } from '../archive/file-content.ts';
import { gunzipped } from '../archive/gunzip.ts';

/** Bytes that a packed log may unpack to; the largest real ones have a tenth of it. */
const mostUnpacked = 1024 * 1024 * 1024;

/** The bytes of a packed log. Throws `UnreadFile` where it is damaged or cut off, or unpacks to more than any log. */
export async function* unpackedLog(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const read = Promise.withResolvers<void>();
  const ending = createGzipEnding();
  const packed = async function* (): AsyncGenerator<Buffer> {
    try {
      for await (const piece of bytes) {
        ending.see(piece);
        yield piece;
      }
    } finally {
      read.resolve();
    }
  };
  const gunzip = gunzipped(packed());
  let unpacked = 0;
  try {
    for await (const piece of gunzip) {
      if (!Buffer.isBuffer(piece)) continue;
      unpacked += piece.length;
      if (unpacked > mostUnpacked) throw new UnreadFile('it unpacks to more than 1 GB');
      yield piece;
    }
    if (ending.isCutOff(unpacked)) throw new UnreadFile('it was cut off');
  } catch (error) {
    if (error instanceof UnreadFile) throw error;
    throw new UnreadFile(`it cannot be unpacked (${errorMessage(error)})`, { cause: error });
  } finally {
    gunzip.destroy();
    // A bundle is read in one go: nobody may still be reading this entry when the next one is looked for.
    await read.promise;
  }
}

/**
 * Returns whether a packed file was cut off, which unpacking does not say (gunzip.ts): a gzip file ends in the number
 * of bytes it unpacks to (RFC 1952, 2.3.1). Of a file that may have several members nothing is said.
 */
function createGzipEnding() {
  let tail: Buffer = Buffer.alloc(0);
  let seen = 0;
  let mayHaveMore = false;
  return {
    see(piece: Buffer): void {
      mayHaveMore ||= piece.indexOf(memberStart, seen === 0 ? 1 : 0) >= 0;
      seen += piece.length;
      tail = Buffer.from(Buffer.concat([tail, piece.subarray(-4)]).subarray(-4));
    },
    isCutOff: (unpacked: number): boolean =>
      !mayHaveMore && (tail.length < 4 || tail.readUInt32LE(0) !== unpacked % 2 ** 32),
  };
}

/** Magic bytes of a gzip member (RFC 1952, 2.3). */
const memberStart = Buffer.from([0x1f, 0x8b, 0x08]);
