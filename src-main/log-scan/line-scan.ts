import { createLiteralFinder, type LiteralFinder } from './literal-finder.ts';

/** A line that holds a literal. */
export type LineHit = {
  /** Index of the literal. */
  readonly literal: number;
  /** 1-based. */
  readonly line: number;
  /** Offset of the line's first byte in the text. */
  readonly offset: number;
  /** The line; of a longer one at most 4,096 bytes around the literal. */
  readonly text: string;
  /** Characters of `text` before the literal. */
  readonly column: number;
  /** The line before it, if there is one. */
  readonly before: readonly string[];
  /** The lines that go on with it, as those of a stack trace do, and the one after them. */
  readonly after: readonly string[];
};

/** One text, as its bytes come. */
export type LineScan = {
  /** The bytes may be used for something else once it returns. */
  feed(bytes: Buffer): LineHit[];
  /** There is no more: what was held back for the lines after it. */
  end(): LineHit[];
  /** Lines that hold a literal, by its index, once one does; of those only the first and the last are given. */
  readonly counts: readonly number[];
};

export type LogScanner = {
  /** `most`: first hits of a literal that are given, with the last one, where that is not `mostHits`. */
  begin(most?: (literal: number) => number): LineScan;
};

/** First hits of one literal in one text that are given, with the last one: a log may say the same a million times. */
export const mostHits = 100;

/** Bytes of a line that are decoded around a literal, and of those the bytes before it. */
const longestShown = 4096;
const shownBefore = 1024;
/** Bytes of a line of context that are decoded. */
const longestContext = 400;
/** Bytes that are held back at most while the end of a line is waited for. */
const longestHeld = 64 * 1024;
/** Lines of a stack trace that are kept. */
const mostContinued = 12;
/** A line that goes on with the one before it: indented, or as Java and Python begin one. */
const continuation =
  /^(?:\s|at |Caused by|\.\.\. \d+ more|During handling|The above exception|goroutine \d+)/;

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Looks through texts of any size for literals, in memory that does not grow with them: bytes are looked at as they lie,
 * and only lines that hold a literal are decoded. A literal does not reach over the end of a line.
 */
export function createLogScanner(literals: readonly string[]): LogScanner {
  const finder = createLiteralFinder(literals);
  return {
    begin: (most = () => mostHits) => beginScan(finder, literals.length, most),
  };
}

/**
 * A match of a literal: its offset in the bytes at hand, the end of its line there, and that line's number in
 * the text.
 */
type Match = {
  readonly literal: number;
  readonly at: number;
  readonly end: number;
  readonly line: number;
  readonly lineStart: number;
};

/** A line with hits that waits for the lines after it, which its hits share with what was before it. */
type OpenLine = {
  readonly offset: number;
  readonly before: readonly string[];
  readonly after: string[];
  readonly hits: LineHit[];
};

function beginScan(finder: LiteralFinder, literals: number, most: (literal: number) => number): LineScan {
  /** By literal; most texts hold none. */
  let counts: number[] = [];
  /** By literal: where the line ends that it was found in last, of the text. */
  let lastEnds: number[] = [];
  let open: OpenLine[] = [];
  /** By literal: the newest beyond the first ones. */
  const newest = new Map<number, LineHit>();
  const held = createHolder();
  /**
   * Offsets in the text: the start of the buffered bytes, the end of the searched part, and the end of the
   * part whose lines were counted.
   */
  let base = 0;
  let searched = 0;
  let counted = 0;
  /** Lines that ended before `counted`, and where the line begins that is there. */
  let lines = 0;
  let lineStart = 0;
  /**
   * Offset in the text up to which lines were passed on to those waiting for them, and whether it lies inside
   * a long line.
   */
  let given = 0;
  let isInside = false;

  const countTo = (data: Buffer, to: number): void => {
    for (
      let at = data.indexOf(newline, counted - base);
      at >= 0 && base + at < to;
      at = data.indexOf(newline, at + 1)
    ) {
      lines += 1;
      lineStart = base + at + 1;
    }
    counted = Math.max(counted, to);
  };

  /** Gives the lines between two places to those that wait for them; what has enough is no longer open. */
  const goOn = (data: Buffer, from: number, to: number): LineHit[] => {
    const closed: LineHit[] = [];
    for (let at = from; at < to && open.length > 0; ) {
      const end = lineEnd(data, at, to);
      const text = shown(data, at, Math.min(end, at + longestContext));
      const goesOn = continuation.test(text);
      const still: OpenLine[] = [];
      for (const line of open) {
        if (base + at > line.offset) line.after.push(text);
        if ((goesOn && line.after.length < mostContinued) || base + at <= line.offset) still.push(line);
        else closed.push(...line.hits);
      }
      open = still;
      at = end + 1;
    }
    return closed;
  };

  /** Returns the start of the next whole line not yet passed on. */
  const nextGiven = (data: Buffer, to: number): number => {
    if (!isInside) return given - base;
    const end = data.indexOf(newline, given - base);
    if (end < 0 || end >= to) return to;
    isInside = false;
    return end + 1;
  };

  const beforeOf = (data: Buffer, { lineStart: start }: Match): string[] =>
    start - base > 0 ? [lineBefore(data, start - base)] : [];

  const hitAt = (data: Buffer, { literal, at, end, line, lineStart: start }: Match) => {
    const from = Math.max(0, start - base, at - shownBefore);
    const ahead = data.toString('utf8', from, at);
    return {
      literal,
      line,
      offset: start,
      text: ahead + shown(data, at, Math.min(end, from + longestShown)),
      column: ahead.length,
    };
  };

  /** Hits in the bytes up to `to`; `isWhole`: `to` is the end of a line, else the middle of a long one. */
  const search = (data: Buffer, to: number, isWhole: boolean): LineHit[] => {
    const matches: { readonly literal: number; readonly at: number }[] = [];
    const until = isWhole ? to : Math.max(0, to - finder.longest + 1);
    finder.find(data, Math.max(0, searched - base), to, (literal, at) => {
      if (at < until) matches.push({ literal, at });
    });
    searched = base + until;
    matches.sort((a, b) => a.at - b.at);
    const closed: LineHit[] = [];
    const late = new Map<number, Match>();
    let coveredTo = nextGiven(data, to);
    if (counts.length === 0 && matches.length > 0) {
      counts = new Array<number>(literals).fill(0);
      lastEnds = new Array<number>(literals).fill(-1);
    }
    for (const { literal, at } of matches) {
      if (base + at < (lastEnds[literal] ?? 0)) continue;
      const end = lineEnd(data, at, to);
      lastEnds[literal] = base + end;
      counts[literal] = (counts[literal] ?? 0) + 1;
      countTo(data, base + at);
      if ((counts[literal] ?? 0) > most(literal)) {
        late.set(literal, { literal, at, end, line: lines + 1, lineStart });
        continue;
      }
      const start = Math.max(0, lineStart - base);
      if (start > coveredTo) {
        closed.push(...goOn(data, coveredTo, start));
        coveredTo = start;
      }
      const match = { literal, at, end, line: lines + 1, lineStart };
      const line = open.at(-1)?.offset === lineStart ? open.at(-1) : undefined;
      const { offset, before, after, hits } = line ?? {
        offset: lineStart,
        before: beforeOf(data, match),
        after: [],
        hits: [],
      };
      if (line === undefined) open.push({ offset, before, after, hits });
      hits.push({ ...hitAt(data, match), before, after });
    }
    for (const [literal, match] of late)
      newest.set(literal, {
        ...hitAt(data, match),
        before: beforeOf(data, match),
        after: following(data, match.end + 1, to),
      });
    if (isWhole) closed.push(...goOn(data, coveredTo, to));
    else {
      // What waits for the lines after a line without an end has waited long enough.
      closed.push(...hitsOf(open));
      open = [];
      isInside = true;
    }
    given = base + to;
    return closed;
  };

  return {
    get counts() {
      return counts;
    },
    feed(bytes) {
      const data = held.with(bytes);
      const end = data.lastIndexOf(newline) + 1;
      const isLong = data.length - end > longestHeld;
      const closed = end > searched - base || isLong ? search(data, isLong ? data.length : end, !isLong) : [];
      countTo(data, base + (isLong ? data.length : end));
      // The last line stays, for what comes after it, or what of a long one may still be shown.
      const keep = isLong ? data.length - shownBefore - finder.longest : startOfLine(data, end - 1);
      held.keep(data, keep);
      base += keep;
      return closed;
    },
    end() {
      const last = held.with(Buffer.alloc(0));
      const closed = search(last, last.length, true);
      const rest = hitsOf(open);
      open = [];
      return [...closed, ...rest, ...newest.values()];
    },
  };
}

const hitsOf = (lines: readonly OpenLine[]): LineHit[] => lines.flatMap(({ hits }) => hits);

/** Bytes that are kept from one piece of a text to the next, in a buffer that is used again: a new one a piece is work for the collector. */
type Holder = {
  /** Returns the kept bytes followed by more; valid until the next call. */
  with(bytes: Buffer): Buffer;
  /** Keeps the bytes of what `with` gave from a place on. */
  keep(data: Buffer, from: number): void;
};

function createHolder(): Holder {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  /** Whether what was given last lies in `room`. */
  let isOwn = false;
  const ensureCapacity = (wanted: number): void => {
    if (wanted <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(wanted * 2);
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    with(bytes) {
      isOwn = length > 0;
      if (!isOwn) return bytes;
      ensureCapacity(length + bytes.length);
      bytes.copy(buffer, length);
      return buffer.subarray(0, length + bytes.length);
    },
    keep(data, from) {
      const kept = data.length - from;
      if (isOwn) buffer.copyWithin(0, from, data.length);
      else {
        length = 0;
        ensureCapacity(kept);
        data.copy(buffer, 0, from);
      }
      length = kept;
    },
  };
}

/** Returns the end of a line, without its line terminator. */
function lineEnd(data: Buffer, at: number, to: number): number {
  const end = data.indexOf(newline, at);
  return end < 0 || end > to ? to : end;
}

/** Returns the start of the line that contains an offset. */
function startOfLine(data: Buffer, at: number): number {
  return at <= 0 ? 0 : data.lastIndexOf(newline, at - 1) + 1;
}

/** Whole lines that go on with the one before them, and the one after those. */
function following(data: Buffer, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let at = from; at < to && lines.length < mostContinued; ) {
    const end = lineEnd(data, at, to);
    const text = shown(data, at, Math.min(end, at + longestContext));
    lines.push(text);
    if (!continuation.test(text)) break;
    at = end + 1;
  }
  return lines;
}

function lineBefore(data: Buffer, start: number): string {
  const from = startOfLine(data, start - 1);
  return shown(data, from, Math.min(start - 1, from + longestContext));
}

/** Bytes that are no UTF-8 are shown as U+FFFD, as everywhere. */
function shown(data: Buffer, from: number, to: number): string {
  return data.toString('utf8', from, to > from && data[to - 1] === carriageReturn ? to - 1 : to);
}
