import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { FailurePanel } from '../../../components/failure-panel.tsx';
import { LogNotices } from '../../../components/log-viewer/log-notices.tsx';
import type { LogSearch } from '../../../components/log-viewer/log-search.ts';
import { OpenLogBar, OpenLogLines } from '../../../components/log-viewer/open-log-parts.tsx';
import type { LogReading } from '../../../components/log-viewer/read-log.ts';
import { useOpenLog } from '../../../components/log-viewer/use-open-log.ts';
import { isUnderWay } from '../../../components/run-state.ts';
import { saveFile } from '../../../components/save-file.ts';
import { Waiting } from '../../../components/skeleton.tsx';
import { anyLayerOpen } from '../../../core/any-layer-open.ts';
import { isSignedOut } from '../../../core/failure.ts';
import { signInQuery } from '../../../core/queries.ts';
import { LogHead } from './log-head.tsx';
import { LogOutline } from './log-outline.tsx';
import { LogRefused } from './log-refused.tsx';
import css from './log-view.module.css';
import type { LogViewerProps } from './log-viewer.tsx';

type LogViewProps = LogViewerProps & {
  readonly reading: LogReading;
  readonly search: LogSearch;
  readonly onAgain: () => void;
};

/** An open log: its head, its search, its lines and what is in them. */
export function LogView(props: LogViewProps) {
  const { repo, runId, run, picked, addressOf, onPick, onClose, reading, search, onAgain } = props;
  const open = useOpenLog({
    reading,
    search,
    picked,
    onPick,
    lookKey: 'console.log',
    look: { wrap: false, times: false },
  });
  const { log, progress, input } = open;
  const { lines, phase } = progress;
  useEscape(input, onClose);

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
      {lines > 0 && <OpenLogBar open={open} />}
      <LogNotices log={log} progress={progress} onAgain={onAgain} />
      {lines > 0 ? (
        <div className={css.body}>
          <LogOutline log={log} lines={lines} here={open.part} onShow={open.goTo} />
          <div className={css.text}>
            <OpenLogLines open={open} addressOf={addressOf} hasParts atEnd={false} />
          </div>
        </div>
      ) : (
        <div className={css.instead}>
          {phase === 'refused' && progress.error !== undefined && (
            <Refused {...props} error={progress.error} />
          )}
          {(phase === 'asking' || phase === 'reading') && (
            <Waiting label="The code host is preparing the log" />
          )}
          {phase === 'done' && (
            <FailurePanel state="idle" label="Empty" title="This log has no lines">
              <p>It was read to the end; the run wrote nothing.</p>
            </FailurePanel>
          )}
        </div>
      )}
    </section>
  );
}

type RefusedProps = Pick<LogViewProps, 'run' | 'onAgain'> & {
  readonly error: NonNullable<ReturnType<LogReading['progress']>['error']>;
};

/** Explains why there is no log. An ended session is noticed, as with every other call. */
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
