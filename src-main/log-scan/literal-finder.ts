/** Finds literals in bytes. */
export type LiteralFinder = {
  /** Calls back for each literal at each place, somewhat in the order of places; `at` is of `bytes`. */
  find(bytes: Uint8Array, from: number, to: number, found: (literal: number, at: number) => void): void;
  /** Length of the longest literal, in bytes. */
  readonly longest: number;
};

/** Bytes of the windows that are looked up, and of the shortest literal there may be. */
const windowLength = 6;
/** The table of windows has so many bits as its index can name: 32 kB, which the first cache holds. */
const tableBits = 18;
/** Windows that are met are looked for in lists of their own, so many that most have none or one. */
const listBits = 12;

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
  const windows = windowsOf(needles, stride);
  // Typed arrays and no objects: a text that repeats a literal's words has a window of it in every line.
  const table = new Uint8Array(1 << (tableBits - 3));
  const first = new Int32Array(1 << listBits).fill(-1);
  const next = new Int32Array(windows.length);
  const hashes = Int32Array.from(windows, ({ hash }) => hash);
  const offsets = Int32Array.from(windows, ({ offset }) => offset);
  const owners = Int32Array.from(windows, ({ literal }) => literal);
  for (const [i, { hash }] of windows.entries()) {
    const bit = hash >>> (32 - tableBits);
    table[bit >>> 3] = (table[bit >>> 3] ?? 0) | (1 << (bit & 7));
    const list = hash >>> (32 - listBits);
    next[i] = first[list] ?? -1;
    first[list] = i;
  }

  /** The next place whose window a literal may have; beyond `last` when there is none. */
  const nextLikely = (view: DataView, from: number, last: number): number => {
    let at = from;
    for (; at <= last; at += stride) {
      const bit = hashAt(view, at) >>> (32 - tableBits);
      if (((table[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0) break;
    }
    return at;
  };

  return {
    longest,
    find(bytes, from, to, found) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const last = to - windowLength;
      for (let at = nextLikely(view, from, last); at <= last; at = nextLikely(view, at + stride, last)) {
        const hash = hashAt(view, at);
        for (let i = first[hash >>> (32 - listBits)] ?? -1; i >= 0; i = next[i] ?? -1) {
          if (hashes[i] !== hash) continue;
          const start = at - (offsets[i] ?? 0);
          const literal = owners[i] ?? 0;
          if (start >= from && stands(needles[literal], bytes, start, to)) found(literal, start);
        }
      }
    },
  };
}

const small = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte);

/**
 * Hashes six bytes, case-insensitively for letters. It makes some other bytes equal, too, which only costs a
 * comparison. Multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, 6.4).
 */
const hashAt = (view: DataView, at: number): number =>
  Math.imul(view.getInt32(at, true) | 0x20202020, 0x9e3779b1) ^
  Math.imul(view.getInt16(at + 4, true) | 0x2020, 0x85ebca6b);

function stands(needle: Uint8Array | undefined, bytes: Uint8Array, start: number, to: number): boolean {
  if (needle === undefined || start + needle.length > to) return false;
  for (let i = 0; i < needle.length; i++) if (small(bytes[start + i] ?? 0) !== needle[i]) return false;
  return true;
}

type Window = { readonly literal: number; readonly offset: number; readonly hash: number };

/** So many windows of each literal as it must have, from where they are seen least. */
function windowsOf(needles: readonly Uint8Array[], stride: number): Window[] {
  const common = commonness(needles);
  return needles.flatMap((needle, literal) => {
    const view = new DataView(needle.buffer);
    const first = rarest(needle, stride, common);
    return Array.from({ length: stride }, (_, i) => ({
      literal,
      offset: first + i,
      hash: hashAt(view, first + i),
    }));
  });
}

type Commonness = (needle: Uint8Array, at: number) => number;

/** Words that the lines of most logs are made of. */
const everyday =
  'connect connection server request client service source config configuration failed failure error status system object ' +
  'register registered current author resource handle memory message container controller kubernetes version update ' +
  'operation user permission migration reason started finished level info warning time ready watch event network address';

/**
 * Returns the frequency of the three bytes at an offset: `fai` or `nec` occur in half of all lines of a log.
 */
function commonness(needles: readonly Uint8Array[]): Commonness {
  const key = (text: Uint8Array, at: number): number =>
    (text[at] ?? 0) | ((text[at + 1] ?? 0) << 8) | ((text[at + 2] ?? 0) << 16);
  const counts = new Map<number, number>();
  const count = (text: Uint8Array, weight: number): void => {
    for (const three of new Set(Array.from({ length: text.length - 2 }, (_, at) => key(text, at))))
      counts.set(three, (counts.get(three) ?? 0) + weight);
  };
  for (const needle of needles) count(needle, 1);
  for (const word of everyday.split(' ')) count(Buffer.from(word), 20);
  return (needle, at) => counts.get(key(needle, at)) ?? 0;
}

/** Returns the best offset for the windows of a literal: its rarest part. */
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
