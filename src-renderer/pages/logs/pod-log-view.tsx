import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { LogNotices } from '../../components/log-viewer/log-notices.tsx';
import type { LogSearch } from '../../components/log-viewer/log-search.ts';
import { OpenLogBar, OpenLogLines } from '../../components/log-viewer/open-log-parts.tsx';
import type { LogProgress, LogReading } from '../../components/log-viewer/read-log.ts';
import { useOpenLog } from '../../components/log-viewer/use-open-log.ts';
import { saveFile } from '../../components/save-file.ts';
import { Waiting } from '../../components/skeleton.tsx';
import { isSignedOut } from '../../core/failure.ts';
import { signInQuery } from '../../core/queries.ts';
import css from './logs-page.module.css';
import type { PodLogProps } from './pod-log.tsx';
import { PodLogBar } from './pod-log-bar.tsx';

type PodLogViewProps = PodLogProps & {
  readonly reading: LogReading;
  readonly search: LogSearch;
  readonly onAgain: () => void;
};

/** An open log of a pod: what of it is read, its search, and its lines. */
export function PodLogView(props: PodLogViewProps) {
  const { source, picked, addressOf, onPick, reading, search, onAgain } = props;
  const open = useOpenLog({
    reading,
    search,
    picked,
    onPick,
    lookKey: 'console.podLog',
    // Most programs write their own times, and those are what a person looks for.
    look: { wrap: false, times: true },
    named: props.look,
    onLook: props.onLook,
  });
  const { log, progress } = open;
  const { lines, phase } = progress;
  return (
    <section className={css.log} aria-label={`Log of ${source.pod}`}>
      <PodLogBar
        {...props}
        progress={progress}
        onStop={reading.stop}
        onSave={() =>
          saveFile(
            `${source.namespace}-${source.pod}.log`,
            'text/plain',
            ...(open.look.times ? log.pieces : log.pieces.map(withoutTimes)),
          )
        }
      />
      {lines > 0 && <OpenLogBar open={open} />}
      <LogNotices log={log} progress={progress} onAgain={onAgain} />
      {lines > 0 ? (
        <OpenLogLines open={open} addressOf={addressOf} hasParts={false} atEnd={source.follow} />
      ) : (
        <div className={css.instead}>
          {phase === 'refused' && (
            <LogRefused previous={source.previous} error={progress.error} onAgain={onAgain} />
          )}
          {phase === 'asking' && <Waiting label={`Requesting the log of ${source.pod}`} />}
          {phase === 'reading' && <Waiting label="No output yet" />}
          {(phase === 'done' || phase === 'stopped' || phase === 'broken') && (
            <FailurePanel
              state="idle"
              label="Empty"
              title="This log has no lines"
              actions={<Button onClick={onAgain}>Refresh log</Button>}
            >
              <p>
                {phase === 'done'
                  ? 'It was read to the end; nothing was written.'
                  : 'None had arrived by then.'}
              </p>
            </FailurePanel>
          )}
        </div>
      )}
    </section>
  );
}

/** Lines without the times the cluster wrote before them. */
export const withoutTimes = (lines: string): string =>
  lines.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z ?/gm, '');

type RefusedProps = {
  readonly previous: boolean;
  readonly error: LogProgress['error'];
  readonly onAgain: () => void;
};

/** Explains why there is no log. An ended session is noticed, as with every other call. */
export function LogRefused({ previous, error, onAgain }: RefusedProps) {
  const client = useQueryClient();
  useEffect(() => {
    if (isSignedOut(error)) client.invalidateQueries({ queryKey: signInQuery.queryKey });
  }, [error, client]);
  const missing = error?.name === 'NotFound';
  return (
    <FailurePanel
      state={missing ? 'idle' : 'unknown'}
      label={missing ? 'Not found' : 'Not read'}
      title={
        missing
          ? previous
            ? 'There is no log of the previous container'
            : 'There is no such log'
          : 'The log was not read'
      }
      raw={error?.message}
      actions={
        <Button variant="filled" onClick={onAgain}>
          Retry
        </Button>
      }
    >
      <p>
        {missing
          ? 'The cluster keeps a log as long as its container exists, and only that of the last previous container.'
          : 'Its content is unknown.'}
      </p>
    </FailurePanel>
  );
}
