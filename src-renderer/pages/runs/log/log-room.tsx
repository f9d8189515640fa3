import { useLocalStorage } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { anyLayerOpen } from '../../../app/any-layer-open.ts';
import { isSignedOut } from '../../../app/failure.ts';
import { signInQuery } from '../../../app/queries.ts';
import { FailurePanel } from '../../../components/failure-panel.tsx';
import { isUnderWay } from '../../../components/run-state.ts';
import { saveFile } from '../../../components/save-file.ts';
import { Waiting } from '../../../components/skeleton.tsx';
import { useCopy } from '../../../components/use-copy.ts';
import { LogBar, type LogLook } from './log-bar.tsx';
import { LogHead } from './log-head.tsx';
import { searchedText } from './log-line.ts';
import { LogLines, type LogMoves } from './log-lines.tsx';
import { LogNotices } from './log-notices.tsx';
import { LogOutline } from './log-outline.tsx';
import { LogPartBar } from './log-part-bar.tsx';
import { LogRefused } from './log-refused.tsx';
import css from './log-room.module.css';
import type { LogSearch } from './log-search.ts';
import type { LogViewerProps } from './log-viewer.tsx';
import { linesWords, matchWords } from './log-words.ts';
import type { LogReading } from './read-log.ts';

import { useLogCommands } from './use-log-commands.ts';
import { useLogPlace } from './use-log-place.ts';
import { useLogSearch } from './use-log-search.ts';

type LogRoomProps = LogViewerProps & {
  readonly reading: LogReading;
  readonly search: LogSearch;
  readonly onAgain: () => void;
};

/** An open log: its head, its search, its lines and what is in them. */
export function LogRoom(props: LogRoomProps) {
  const { repo, runId, run, picked, addressOf, onPick, onClose, reading, search, onAgain } = props;
  const { log } = reading;
  const progress = useSyncExternalStore(reading.subscribe, reading.progress);
  const { lines, phase } = progress;
  const [look, setLook] = useLocalStorage<LogLook>({
    key: 'console.log',
    defaultValue: { wrap: false, times: false },
    getInitialValueInEffect: false,
  });
  const [part, setPart] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const moves = useRef<LogMoves>(null);
  const place = useLogPlace(log, lines, moves, picked?.first);
  const { show } = place;
  const top = useCallback(() => moves.current?.top() ?? 0, []);
  const onTop = useCallback(
    (line: number) => setPart(log.parts.findLastIndex(({ head }) => head <= line)),
    [log],
  );
  const found = useLogSearch(search, look.times, lines, show, top);
  const leaveSearch = () => moves.current?.focus();
  const started = lines > 0;
  useEffect(() => {
    if (started) moves.current?.focus();
  }, [started]);
  useEscape(input, onClose);

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
    foldAll: place.foldAll,
    copy: () => {
      if (picked !== undefined) copying.copy();
    },
  });

  return (
    <section className={css.room} aria-label={`Log of run ${runId}`}>
      <LogHead
        repo={repo}
        runId={runId}
        run={run}
        progress={progress}
        onStop={reading.stop}
        onSave={() => saveFile(`${repo}-${runId}.log`, 'text/plain', ...log.pieces)}
        onClose={onClose}
      />
      {lines > 0 && (
        <LogBar
          inputRef={input}
          wanted={found.wanted}
          onWanted={found.setWanted}
          found={matchWords(found.matches, found.at)}
          trouble={found.matches?.trouble}
          onNext={found.next}
          onLeave={leaveSearch}
          look={look}
          onLook={setLook}
          allFolded={place.allFolded}
          onFoldAll={place.foldAll}
          errors={log.errors.length}
          onError={() => nextError(1)}
        />
      )}
      <LogNotices log={log} progress={progress} onAgain={onAgain} />
      {lines > 0 ? (
        <div className={css.body}>
          <LogOutline log={log} lines={lines} here={part} onShow={goTo} />
          <div className={css.text}>
            <LogPartBar
              part={log.parts[part]?.name}
              picked={picked}
              address={addressOf(picked)}
              said={copying.said}
              onCopy={copying.copy}
              onUnpick={() => onPick(undefined)}
            />
            <LogLines
              ref={moves}
              name={`Lines of the log, ${linesWords(lines)}`}
              log={log}
              lines={lines}
              folded={place.folded}
              wrap={look.wrap}
              times={look.times}
              picked={picked}
              matches={found.matches}
              at={found.at}
              addressOf={(line) => addressOf({ first: line + 1, last: line + 1 })}
              onPick={pick}
              onFold={place.fold}
              onTop={onTop}
            />
          </div>
        </div>
      ) : (
        <div className={css.instead}>
          {phase === 'refused' && progress.error !== undefined && (
            <Refused {...props} error={progress.error} />
          )}
          {(phase === 'asking' || phase === 'reading') && <Waiting words="The code host packs the log" />}
          {phase === 'done' && (
            <FailurePanel state="idle" word="Empty" title="This log has no lines">
              <p>It was read to its end. The run wrote nothing.</p>
            </FailurePanel>
          )}
        </div>
      )}
    </section>
  );
}

type RefusedProps = Pick<LogRoomProps, 'run' | 'onAgain'> & {
  readonly error: NonNullable<ReturnType<LogReading['progress']>['error']>;
};

/** Why there is no log. A session that has ended is noticed, as with every other call. */
function Refused({ run, onAgain, error }: RefusedProps) {
  const client = useQueryClient();
  useEffect(() => {
    if (isSignedOut(error)) client.invalidateQueries({ queryKey: signInQuery.queryKey });
  }, [error, client]);
  return (
    <LogRefused
      error={error}
      underWay={run === undefined ? undefined : isUnderWay(run.state)}
      url={run?.url}
      onAgain={onAgain}
    />
  );
}

/** Closes on Esc, unless a layer or the search takes it. */
function useEscape(input: React.RefObject<HTMLElement | null>, onClose: () => void): void {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || anyLayerOpen()) return;
    if (event.target === input.current) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    // Before anybody else, as every panel does: a layer that closes on this very press is still seen to be open.
    window.addEventListener('keydown', onEscape, true);
    return () => window.removeEventListener('keydown', onEscape, true);
  }, []);
}
