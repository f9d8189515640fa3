import { useLocalStorage } from '@mantine/hooks';
import {
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useCopy } from '../use-copy.ts';
import type { LogLook } from './log-bar.tsx';
import type { LineRange } from './log-labels.ts';
import { haveTimes, searchedText } from './log-line.ts';
import type { LogMoves } from './log-lines.tsx';
import type { LogSearch } from './log-search.ts';
import type { LogProgress, LogReading } from './read-log.ts';
import { useLogCommands } from './use-log-commands.ts';
import { type LogPosition, useLogPosition } from './use-log-position.ts';
import { type SearchState, useLogSearch } from './use-log-search.ts';

/** By so many lines at its begin it is judged whether a log has times. */
const judgedLines = 100;

type OpenLogOptions = {
  readonly reading: LogReading;
  readonly search: LogSearch;
  readonly picked: LineRange | undefined;
  readonly onPick: (picked: LineRange | undefined) => void;
  /** Storage key of the display options. */
  readonly lookKey: string;
  readonly look: LogLook;
  /** Display options that the address names, before the person's own. */
  readonly named?: Partial<LogLook>;
  /** Hears a change of the display options, for the address. */
  readonly onLook?: (look: LogLook) => void;
};

/** A log that is open, as everything around its lines handles it. */
export type OpenLog = {
  readonly log: LogReading['log'];
  readonly progress: LogProgress;
  readonly picked: LineRange | undefined;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly moves: RefObject<LogMoves | null>;
  readonly look: LogLook;
  readonly setLook: (look: LogLook) => void;
  /** Whether lines have timestamps. */
  readonly timed: boolean;
  /** The part that is at the top of the view; -1 before the first. */
  readonly part: number;
  readonly onTop: (line: number) => void;
  readonly position: LogPosition;
  readonly found: SearchState;
  readonly pick: (line: number, extend: boolean) => void;
  readonly unpick: () => void;
  readonly goTo: (line: number) => void;
  readonly nextError: (step: 1 | -1) => void;
  readonly copying: ReturnType<typeof useCopy>;
};

/** Reads, searches, picks and moves in a log, by keys as well. The lines have the focus once there are any. */
export function useOpenLog(options: OpenLogOptions): OpenLog {
  const { reading, search, picked, onPick, lookKey } = options;
  const { log } = reading;
  const progress = useSyncExternalStore(reading.subscribe, reading.progress);
  const { lines } = progress;
  const [kept, setKept] = useLocalStorage<LogLook>({
    key: lookKey,
    defaultValue: options.look,
    getInitialValueInEffect: false,
  });
  const look = { ...kept, ...options.named };
  const setLook = (next: LogLook) => {
    setKept(next);
    options.onLook?.(next);
  };
  const begun = Math.min(lines, judgedLines);
  const timed = useMemo(
    () => haveTimes(Array.from({ length: begun }, (_, line) => log.line(line))),
    [log, begun],
  );
  const [part, setPart] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const moves = useRef<LogMoves>(null);
  const position = useLogPosition(log, lines, moves, picked?.first);
  const { show } = position;
  const top = useCallback(() => moves.current?.top() ?? 0, []);
  const onTop = useCallback(
    (line: number) => setPart(log.parts.findLastIndex(({ head }) => head <= line)),
    [log],
  );
  const found = useLogSearch(search, look.times, lines, show, top);
  const started = lines > 0;
  useEffect(() => {
    if (started) moves.current?.focus();
  }, [started]);

  const pick = useCallback(
    (line: number, extend: boolean) => {
      const number = line + 1;
      const from = extend ? (picked?.first ?? number) : number;
      onPick({ first: Math.min(from, number), last: Math.max(from, number) });
    },
    [picked, onPick],
  );
  const goTo = (line: number) => {
    show(line);
    pick(line, false);
  };
  const copying = useCopy(() => {
    if (picked === undefined) return '';
    const count = Math.max(0, Math.min(picked.last, log.lines) - picked.first + 1);
    const line = (index: number) => searchedText(log.line(picked.first - 1 + index), look.times);
    return Array.from({ length: count }, (_, index) => line(index)).join('\n');
  });
  const nextError = (step: 1 | -1) => {
    const { errors } = log;
    if (errors.length === 0) return;
    const here = (picked?.first ?? 0) - 1;
    const before = errors.lastUpTo(step === 1 ? here : here - 1);
    goTo(errors.at((before + (step === 1 ? 1 : 0) + errors.length) % errors.length));
  };
  useLogCommands({
    search: () => {
      input.current?.focus();
      input.current?.select();
    },
    nextMatch: found.next,
    nextError,
    move: (step) => {
      let line = picked === undefined ? top() : picked.first - 1 + step;
      // The end of a group has no row.
      while (line > 0 && line < log.lines && log.kind(line) === 'endgroup') line += step;
      if (line >= 0 && line < log.lines) goTo(line);
    },
    toggleWrap: () => setLook({ ...look, wrap: !look.wrap }),
    toggleTimes: () => setLook({ ...look, times: !look.times }),
    foldAll: position.foldAll,
    copy: () => {
      if (picked !== undefined) copying.copy();
    },
  });
  const unpick = () => onPick(undefined);
  return {
    log,
    progress,
    picked,
    input,
    moves,
    look,
    setLook,
    timed,
    part,
    onTop,
    position,
    found,
    pick,
    unpick,
    goTo,
    nextError,
    copying,
  };
}
