/** Finds literals in bytes. */
export type LiteralFinder = {
  /** Calls back for each literal at each place, somewhat in the order of places; `at` is of `bytes`. */
  find(bytes: Uint8Array, from: number, to: number, found: (literal: number, at: number) => void): void;
  /** Of the longest literal, in bytes. */
  readonly longest: number;
};

type Window = { readonly literal: number; readonly needle: Uint8Array; readonly offset: number };

/** Bytes of the windows that are looked up, and of the shortest literal there may be. */
const windowLength = 6;
/** The table of windows has so many bits as its index can name: 32 kB, which the first cache holds. */
const tableBits = 18;

/**
 * Finds many literals in one pass, ASCII letters in either case. One window of six bytes in `stride` is looked up in a
 * table of one bit each, and a literal has `stride` windows in that table, so that one of them is met wherever it
 * stands. What is met is compared. The stride is what the shortest literal allows: with none below 10 bytes one byte in
 * five is looked at, where an automaton looks at all of them (docs/decisions/0013).
 * Throws `RangeError` for a literal that is shorter than a window.
 */
export function createLiteralFinder(literals: readonly string[]): LiteralFinder {
  const needles = literals.map((text) => Uint8Array.from(Buffer.from(text, 'latin1'), small));
  const shortest = Math.min(...needles.map(({ length }) => length));
  const longest = Math.max(0, ...needles.map(({ length }) => length));
  if (shortest < windowLength) throw new RangeError(`A literal is shorter than ${windowLength} bytes.`);
  const stride = Number.isFinite(shortest) ? shortest - windowLength + 1 : 1;
  const common = commonness(needles);
  const table = new Uint8Array(1 << (tableBits - 3));
  const windows = new Map<number, Window[]>();
  for (const [literal, needle] of needles.entries()) {
    const view = new DataView(needle.buffer);
    const first = rarest(needle, stride, common);
    for (let offset = first; offset < first + stride; offset++) {
      const hash = hashAt(view, offset);
      const same = windows.get(hash) ?? [];
      same.push({ literal, needle, offset });
      windows.set(hash, same);
      const bit = bitOf(hash);
      table[bit >>> 3] = (table[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  return {
    longest,
    find(bytes, from, to, found) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const last = to - windowLength;
      for (let at = from; at <= last; at += stride) {
        const hash = hashAt(view, at);
        const bit = bitOf(hash);
        if (((table[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) continue;
        const met = windows.get(hash);
        if (met === undefined) continue;
        for (const { literal, needle, offset } of met) {
          const start = at - offset;
          if (start >= from && start + needle.length <= to && stands(needle, bytes, start))
            found(literal, start);
        }
      }
    },
  };
}

const small = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/**
 * Of six bytes, letters made small. It makes some other bytes equal, too, which only costs a comparison.
 * Multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, 6.4).
 */
const hashAt = (view: DataView, at: number): number =>
  Math.imul(view.getInt32(at, true) | 0x20202020, 0x9e3779b1) ^
  Math.imul(view.getInt16(at + 4, true) | 0x2020, 0x85ebca6b);

const bitOf = (hash: number): number => hash >>> (32 - tableBits);

function stands(needle: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < needle.length; i++) if (small(bytes[start + i] ?? 0) !== needle[i]) return false;
  return true;
}

type Commonness = (needle: Uint8Array, at: number) => number;

/** How many literals have the three bytes at a place: what many of them have, such as `fai`, every log has. */
function commonness(needles: readonly Uint8Array[]): Commonness {
  const key = (needle: Uint8Array, at: number): number =>
    (needle[at] ?? 0) | ((needle[at + 1] ?? 0) << 8) | ((needle[at + 2] ?? 0) << 16);
  const counts = new Map<number, number>();
  for (const needle of needles)
    for (const three of new Set(Array.from({ length: needle.length - 2 }, (_, at) => key(needle, at))))
      counts.set(three, (counts.get(three) ?? 0) + 1);
  return (needle, at) => counts.get(key(needle, at)) ?? 0;
}

/** Where the windows of a literal are best taken from: the part of it that the fewest others have. */
function rarest(needle: Uint8Array, stride: number, common: Commonness): number {
  const covered = stride + windowLength - 1;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let first = 0; first + covered <= needle.length; first++) {
    let sum = 0;
    for (let at = first; at + 3 <= first + covered; at++) sum += common(needle, at);
    if (sum < least) {
      least = sum;
      best = first;
    }
  }
  return best;
}
