import { type LogStyle, piecesOf } from './ansi.ts';
import { partsOf, plainText } from './log-line.ts';

/** A match in a line's searched text. */
export type LineMatch = { readonly start: number; readonly length: number; readonly current: boolean };

export type ShownPiece = {
  readonly text: string;
  readonly style: LogStyle;
  readonly hit?: 'found' | 'current';
};

/** A line as it is drawn. */
export type ShownLine = {
  /** The time GitHub wrote before it, in full; absent when it has none. */
  readonly stamp?: string;
  readonly stampHit: boolean;
  /** A match in the mark, which is drawn as a shape: `##[error]`. */
  readonly markHit?: 'found' | 'current';
  readonly pieces: readonly ShownPiece[];
  /** Characters left out before and after what is shown. */
  readonly before: number;
  readonly after: number;
};

/** Characters of a line that are drawn at most: a whole minified file on one line must not stop the page. */
export const mostShown = 4000;

/** Characters of a line that are looked at to draw it. */
const mostRead = 1_000_000;

/**
 * Cuts a line into pieces of one look: its colours, and the matches in it. A line too long to draw is shown from its
 * begin, or around its current match. `times` says that matches count from the time before the line.
 */
export function shownLine(raw: string, times: boolean, matches: readonly LineMatch[]): ShownLine {
  const { message, mark } = partsOf(raw, 0, raw.length);
  const stamp = plainText(raw.slice(0, message));
  const offset = (times ? stamp.length : 0) + mark;
  const inText = matches.map((match) => ({ ...match, start: match.start - offset }));
  const all = piecesOf(raw.slice(message + mark, message + mark + mostRead));
  const length = all.reduce((sum, { text }) => sum + text.length, 0);
  const unread = Math.max(0, raw.length - message - mark - mostRead);
  const wanted = inText.find(({ current }) => current)?.start ?? 0;
  const from =
    wanted < mostShown - 200 ? 0 : Math.max(0, Math.min(length - mostShown, wanted - mostShown / 2));
  const to = Math.min(length, from + mostShown);
  const pieces: ShownPiece[] = [];
  let at = 0;
  for (const { text, style } of all) {
    cut(text, at, from, to, inText, (piece, hit) =>
      pieces.push({ text: piece, style, ...(hit !== undefined && { hit }) }),
    );
    at += text.length;
  }
  const inMark = inText.filter(({ start, length }) => start < 0 && start + length > -mark);
  const markHit = inMark.some(({ current }) => current) ? 'current' : 'found';
  return {
    ...(mark > 0 && inMark.length > 0 && { markHit }),
    ...(stamp !== '' && { stamp: stamp.trimEnd() }),
    stampHit: inText.some(({ start }) => start < -mark),
    pieces,
    before: from,
    after: length - to + unread,
  };
}

/** Cuts the text that begins at `at` at the ends of what is shown and at the ends of each match. */
function cut(
  text: string,
  at: number,
  from: number,
  to: number,
  matches: readonly LineMatch[],
  push: (piece: string, hit: ShownPiece['hit']) => void,
): void {
  const end = Math.min(to, at + text.length);
  let position = Math.max(from, at);
  for (const { start, length, current } of matches) {
    const begin = Math.max(position, start);
    const until = Math.min(end, start + length);
    if (begin >= until) continue;
    if (begin > position) push(text.slice(position - at, begin - at), undefined);
    push(text.slice(begin - at, until - at), current ? 'current' : 'found');
    position = until;
  }
  if (position < end) push(text.slice(position - at, end - at), undefined);
}
