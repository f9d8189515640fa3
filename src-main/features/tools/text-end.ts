import { ConsoleError } from '#shared/errors.ts';

type Streamed = { readonly type: string; readonly pieces: AsyncIterable<string> };

/**
 * The end of a streamed text, in whole lines, at most `most` characters. Throws `NotFound` with its reasons where the
 * text could not be read.
 */
export async function textEnd(answer: unknown, most: number): Promise<string> {
  if (!isStreamed(answer)) throw new Error('a text was answered in another form');
  let text = '';
  for await (const piece of answer.pieces) {
    text += piece;
    // Twice as much is kept, so that not every piece copies the rest.
    if (text.length > most * 2) text = text.slice(-most);
  }
  if (answer.type !== 'text/plain') throw new ConsoleError('NotFound', reasonOf(text));
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return end.slice(end.indexOf('\n') + 1);
}

function isStreamed(answer: unknown): answer is Streamed {
  return typeof answer === 'object' && answer !== null && 'pieces' in answer && 'type' in answer;
}

function reasonOf(json: string): string {
  try {
    const parsed: unknown = JSON.parse(json);
    if (
      typeof parsed === 'object' &&
      parsed !== null &&
      'unmeasured' in parsed &&
      Array.isArray(parsed.unmeasured)
    )
      return parsed.unmeasured.join(' ') || 'The log could not be read.';
  } catch {
    // Not JSON: said below.
  }
  return 'The log could not be read.';
}
