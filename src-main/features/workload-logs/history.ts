import type { LogLine } from './log-line.ts';

/** A source of lines in the order of their times, and the mark its lines have in front. */
export type LineSource = { readonly mark: string; readonly lines: AsyncGenerator<readonly LogLine[]> };

/** A line with whose it is. */
export type MarkedLine = { readonly mark: string; readonly line: LogLine };

type Head = {
  readonly source: LineSource;
  readonly index: number;
  lines: readonly LogLine[];
  at: number;
};

/** Lines that are handed over at once. */
const atOnce = 500;

/**
 * Merges sources by time: of each only the lines at hand are held, so that the length of the logs does not matter. Lines of one
 * source keep their order; equal times go by the order of the sources.
 */
export async function* mergedByTime(sources: readonly LineSource[]): AsyncGenerator<readonly MarkedLine[]> {
  const heads: Head[] = [];
  const refill = async (head: Head): Promise<boolean> => {
    for (;;) {
      const { done, value } = await head.source.lines.next();
      if (done === true) return false;
      if (value.length === 0) continue;
      head.lines = value;
      head.at = 0;
      return true;
    }
  };
  try {
    await Promise.all(
      sources.map(async (source, index) => {
        const head: Head = { source, index, lines: [], at: 0 };
        if (await refill(head)) heads.push(head);
      }),
    );
    // A heap of the sources by their next line: with hundreds of them, looking at each for every line would be slow.
    heads.sort(before);
    let out: MarkedLine[] = [];
    while (heads.length > 0) {
      const head = heads[0];
      const line = head?.lines[head.at];
      if (head === undefined || line === undefined) break;
      out.push({ mark: head.source.mark, line });
      head.at += 1;
      if (head.at < head.lines.length) sink(heads);
      else {
        if (out.length > 0) yield out;
        out = [];
        if (await refill(head)) sink(heads);
        else {
          const last = heads.pop();
          if (last !== undefined && heads.length > 0 && last !== head) {
            heads[0] = last;
            sink(heads);
          }
        }
      }
      if (out.length >= atOnce) {
        yield out;
        out = [];
      }
    }
    if (out.length > 0) yield out;
  } finally {
    // Not awaited: each waits for its next piece first, which the reader's signal ends.
    for (const { lines } of sources) void lines.return(undefined);
  }
}

const keyOf = ({ lines, at }: Head): string => lines[at]?.key ?? '';

function before(a: Head, b: Head): number {
  const [left, right] = [keyOf(a), keyOf(b)];
  if (left === right) return a.index - b.index;
  return left < right ? -1 : 1;
}

/** Moves the first of a heap down to its place. */
function sink(heap: Head[]): void {
  let at = 0;
  for (;;) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const [a, b] = [heap[child], heap[least]];
      if (a !== undefined && b !== undefined && before(a, b) < 0) least = child;
    }
    const [moved, other] = [heap[at], heap[least]];
    if (least === at || moved === undefined || other === undefined) return;
    heap[at] = other;
    heap[least] = moved;
    at = least;
  }
}
