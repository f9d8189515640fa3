/** One value of a JSON text, as bytes from one place to before another. */
export type JsonSpan = { readonly from: number; readonly to: number };

export type JsonItems = {
  /** `list`: the items of a list object; `array`: of a bare array; `object`: a single object, its own item. */
  readonly form: 'list' | 'array' | 'object';
  readonly items: readonly JsonSpan[];
  /** The list object's own fields, without its items: `{"kind":"PodList","items":null}`. */
  readonly envelope: string;
  /** The text ends before the value does: the items are those that were whole. */
  readonly cut: boolean;
  /** Offset at which the text continues after the value. */
  readonly end: number;
};

const quote = 0x22;
const backslash = 0x5c;
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const [comma, colon] = [0x2c, 0x3a];

/**
 * Locates the objects of a JSON file without parsing them, so that a list of 10,000 pods is never in memory
 * as a whole and each object's offset is known. Checks no more of the syntax than it needs: each item is
 * parsed afterwards.
 */
export function jsonItems(bytes: Buffer, start: number): JsonItems {
  if (bytes[start] === openBracket) {
    const { spans, end } = elements(bytes, start);
    return { form: 'array', items: spans, envelope: '{}', cut: end === undefined, end: end ?? bytes.length };
  }
  const list = itemsOf(bytes, start);
  if (list === undefined) {
    const end = valueEnd(bytes, start);
    return {
      form: 'object',
      items: end === undefined ? [] : [{ from: start, to: end }],
      envelope: '{}',
      cut: end === undefined,
      end: end ?? bytes.length,
    };
  }
  const { spans, end } = elements(bytes, list);
  const close = end === undefined ? undefined : valueEnd(bytes, end, 1);
  const rest = end === undefined ? '}' : bytes.toString('utf8', end, close);
  return {
    form: 'list',
    items: spans,
    envelope: `${bytes.toString('utf8', start, list)}null${rest}`,
    cut: close === undefined,
    end: close ?? bytes.length,
  };
}

/** Returns the offset of the array in an object's field `items` (`Items` in old dumps). */
function itemsOf(bytes: Buffer, start: number): number | undefined {
  let at = start + 1;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte !== quote) {
      if (byte === closeBrace) return undefined;
      at += 1;
      continue;
    }
    const keyEnd = stringEnd(bytes, at);
    if (keyEnd === undefined) return undefined;
    const key = bytes.toString('latin1', at + 1, keyEnd - 1);
    let value = keyEnd;
    while (value < bytes.length && (isSpace(bytes[value]) || bytes[value] === colon)) value += 1;
    if (/^[iI]tems$/.test(key)) return bytes[value] === openBracket ? value : undefined;
    const end = valueEnd(bytes, value);
    if (end === undefined) return undefined;
    at = end;
  }
  return undefined;
}

/** The elements of an array, and where it ends; no end when the text does before. */
function elements(bytes: Buffer, start: number): { spans: JsonSpan[]; end: number | undefined } {
  const spans: JsonSpan[] = [];
  let at = start + 1;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === closeBracket) return { spans, end: at + 1 };
    if (byte === comma || isSpace(byte)) {
      at += 1;
      continue;
    }
    const end = valueEnd(bytes, at);
    if (end === undefined) break;
    spans.push({ from: at, to: end });
    at = end;
  }
  return { spans, end: undefined };
}

/**
 * Returns the end of the value that begins here, or of `open` objects and arrays already open here; undefined
 * when the text ends first.
 */
function valueEnd(bytes: Buffer, start: number, open = 0): number | undefined {
  const first = open > 0 ? openBrace : bytes[start];
  if (first === quote) return stringEnd(bytes, start);
  if (first !== openBrace && first !== openBracket) {
    let at = start;
    while (at < bytes.length && !isValueEnd(bytes[at])) at += 1;
    // What is no value at all must not hold the reader at its place.
    return Math.max(at, start + 1);
  }
  let depth = open;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = stringEnd(bytes, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** After the closing quote of the string that begins here. */
function stringEnd(bytes: Buffer, start: number): number | undefined {
  for (let at = bytes.indexOf(quote, start + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return undefined;
}

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const isValueEnd = (byte: number | undefined): boolean =>
  byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte);
