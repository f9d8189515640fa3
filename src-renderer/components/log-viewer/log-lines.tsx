import { Button } from '@mantine/core';
import {
  type CSSProperties,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { IconArrowDown } from '../../core/icons/icons.ts';
import { type LineMatch, mostShown } from './line-pieces.ts';
import { formatLines, type LineRange } from './log-labels.ts';
import type { LogLevel } from './log-level.ts';
import css from './log-lines.module.css';
import type { LogMatches } from './log-matches.ts';
import { LogRow } from './log-row.tsx';
import { createLogRows } from './log-rows.ts';
import type { LogText } from './log-text.ts';
import { useLogViewport } from './use-log-viewport.ts';

/** Moves in the lines from outside them. */
export type LogMoves = {
  /** Brings a line into view, and a column of it when lines do not wrap. */
  show(line: number, column?: number): void;
  focus(): void;
  /** The line at the top of the view. */
  top(): number;
};

type LogLinesProps = {
  readonly ref: Ref<LogMoves>;
  readonly name: string;
  readonly log: LogText;
  /** Lines there are now: the log becomes longer while it is read. */
  readonly lines: number;
  readonly folded: ReadonlySet<number>;
  readonly wrap: boolean;
  readonly times: boolean;
  /** Only lines of this level, or of a graver one. */
  readonly level?: LogLevel | undefined;
  /** The end of the log is in view at first. */
  readonly atEnd: boolean;
  readonly picked: LineRange | undefined;
  readonly matches: LogMatches | undefined;
  /** The current match. */
  readonly at: number | undefined;
  readonly addressOf: (line: number) => string;
  readonly onPick: (line: number, extend: boolean) => void;
  readonly onFold: (line: number) => void;
  /** Hears which line is at the top of the view. */
  readonly onTop: (line: number) => void;
};

const noMatches: readonly LineMatch[] = [];

/** Width beside a line's text apart from its number and time, in pixels: padding and the sign. */
const besideText = 28 + 18 + 24;
const timeColumns = 14;
const levelColumns = 8;

/** The lines of a log. Only those near the view exist. */
export function LogLines(props: LogLinesProps) {
  const {
    ref,
    name,
    log,
    lines,
    folded,
    wrap,
    times,
    level,
    atEnd,
    picked,
    matches,
    at,
    addressOf,
    onPick,
    onFold,
    onTop,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const ruler = useRef<HTMLSpanElement>(null);
  const digits = Math.max(3, String(lines).length);
  const width = useTextWidth(scroller, ruler);
  const levels = log.levels && log.errors.length + log.warnings.length > 0;
  const beside = (times ? timeColumns : 0) + (levels ? levelColumns : 0);
  const columns =
    wrap && width !== undefined
      ? Math.max(20, Math.floor((width.available - besideText) / width.character) - digits - beside)
      : undefined;
  const rows = useMemo(() => createLogRows(log, folded, columns, level), [log, folded, columns, level]);
  // Takes up only what came since; doing so twice changes nothing.
  rows.extend();
  const viewport = useLogViewport(scroller, rows, lines, atEnd);
  const { drawn } = viewport;
  // Scrolled up, the view stays where it is while lines come below it.
  const [leftAt, setLeftAt] = useState<number>();
  const isAway = atEnd && !viewport.isAtEnd;
  if (isAway && leftAt === undefined) setLeftAt(lines);
  if (!isAway && leftAt !== undefined) setLeftAt(undefined);
  const topLine = rows.lineAt(viewport.topRow);
  useLayoutEffect(() => onTop(topLine), [onTop, topLine]);

  useImperativeHandle(ref, () => ({
    show(line, column) {
      viewport.show(rows.rowOf(line));
      const element = scroller.current;
      if (element === null || width === undefined) return;
      const x = column === undefined || wrap ? 0 : Math.min(column, mostShown) * width.character;
      const available = element.clientWidth - besideText - digits * width.character;
      if (x < element.scrollLeft || x > element.scrollLeft + available - 10 * width.character)
        element.scrollLeft = Math.max(0, x - available / 2);
    },
    focus: () => scroller.current?.focus({ preventScroll: true }),
    top: () => topLine,
  }));

  const firstLine = rows.lineAt(drawn.first);
  const lastLine = rows.lineAt(Math.max(drawn.first, drawn.last - 1));
  const byLine = useMemo(
    () => matchesByLine(matches, at, firstLine, lastLine),
    [matches, at, firstLine, lastLine],
  );
  const widest = Math.min(log.widest, mostShown + 40);
  const rowStyle: CSSProperties = {
    height: viewport.height,
    ...(!wrap && {
      minWidth: `calc(${digits + widest + beside}ch + ${besideText}px)`,
    }),
  };
  const drawnLines = Array.from({ length: drawn.last - drawn.first }, (_, index) =>
    rows.lineAt(drawn.first + index),
  );
  return (
    <div className={css.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section ref={scroller} className={css.scroller} aria-label={name} tabIndex={0}>
        <span ref={ruler} className={css.ruler} aria-hidden="true">
          {'0'.repeat(rulerCharacters)}
        </span>
        <div className={css.room} style={rowStyle}>
          <ol
            className={css.lines}
            data-wrap={wrap}
            style={{ top: drawn.top, '--log-digits': digits } as CSSProperties}
          >
            {drawnLines.map((line) => {
              const kind = log.kind(line);
              const group = kind === 'group' ? log.groups.lastUpTo(line) : undefined;
              return (
                <LogRow
                  key={line}
                  line={line}
                  raw={log.line(line)}
                  kind={kind}
                  times={times}
                  levels={levels}
                  picked={picked !== undefined && line + 1 >= picked.first && line + 1 <= picked.last}
                  matches={byLine.get(line) ?? noMatches}
                  groupLines={group === undefined ? undefined : log.groupEnd(group) - line - 1}
                  folded={folded.has(line)}
                  address={addressOf(line)}
                  onPick={onPick}
                  onFold={onFold}
                />
              );
            })}
          </ol>
        </div>
      </section>
      <div className={css.behind} role="status">
        {leftAt !== undefined && (
          <Button size="xs" onClick={viewport.toEnd} rightSection={<IconArrowDown size={14} aria-hidden />}>
            {lines === leftAt ? 'Paused here' : `${formatLines(lines - leftAt)} more`}. Go to the end
          </Button>
        )}
      </div>
    </div>
  );
}

/** The matches of the lines that are drawn. */
function matchesByLine(
  matches: LogMatches | undefined,
  at: number | undefined,
  first: number,
  last: number,
): ReadonlyMap<number, readonly LineMatch[]> {
  const byLine = new Map<number, LineMatch[]>();
  if (matches === undefined) return byLine;
  for (let index = matches.firstFrom(first); index < matches.count; index++) {
    const { line, start, length } = matches.match(index);
    if (line > last) break;
    const known = byLine.get(line);
    const match = { start, length, current: index === at };
    if (known === undefined) byLine.set(line, [match]);
    else known.push(match);
  }
  return byLine;
}

const rulerCharacters = 100;

/** Pixels of the scroller's room and of one character; undefined until they are measured. */
function useTextWidth(
  scroller: RefObject<HTMLElement | null>,
  ruler: RefObject<HTMLElement | null>,
): { readonly available: number; readonly character: number } | undefined {
  const [width, setWidth] = useState<{ available: number; character: number }>();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const character = (ruler.current?.getBoundingClientRect().width ?? 0) / rulerCharacters;
      const width = element.clientWidth;
      if (character > 0)
        setWidth((before) =>
          before?.available === width && before.character === character
            ? before
            : { available: width, character },
        );
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, [scroller, ruler]);
  return width;
}
