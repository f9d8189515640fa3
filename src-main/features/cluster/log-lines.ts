/** Characters of a line that are held back at most while its end is waited for. */
const longestHeld = 65_536;

/** Log bytes as text, `prefix` before each line. A character that was cut between two pieces is put together. */
export async function* prefixedText(
  bytes: AsyncIterable<Uint8Array>,
  prefix: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let atStart = true;
  const prefixed = (text: string): string => {
    if (prefix === '' || text === '') return text;
    const lines = text.replace(/\n(?!$)/g, `\n${prefix}`);
    const whole = atStart ? prefix + lines : lines;
    atStart = text.endsWith('\n');
    return whole;
  };
  for await (const piece of bytes) {
    const text = prefixed(decoder.decode(piece, { stream: true }));
    if (text !== '') yield text;
  }
  const rest = prefixed(decoder.decode());
  if (rest !== '') yield rest;
}

/** Matches the time a kubelet writes before each line. */
const stampPattern = /^(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) )?/gm;

/** Log bytes as text, `prefix` behind the time of each line, so that times stand first in every line. */
export async function* stampedText(bytes: AsyncIterable<Uint8Array>, prefix: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const prefixed = (lines: string): string =>
    lines.replace(/\n$/, '').replace(stampPattern, (stamp) => stamp + prefix) +
    (lines.endsWith('\n') ? '\n' : '');
  let rest = '';
  for await (const piece of bytes) {
    const text = rest + decoder.decode(piece, { stream: true });
    const isLong = text.length > longestHeld;
    const end = isLong ? text.length : text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (end > 0) yield prefixed(text.slice(0, end));
  }
  rest += decoder.decode();
  if (rest !== '') yield prefixed(rest);
}

/** Texts side by side as they arrive, whole lines at a time; one that is left early ends them all. */
export async function* mergedLines(texts: readonly AsyncGenerator<string>[]): AsyncGenerator<string> {
  type Step = { readonly text: AsyncGenerator<string>; readonly result: IteratorResult<string> };
  const next = async (text: AsyncGenerator<string>): Promise<Step> => ({ text, result: await text.next() });
  const waiting = new Map(texts.map((text) => [text, next(text)]));
  const held = new Map<AsyncGenerator<string>, string>();
  try {
    while (waiting.size > 0) {
      const { text, result } = await Promise.race(waiting.values());
      const open = held.get(text) ?? '';
      if (result.done === true) {
        waiting.delete(text);
        if (open !== '') yield `${open}\n`;
        continue;
      }
      waiting.set(text, next(text));
      const chunk = open + result.value;
      const end = chunk.lastIndexOf('\n') + 1;
      const isLong = chunk.length - end > longestHeld;
      held.set(text, isLong ? '' : chunk.slice(end));
      const lines = isLong ? `${chunk}\n` : chunk.slice(0, end);
      if (lines !== '') yield lines;
    }
  } finally {
    // Not awaited: each waits for its next piece first, which the reader's signal ends.
    for (const text of waiting.keys()) void text.return(undefined);
  }
}
