import { type RefObject, useCallback, useEffect, useState } from 'react';
import type { LogMoves } from './log-lines.tsx';
import type { LogText } from './log-text.ts';

/** Position in a log: folded groups and scrolling to a line. */
export type LogPosition = {
  /** First lines of the folded groups. */
  readonly folded: ReadonlySet<number>;
  /** True when every group is folded; undefined when there is none. */
  readonly allFolded: boolean | undefined;
  readonly fold: (line: number) => void;
  readonly foldAll: () => void;
  /** Shows a line, out of its folded group if need be. Memoised. */
  readonly show: (line: number, column?: number) => void;
};

/** `linked` is the line the address named when the log was opened, from 1: it is shown once it has come. */
export function useLogPosition(
  log: LogText,
  lines: number,
  moves: RefObject<LogMoves | null>,
  linked: number | undefined,
): LogPosition {
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [wanted, setWanted] = useState<{ readonly line: number; readonly column: number | undefined }>();
  const show = useCallback(
    (line: number, column?: number) => {
      const group = log.groups.lastUpTo(line);
      const first = log.groups.at(group);
      if (group >= 0 && line > first && line < log.groupEnd(group)) {
        setFolded((before) =>
          before.has(first) ? new Set([...before].filter((other) => other !== first)) : before,
        );
      }
      setWanted({ line, column });
    },
    [log],
  );
  // After the group is unfolded: the line has a row only then.
  useEffect(() => {
    if (wanted !== undefined) moves.current?.show(wanted.line, wanted.column);
  }, [wanted, moves]);
  const [waitingFor, setWaitingFor] = useState(linked);
  useEffect(() => {
    if (waitingFor === undefined || waitingFor > lines) return;
    setWaitingFor(undefined);
    show(waitingFor - 1);
  }, [waitingFor, lines, show]);
  const fold = useCallback((line: number) => {
    setFolded((before) => {
      const next = new Set(before);
      if (!next.delete(line)) next.add(line);
      return next;
    });
  }, []);
  const groups = log.groups.length;
  const allFolded = groups === 0 ? undefined : folded.size >= groups;
  const foldAll = () =>
    setFolded(
      new Set(allFolded === true ? [] : Array.from({ length: groups }, (_, index) => log.groups.at(index))),
    );
  return { folded, allFolded, fold, foldAll, show };
}
