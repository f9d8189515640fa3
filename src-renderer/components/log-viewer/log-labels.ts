import { counted } from '#shared/text.ts';
import type { LogMatches } from './log-matches.ts';
import type { LogProgress } from './read-log.ts';

/** A number as it is read: `200,000`. */
export const formatNumber = (value: number): string => value.toLocaleString('en');

/** Lines in words. */
export const formatLines = (lines: number): string => counted(lines, 'line');

/** Bytes in the unit a person compares, as the console counts its 50 MB: `840 kB`, `14.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < mega ? `${Math.round(bytes / 1024)} kB` : `${(bytes / mega).toFixed(1)} MB`;
}

const mega = 1024 * 1024;

/** Formats how much of the log has been read. */
export function formatProgress({ phase, lines, bytes }: LogProgress): string {
  const size = `${formatLines(lines)}, ${formatSize(bytes)}`;
  if (phase === 'asking') return 'Requesting the log';
  return phase === 'reading' ? `Reading, ${size}` : size;
}

/** Formats the result of a search. `at` is the index of the current match, from 0. */
export function formatMatch(matches: LogMatches | undefined, at: number | undefined): string {
  if (matches === undefined || matches.trouble !== undefined) return '';
  const { count, capped, done } = matches;
  if (count === 0) return done ? 'No match' : 'Searching';
  const total = `${formatNumber(count)}${capped || !done ? '+' : ''}`;
  if (at === undefined) return `${total} ${count === 1 ? 'match' : 'matches'}`;
  return `${formatNumber(at + 1)} of ${total}`;
}

/** Lines of the log that are picked, counted from 1 as people do; both ends are in it. */
export type LineRange = { readonly first: number; readonly last: number };

/** Reads `120` or `120-140` out of the address. */
export function rangeOf(record: string | null): LineRange | undefined {
  const [, first, last] = /^([1-9]\d{0,9})(?:-([1-9]\d{0,9}))?$/.exec(record ?? '') ?? [];
  if (first === undefined) return undefined;
  const ends = [Number(first), Number(last ?? first)] as const;
  return { first: Math.min(...ends), last: Math.max(...ends) };
}

/** The range as the address has it. */
export const formatRange = ({ first, last }: LineRange): string =>
  first === last ? String(first) : `${first}-${last}`;
