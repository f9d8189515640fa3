import type { LogLevel } from './log-level.ts';
import type { LogText } from './log-text.ts';
import { createNumberList } from './number-list.ts';

/** The rows that are there to be seen: lines without those of folded groups, each as high as it wraps. */
export type LogRows = {
  readonly count: number;
  /** Height of all of them, in text rows: a line that wraps has several. */
  readonly height: number;
  lineAt(row: number): number;
  /** The row of a line; of a hidden line the row that stands for it. */
  rowOf(line: number): number;
  /** Text rows above a row. */
  topOf(row: number): number;
  /** The row at a height in text rows. */
  rowAt(height: number): number;
  /** Takes up lines that came since. */
  extend(): void;
};

/**
 * Rows of a log. `folded` holds the first lines of folded groups; `columns` is the width lines wrap at, undefined when
 * they do not; with a `level` only lines of that level or a graver one have a row.
 */
export function createLogRows(
  log: LogText,
  folded: ReadonlySet<number>,
  columns: number | undefined,
  level?: LogLevel,
): LogRows {
  const lines = createNumberList(65_536);
  const tops = createNumberList(columns === undefined ? 1 : 65_536);
  let next = 0;
  let hiding = false;
  let height = 0;
  const extend = (): void => {
    for (; next < log.lines; next++) {
      const kind = log.kind(next);
      if (kind === 'group' || kind === 'endgroup' || kind === 'head') hiding = false;
      // The end of a group says nothing to a reader.
      if (hiding || kind === 'endgroup' || !isShown(kind, level)) continue;
      lines.push(next);
      if (columns !== undefined) tops.push(height);
      height += columns === undefined ? 1 : Math.max(1, Math.ceil(log.width(next) / columns));
      hiding = kind === 'group' && folded.has(next);
    }
  };
  extend();
  const within = (row: number): number => Math.max(0, Math.min(lines.length - 1, row));
  return {
    get count() {
      return lines.length;
    },
    get height() {
      return height;
    },
    lineAt: (row) => lines.at(row),
    rowOf: (line) => within(lines.lastUpTo(line)),
    topOf: (row) => (row >= lines.length ? height : columns === undefined ? row : tops.at(row)),
    rowAt: (wanted) => within(columns === undefined ? Math.floor(wanted) : tops.lastUpTo(Math.floor(wanted))),
    extend,
  };
}

/** Levels from the gravest on. */
const gravity: readonly string[] = ['error', 'warning'];

function isShown(kind: string, level: LogLevel | undefined): boolean {
  if (level === undefined || level === 'debug') return true;
  const rank = gravity.indexOf(kind);
  return rank >= 0 && rank <= gravity.indexOf(level);
}
