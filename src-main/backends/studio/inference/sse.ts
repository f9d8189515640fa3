/** Longest event in characters: an endpoint that never ends its line must not fill the memory. */
const longestEvent = 1_000_000;

/**
 * The `data` of every server-sent event of a byte stream (HTML Standard, 9.2.6): any line ending, comments and other
 * fields skipped, several `data` lines joined by a line feed, characters and lines split over chunks put together.
 * An event without its closing blank line is still given when the stream ends. Throws when an event is too long.
 */
export async function* serverSentData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the end may be the first half of CR LF: it waits for the next chunk.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
      } else {
        data.push(...dataOf(line));
      }
    }
    if (rest.length + data.reduce((sum, each) => sum + each.length, 0) > longestEvent) {
      throw new Error('an event is longer than a million characters');
    }
  }
  data.push(...dataOf((rest + decoder.decode()).replace(/\r$/, '')));
  if (data.length > 0) yield data.join('\n');
}

function dataOf(line: string): string[] {
  if (line === 'data') return [''];
  return line.startsWith('data:') ? [line.slice(line.startsWith('data: ') ? 6 : 5)] : [];
}
