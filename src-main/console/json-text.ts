import type { Steps } from '#shared/steps.ts';
import { paced } from '../base/pace.ts';

/** Values, nested ones included, that are written in one go: below a millisecond. */
const mostAtOnce = 2000;
/** Characters of a text that take as long as one more value. */
const charactersPerValue = 100;
/** Characters that a chunk has at least, unless it is the last. */
const chunkLength = 64 * 1024;

/**
 * Writes a value as `JSON.stringify` does, and returns the text in chunks. A large one is written in steps, between which
 * others have their turn: the list of ten thousand findings holds up nobody.
 */
export async function jsonChunks(value: unknown): Promise<readonly string[]> {
  if (isSmall(value)) return [JSON.stringify(value)];
  const chunks: string[] = [];
  let chunk = '';
  await paced(
    written(value, (text) => {
      chunk += text;
      if (chunk.length < chunkLength) return;
      chunks.push(chunk);
      chunk = '';
    }),
  );
  if (chunk !== '') chunks.push(chunk);
  return chunks;
}

function* written(value: unknown, write: (text: string) => void): Steps<void> {
  if (isSmall(value)) {
    // What JSON does not know is null in a list; of an object's fields it was left out before.
    write(JSON.stringify(value) ?? 'null');
    yield;
    return;
  }
  if (Array.isArray(value)) {
    let before = '[';
    for (const item of value) {
      write(before);
      yield* written(item, write);
      before = ',';
    }
    write(']');
    return;
  }
  let before = '{';
  for (const [name, field] of Object.entries(Object(value))) {
    if (field === undefined || typeof field === 'function' || typeof field === 'symbol') continue;
    write(`${before}${JSON.stringify(name)}:`);
    yield* written(field, write);
    before = ',';
  }
  write(before === '{' ? '{}' : '}');
}

/** Returns whether a value is written quickly; one that is not is a list or a plain object. */
function isSmall(value: unknown): boolean {
  return weigh(value, mostAtOnce) >= 0;
}

/** Returns what is left of `most` after a value and those in it; less than 0 for one that is too much. */
function weigh(value: unknown, most: number): number {
  // A text is written at once however long it is: nothing of it can come later.
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return most - 1;
  let left = most - 1;
  for (const name in value) {
    const field: unknown = Reflect.get(value, name);
    left =
      typeof field === 'string'
        ? left - 1 - Math.floor(field.length / charactersPerValue)
        : typeof field === 'object'
          ? weigh(field, left)
          : left - 1;
    if (left < 0) return left;
  }
  return left;
}
