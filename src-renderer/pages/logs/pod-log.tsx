import { useEffect, useState } from 'react';
import type { Pod } from '#shared/api/cluster.ts';
import type { LogLook } from '../../components/log-viewer/log-bar.tsx';
import type { LineRange } from '../../components/log-viewer/log-labels.ts';
import { createLogSearch, type LogSearch } from '../../components/log-viewer/log-search.ts';
import { type LogReading, readLog } from '../../components/log-viewer/read-log.ts';
import { type PodLogSource, podLogAddress } from './pod-log-address.ts';
import { PodLogView } from './pod-log-view.tsx';

export type PodLogProps = {
  readonly source: PodLogSource;
  /** The pod as it was read; undefined when it is not among those of its namespace. */
  readonly pod: Pod | undefined;
  /** False for a bundle: nothing can come after what it holds. */
  readonly mayFollow: boolean;
  readonly picked: LineRange | undefined;
  readonly addressOf: (picked: LineRange | undefined) => string;
  readonly onPick: (picked: LineRange | undefined) => void;
  readonly onContainer: (container: string | undefined) => void;
  readonly onPrevious: (previous: boolean) => void;
  readonly onFollow: (follow: boolean) => void;
  readonly onSince: (since: string | undefined) => void;
  readonly onTail: (tail: string | undefined) => void;
  /** Display options that the address names. */
  readonly look: Partial<LogLook>;
  readonly onLook: (look: LogLook) => void;
};

/** The log of one pod. It is read for as long as it is open. */
export function PodLog(props: PodLogProps) {
  const address = podLogAddress(props.source);
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<{ key: string; reading: LogReading; search: LogSearch }>();
  // Another attempt reads the log anew.
  useEffect(() => {
    const reading = readLog(address, { levels: true });
    const search = createLogSearch(reading.log);
    setOpened({ key: `${address} ${attempt}`, reading, search });
    return () => {
      reading.stop();
      search.close();
    };
  }, [address, attempt]);
  if (opened === undefined) return null;
  return (
    <PodLogView
      {...props}
      key={opened.key}
      reading={opened.reading}
      search={opened.search}
      onAgain={() => setAttempt((before) => before + 1)}
    />
  );
}
