import { useEffect, useState } from 'react';
import type { Run } from '#shared/api/runs.ts';
import type { LineRange } from '../../../components/log-viewer/log-labels.ts';
import { createLogSearch, type LogSearch } from '../../../components/log-viewer/log-search.ts';
import {
  type LogReading,
  type LogSource,
  logAddress,
  readLog,
} from '../../../components/log-viewer/read-log.ts';
import { LogView } from './log-view.tsx';

export type LogViewerProps = LogSource & {
  /** The run as the list has it; undefined when it is not in the data read. */
  readonly run: Run | undefined;
  readonly picked: LineRange | undefined;
  readonly addressOf: (picked: LineRange | undefined) => string;
  readonly onPick: (picked: LineRange | undefined) => void;
  readonly onClose: () => void;
};

/** The log of one run, over the page. It is read for as long as it is open. */
export function LogViewer(props: LogViewerProps) {
  const { repo, runId } = props;
  const [attempt, setAttempt] = useState(0);
  const [opened, setOpened] = useState<{ key: string; reading: LogReading; search: LogSearch }>();
  // Another attempt reads the log anew.
  useEffect(() => {
    const reading = readLog(logAddress({ repo, runId }));
    const search = createLogSearch(reading.log);
    setOpened({ key: `${repo}/${runId}/${attempt}`, reading, search });
    return () => {
      reading.stop();
      search.close();
    };
  }, [repo, runId, attempt]);
  if (opened === undefined) return null;
  return (
    <LogView
      {...props}
      key={opened.key}
      reading={opened.reading}
      search={opened.search}
      onAgain={() => setAttempt((before) => before + 1)}
    />
  );
}
