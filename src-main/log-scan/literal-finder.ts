/** Finds literals in bytes. */
export type LiteralFinder = {
  /** Calls back for each literal at each place, somewhat in the order of places; `at` is of `bytes`. */
  find(bytes: Uint8Array, from: number, to: number, found: (literal: number, at: number) => void): void;
  /** Of the longest literal, in bytes. */
  readonly longest: number;
};

type Window = { readonly literal: number; readonly needle: Uint8Array; readonly offset: number };

/** Bytes of the windows that are looked up. */
const windowLength = 4;
/** The table of windows has so many bits as its index can name: 32 kB, which the first cache holds. */
const tableBits = 18;

/**
 * Finds many literals in one pass, ASCII letters in either case. One window of four bytes in `stride` is looked up in a
 * table of one bit each, and a literal has `stride` windows in that table, so that one of them is met wherever it
 * stands. What is met is compared. The stride is what the shortest literal allows: with none below 8 bytes one byte in
 * five is looked at, where an automaton looks at all of them (docs/decisions/0013).
 * Throws `RangeError` for a literal that is shorter than a window.
 */
export function createLiteralFinder(literals: readonly string[]): LiteralFinder {
  const needles = literals.map((text) => Uint8Array.from(Buffer.from(text, 'latin1'), small));
  const shortest = Math.min(...needles.map(({ length }) => length));
  const longest = Math.max(0, ...needles.map(({ length }) => length));
  if (shortest < windowLength) throw new RangeError('A literal is shorter than 4 bytes.');
  const stride = Number.isFinite(shortest) ? shortest - windowLength + 1 : 1;
  const table = new Uint8Array(1 << (tableBits - 3));
  const windows = new Map<number, Window[]>();
  for (const [literal, needle] of needles.entries()) {
    const view = new DataView(needle.buffer);
    const first = rarest(needle, stride);
    for (let offset = first; offset < first + stride; offset++) {
      const window = windowAt(view, offset);
      const same = windows.get(window) ?? [];
      same.push({ literal, needle, offset });
      windows.set(window, same);
      const bit = bitOf(window);
      table[bit >>> 3] = (table[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  return {
    longest,
    find(bytes, from, to, found) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const last = to - windowLength;
      for (let at = from; at <= last; at += stride) {
        const window = windowAt(view, at);
        const bit = bitOf(window);
        if (((table[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) continue;
        for (const { literal, needle, offset } of windows.get(window) ?? []) {
          const start = at - offset;
          if (start >= from && start + needle.length <= to && stands(needle, bytes, start))
            found(literal, start);
        }
      }
    },
  };
}

const small = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/** Four bytes at once, letters made small. It makes some other bytes equal, too, which only costs a comparison. */
const windowAt = (view: DataView, at: number): number => view.getInt32(at, true) | 0x20202020;

/** Multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, 6.4). */
const bitOf = (window: number): number => Math.imul(window, 0x9e3779b1) >>> (32 - tableBits);

function stands(needle: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < needle.length; i++) if (small(bytes[start + i] ?? 0) !== needle[i]) return false;
  return true;
}

/** Where the windows of a literal are best taken from: the part of it with the fewest letters that every text has. */
function rarest(needle: Uint8Array, stride: number): number {
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let first = 0; first + stride + windowLength - 1 <= needle.length; first++) {
    const part = Buffer.from(needle.subarray(first, first + stride + windowLength - 1)).toString('latin1');
    const common = part.match(/[ aeinorst0-9]/g)?.length ?? 0;
    if (common < fewest) {
      fewest = common;
      best = first;
    }
  }
  return best;
}
