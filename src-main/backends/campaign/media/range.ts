/**
 * The requested range of a representation: all of it, the bytes from `start` up to `end`, or an unsatisfiable
 * range.
 */
export type AskedRange =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

const longestHeader = 200;
const whole: AskedRange = { kind: 'whole' };

/**
 * Reads a `Range` header for a representation of `size` bytes (RFC 9110, 14.1.2 and 14.2). One range of bytes is answered as such; of
 * another unit, of several ranges, or malformed, the header is ignored, as that section allows.
 */
export function readRange(header: string | undefined, size: number): AskedRange {
  if (header === undefined || header.length > longestHeader) return whole;
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') return whole;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return whole;
  if (start >= size) return { kind: 'unsatisfiable' };
  return { kind: 'part', start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}
