import { z } from 'zod';
import { ClusterFailure } from './failures.ts';

const watchEvent = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.record(z.string(), z.unknown()),
});
export type WatchEvent = z.infer<typeof watchEvent>;

/** Characters of one line: etcd holds objects of 1.5 MB. */
const longestLine = 16 * 1024 * 1024;

/** The events of a watch, as its lines come. Throws a `refused` failure for a line that is none. */
export async function* watchEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of bytes) {
    rest += decoder.decode(piece, { stream: true });
    let from = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      const line = rest.slice(from, end);
      from = end + 1;
      if (line.trim() !== '') yield eventOf(line);
    }
    rest = rest.slice(from);
    if (rest.length > longestLine)
      throw new ClusterFailure('refused', 'A watch of the cluster sends a line without end.');
  }
}

function eventOf(line: string): WatchEvent {
  try {
    return watchEvent.parse(JSON.parse(line));
  } catch (error) {
    throw new ClusterFailure('refused', 'A watch of the cluster sends what is not understood.', undefined, {
      cause: error,
    });
  }
}
