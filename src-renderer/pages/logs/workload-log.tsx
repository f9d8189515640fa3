import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { formatRange, type LineRange, rangeOf } from '../../components/log-viewer/log-labels.ts';
import { LogNotices } from '../../components/log-viewer/log-notices.tsx';
import { createLogSearch, type LogSearch } from '../../components/log-viewer/log-search.ts';
import { OpenLogBar, OpenLogLines } from '../../components/log-viewer/open-log-parts.tsx';
import { type LogReading, readLog } from '../../components/log-viewer/read-log.ts';
import { useOpenLog } from '../../components/log-viewer/use-open-log.ts';
import { saveFile } from '../../components/save-file.ts';
import { Waiting } from '../../components/skeleton.tsx';
import { addressWith } from '../../core/address-with.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import css from './logs-page.module.css';
import { LogRefused, withoutTimes } from './pod-log-view.tsx';
import { WorkloadLogBar } from './workload-log-bar.tsx';
import {
  logSourcesQuery,
  type MergedOf,
  type MergedSource,
  mergedLogAddress,
  mergedTitle,
} from './workload-log-source.ts';

/** Refresh interval of the pods while the page is visible, in milliseconds; changes arrive sooner. */
const everyMs = 10_000;

type WorkloadLogProps = {
  readonly target: string | undefined;
  readonly namespace: string;
  readonly of: MergedOf;
  /** False for a bundle: nothing can come after what it holds. */
  readonly mayFollow: boolean;
};

/** The logs of all pods of a workload, a service or a label selector, merged by time. All of it is in the address. */
export function WorkloadLog({ target, namespace, of, mayFollow }: WorkloadLogProps) {
  const [address] = usePageAddress();
  const source: MergedSource = {
    target,
    namespace,
    of,
    container: address.container ?? undefined,
    without: (address.without ?? '').split(',').filter(Boolean),
    previous: address.previous === 'true',
    follow: mayFollow && address.follow !== 'false' && address.previous !== 'true',
    since: address.since ?? undefined,
    tail: address.tail ?? undefined,
  };
  const read = mergedLogAddress(source);
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<{ key: string; reading: LogReading; search: LogSearch }>();
  // Another attempt reads the logs anew.
  useEffect(() => {
    const reading = readLog(read, { levels: true });
    const search = createLogSearch(reading.log);
    setOpened({ key: `${read} ${attempt}`, reading, search });
    return () => {
      reading.stop();
      search.close();
    };
  }, [read, attempt]);
  if (opened === undefined) return null;
  return (
    <OpenWorkloadLog
      key={opened.key}
      source={source}
      mayFollow={mayFollow}
      reading={opened.reading}
      search={opened.search}
      onAgain={() => setAttempt((before) => before + 1)}
    />
  );
}

type OpenProps = {
  readonly source: MergedSource;
  readonly mayFollow: boolean;
  readonly reading: LogReading;
  readonly search: LogSearch;
  readonly onAgain: () => void;
};

function OpenWorkloadLog({ source, mayFollow, reading, search, onAgain }: OpenProps) {
  const { target, namespace, of } = source;
  const [address, go] = usePageAddress();
  const href = useHref();
  const { every } = useReading();
  const sources = useQuery({
    ...logSourcesQuery(target, namespace, of),
    refetchInterval: every(everyMs),
  });
  const linesAddress = (lines: LineRange | undefined) =>
    addressWith(address, { record: lines === undefined ? undefined : formatRange(lines) });
  const open = useOpenLog({
    reading,
    search,
    picked: rangeOf(address.record),
    onPick: (lines) => go(linesAddress(lines), 'replace'),
    lookKey: 'console.podLog',
    look: { wrap: false, times: true },
    named: {
      ...(address.wrap !== null && { wrap: address.wrap === 'true' }),
      ...(address.timestamps !== null && { times: address.timestamps === 'true' }),
    },
    onLook: ({ wrap, times }) =>
      go(addressWith(address, { wrap: String(wrap), timestamps: String(times) }), 'replace'),
  });
  const { log, progress } = open;
  const { lines, phase } = progress;
  const title = mergedTitle(of);
  const level = address.level === 'error' || address.level === 'warning' ? address.level : undefined;
  return (
    <section className={css.log} aria-label={`Logs of ${title}`}>
      <WorkloadLogBar
        source={source}
        mayFollow={mayFollow}
        pods={sources.data?.items ?? []}
        level={level}
        progress={progress}
        onChange={(change) => go(addressWith(address, { record: undefined, ...change }))}
        onStop={reading.stop}
        onSave={() =>
          saveFile(
            `${namespace}-${title.replaceAll(/[^\w.-]+/g, '-')}.log`,
            'text/plain',
            ...(open.look.times ? log.pieces : log.pieces.map(withoutTimes)),
          )
        }
      />
      {lines > 0 && <OpenLogBar open={open} />}
      <LogNotices log={log} progress={progress} onAgain={onAgain} />
      {lines > 0 ? (
        <OpenLogLines
          open={open}
          addressOf={(picked) => href(linesAddress(picked))}
          hasParts={false}
          atEnd={source.follow}
          level={level}
        />
      ) : (
        <div className={css.instead}>
          {phase === 'refused' && (
            <LogRefused previous={source.previous} error={progress.error} onAgain={onAgain} />
          )}
          {phase === 'asking' && <Waiting label={`Requesting the logs of ${title}`} />}
          {phase === 'reading' && <Waiting label="No output yet" />}
          {(phase === 'done' || phase === 'stopped' || phase === 'broken') && (
            <FailurePanel
              state="idle"
              label="Empty"
              title="These logs have no lines"
              actions={<Button onClick={onAgain}>Refresh log</Button>}
            >
              <p>
                {phase === 'done'
                  ? 'They were read to the end; nothing was written.'
                  : 'None had arrived by then.'}
              </p>
            </FailurePanel>
          )}
        </div>
      )}
    </section>
  );
}
