import { LogBar } from './log-bar.tsx';
import { formatLines, formatMatch, type LineRange } from './log-labels.ts';
import type { LogLevel } from './log-level.ts';
import { LogLines } from './log-lines.tsx';
import { LogPartBar } from './log-part-bar.tsx';
import type { OpenLog } from './use-open-log.ts';

/** The search of an open log, and how its lines are shown. */
export function OpenLogBar({ open }: { readonly open: OpenLog }) {
  const { log, input, moves, look, setLook, timed, position, found, nextError } = open;
  return (
    <LogBar
      inputRef={input}
      wanted={found.wanted}
      onWanted={found.setWanted}
      found={formatMatch(found.matches, found.at)}
      trouble={found.matches?.trouble}
      onNext={found.next}
      onLeave={() => moves.current?.focus()}
      look={look}
      onLook={setLook}
      timed={timed}
      allFolded={position.allFolded}
      onFoldAll={position.foldAll}
      errors={log.errors.length}
      onError={() => nextError(1)}
    />
  );
}

type OpenLogLinesProps = {
  readonly open: OpenLog;
  /** The address of the log with lines of it picked, or none. */
  readonly addressOf: (picked: LineRange | undefined) => string;
  /** False where a log has no parts: the bar above the lines is there only for lines that are picked. */
  readonly hasParts: boolean;
  /** True for a log that is followed: its end is in view, and stays there. */
  readonly atEnd: boolean;
  /** Only lines of this level, or of a graver one. */
  readonly level?: LogLevel | undefined;
};

/** The lines of an open log under what can be done with those that are picked. */
export function OpenLogLines({ open, addressOf, hasParts, atEnd, level }: OpenLogLinesProps) {
  const { log, progress, picked, moves, look, timed, part, onTop, position, found, pick, unpick, copying } =
    open;
  return (
    <>
      {(hasParts || picked !== undefined) && (
        <LogPartBar
          part={log.parts[part]?.name}
          picked={picked}
          address={addressOf(picked)}
          said={copying.said}
          onCopy={copying.copy}
          onUnpick={unpick}
        />
      )}
      <LogLines
        ref={moves}
        name={`Lines of the log, ${formatLines(progress.lines)}`}
        log={log}
        lines={progress.lines}
        folded={position.folded}
        wrap={look.wrap}
        times={look.times && timed}
        atEnd={atEnd}
        level={level}
        picked={picked}
        matches={found.matches}
        at={found.at}
        addressOf={(line) => addressOf({ first: line + 1, last: line + 1 })}
        onPick={pick}
        onFold={position.fold}
        onTop={onTop}
      />
    </>
  );
}
