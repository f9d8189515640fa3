import { expressionOf, findInPiece, type LogQuery, numbersPerMatch } from './log-find.ts';
import type { SearchAnswer, SearchRequest } from './log-search-messages.ts';

/** Milliseconds of work between reports; messages are received in between. */
const stretchMs = 25;

/** Matches that are kept at most. */
const mostMatches = 100_000;

const pieces: string[] = [];
let requested: { id: number; query: LogQuery; expression: RegExp } | undefined;
let piece = 0;
let lineInPiece = 0;
let linesBefore = 0;
let count = 0;
let scheduled = false;

/** Looks on for a while, tells, and comes back: a regular expression that never ends is stopped from outside. */
function lookOn(): void {
  scheduled = false;
  if (requested === undefined) return;
  const { id, query, expression } = requested;
  const until = performance.now() + stretchMs;
  const found: number[] = [];
  const total = () => count + found.length / numbersPerMatch;
  const mayGoOn = () => performance.now() < until && total() < mostMatches;
  while (piece < pieces.length && (lineInPiece > 0 || mayGoOn())) {
    const lines = (pieces[piece] ?? '').split('\n').slice(0, -1);
    const next = findInPiece(lines, lineInPiece, linesBefore, expression, query.times, found, mayGoOn);
    lineInPiece = next ?? 0;
    if (next !== undefined) break;
    linesBefore += lines.length;
    piece++;
  }
  count = total();
  const capped = count >= mostMatches;
  const done = piece >= pieces.length;
  const matches = Uint32Array.from(found);
  const answer: SearchAnswer = { id, matches, searched: linesBefore + lineInPiece, done, capped };
  postMessage(answer, { transfer: [matches.buffer] });
  if (!done && !capped) schedule();
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setTimeout(lookOn, 0);
}

addEventListener('message', ({ data }: MessageEvent<SearchRequest>) => {
  if (data.kind === 'pieces') {
    pieces.push(...data.pieces);
  } else {
    const expression = expressionOf(data.query);
    requested = typeof expression === 'string' ? undefined : { id: data.id, query: data.query, expression };
    piece = 0;
    lineInPiece = 0;
    linesBefore = 0;
    count = 0;
  }
  schedule();
});
