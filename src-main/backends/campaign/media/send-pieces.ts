import { constants } from 'node:http2';
import type { Writable } from 'node:stream';
import { type AnyResponse, RouteRefused } from '../../serving/index.ts';

/** Time after which a client that reads nothing of the data waiting for it has stalled, in milliseconds. */
const stalledMs = 60_000;

/**
 * Writes a body piece by piece, no faster than it is read, and ends it. Stops quietly when the reader leaves; throws what `pieces` throws,
 * and when the reader takes nothing for a minute: the caller of a route then cuts the answer.
 */
export async function sendPieces(
  response: AnyResponse,
  pieces: AsyncIterable<Buffer | string>,
): Promise<void> {
  const out: Writable = response;
  // A reader may have left before there was anything to send: no event is emitted for that.
  let isClosed = 'stream' in response ? response.stream.destroyed : response.destroyed;
  let wake = (): void => undefined;
  const onClose = (): void => {
    isClosed = true;
    wake();
  };
  const onDrain = (): void => wake();
  out.on('close', onClose).on('drain', onDrain);
  try {
    for await (const piece of pieces) {
      if (isClosed) return;
      if (out.write(piece)) continue;
      let isLate = false;
      const late = setTimeout(() => {
        isLate = true;
        wake();
      }, stalledMs);
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isClosed) resolve();
      });
      clearTimeout(late);
      if (isClosed) return;
      if (isLate) throw new RouteRefused(408, 'The answer was not read for 60 s.');
    }
    out.end();
  } catch (error) {
    // A stream that is only destroyed is reset without an error, which looks like its end (RFC 9113, 8.1).
    if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    throw error;
  } finally {
    out.off('close', onClose).off('drain', onDrain);
  }
}
