/** Matches the time a line begins with, as the kubelet and most programs write it. */
const timePattern = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/;

/** Bytes of a line that are held at most while its end is waited for. */
const longestHeld = 1_000_000;

/** Lines held beyond the wanted ones before they are dropped. */
const dropEvery = 10_000;

/**
 * The lines of a log written since a moment (epoch milliseconds), of those the newest `tail`. A line without a time goes
 * with the line before it, such as the lines of a stack trace; those before the first time are kept.
 */
export async function* linesSince(
  bytes: AsyncIterable<Uint8Array>,
  since: number,
  tail: number | undefined,
): AsyncGenerator<Uint8Array> {
  let isKept = true;
  const chosen = (lines: readonly string[]): string[] =>
    lines.filter((line) => {
      const time = timePattern.exec(line)?.[0];
      if (time !== undefined) isKept = Date.parse(time) >= since;
      return isKept;
    });
  const newest: string[] = [];
  for await (const lines of wholeLines(bytes)) {
    const kept = chosen(lines);
    if (tail === undefined) {
      if (kept.length > 0) yield bytesOf(kept);
      continue;
    }
    for (const line of kept) newest.push(line);
    if (newest.length > tail + dropEvery) newest.splice(0, newest.length - tail);
  }
  if (tail !== undefined) yield bytesOf(newest.slice(-tail));
}

/** Read as latin1, in which every byte is a character and stays itself. */
const bytesOf = (lines: readonly string[]): Uint8Array => Buffer.from(lines.join(''), 'latin1');

/** Bytes as lines with their ends; a line longer than is held comes in parts. */
async function* wholeLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  let rest = '';
  for await (const piece of bytes) {
    const text = rest + Buffer.from(piece).toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (end > 0) yield text.slice(0, end).split(/(?<=\n)/);
    if (rest.length > longestHeld) {
      yield [rest];
      rest = '';
    }
  }
  if (rest !== '') yield [rest];
}
