import type { Cluster } from '../../../sources/cluster/index.ts';
import type { ChosenLog } from './log-choice.ts';

/** Newest lines and bytes of a log in which errors are judged by their order. */
const tailLines = 400;
const mostBytes = 256 * 1024;
/** Longest time that one may take, in ms. */
const limit = 10_000;

/** The newest lines of a log as they come. */
export type Tail = {
  add(bytes: Uint8Array): void;
  /** Returns them, and whether there are lines before them. */
  end(): { readonly text: string; readonly cut: boolean };
};

export function createTail(): Tail {
  let pieces: Buffer[] = [];
  let length = 0;
  let dropped = false;
  return {
    add(bytes) {
      pieces.push(Buffer.from(bytes));
      length += bytes.byteLength;
      if (length <= 2 * mostBytes) return;
      const all = Buffer.concat(pieces);
      pieces = [all.subarray(all.length - mostBytes)];
      length = mostBytes;
      dropped = true;
    },
    end() {
      const all = Buffer.concat(pieces);
      let from = Math.max(0, all.length - mostBytes);
      let seen = 0;
      for (let at = all.length - 2; at >= from && seen < tailLines; at--) {
        if (all[at] !== 0x0a) continue;
        seen += 1;
        if (seen === tailLines) from = at + 1;
      }
      return { text: all.toString('utf8', from), cut: dropped || from > 0 };
    },
  };
}

/** Reads the newest lines of a log; undefined when there is none or it cannot be read. */
export async function readTail(
  cluster: Cluster,
  { namespace, pod, container, previous }: ChosenLog,
  signal: AbortSignal,
): Promise<ReturnType<Tail['end']> | undefined> {
  try {
    const read = await cluster.logs({
      namespace,
      pod,
      container,
      previous,
      tail: tailLines,
      signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]),
    });
    if (read.state !== 'read') return undefined;
    const tail = createTail();
    let lines = 0;
    for await (const bytes of read.bytes) {
      tail.add(bytes);
      for (const byte of bytes) if (byte === 0x0a) lines += 1;
    }
    const end = tail.end();
    return { ...end, cut: end.cut || lines >= tailLines };
  } catch {
    return undefined;
  }
}
