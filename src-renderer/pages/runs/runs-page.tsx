import { useCallback, useMemo, useRef } from 'react';
import { pageHref } from '#shared/page-address.ts';
import { formatRange, type LineRange, rangeOf } from '../../components/log-viewer/log-labels.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { LogViewer } from './log/log-viewer.tsx';
import { filterOf, runsAddress } from './run-filter.ts';
import { workflowRunOf } from './run-labels.ts';
import css from './runs-page.module.css';
import type { TableMoves } from './runs-table.tsx';
import { RunsTimeline } from './runs-timeline.tsx';
import { useRuns } from './use-runs.ts';

/** Every run in one timeline, one of them beside it, and its log over both. All of it is in the address. */
export function RunsPage() {
  const [address, go] = usePageAddress();
  const text = JSON.stringify(filterOf(address));
  // One object for one filter, however often the address is read: the list is asked for by it.
  const { filter, ignored } = useMemo((): ReturnType<typeof filterOf> => JSON.parse(text), [text]);
  const runs = useRuns(filter);
  const table = useRef<TableMoves>(null);
  const open = address.run ?? undefined;
  const source = address.section === 'log' && open !== undefined ? workflowRunOf(open) : undefined;
  const run = runs.items.find(({ id }) => id === open);

  const logAddress = useCallback(
    (picked: LineRange | undefined) =>
      runsAddress(filter, {
        ...(open !== undefined && { run: open }),
        log: true,
        ...(picked !== undefined && { record: formatRange(picked) }),
      }),
    [filter, open],
  );
  const pick = useCallback(
    (picked: LineRange | undefined) => go(logAddress(picked), 'replace'),
    [go, logAddress],
  );
  const openLog = useCallback(() => go(logAddress(undefined)), [go, logAddress]);
  const { record } = address;
  const picked = useMemo(() => rangeOf(record), [record]);
  return (
    <div className={css.room}>
      <div className={css.under} inert={source !== undefined}>
        <RunsTimeline
          runs={runs}
          run={run}
          filter={filter}
          ignored={ignored}
          open={open}
          covered={source !== undefined}
          table={table}
          onLog={openLog}
        />
      </div>
      {source !== undefined && open !== undefined && (
        <div className={css.over}>
          <LogViewer
            {...source}
            run={run}
            picked={picked}
            addressOf={(lines) => pageHref(logAddress(lines))}
            onPick={pick}
            onClose={() => go(runsAddress(filter, { run: open }))}
          />
        </div>
      )}
    </div>
  );
}
