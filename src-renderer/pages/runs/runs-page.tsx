import { useCallback, useMemo } from 'react';
import type { PageAddress } from '#shared/page-address.ts';
import { useListAddress } from '../../components/list/use-list-address.ts';
import { formatRange, type LineRange, rangeOf } from '../../components/log-viewer/log-labels.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { LogViewer } from './log/log-viewer.tsx';
import { runsPlan } from './run-filter.ts';
import { workflowRunOf } from './run-labels.ts';
import css from './runs-page.module.css';
import { RunsTimeline } from './runs-timeline.tsx';
import { useRuns } from './use-runs.ts';

/** Every run in one timeline, one of them beside it, and its log over both. All of it is in the address. */
export function RunsPage() {
  const [{ section, record }, go] = usePageAddress();
  const href = useHref();
  const address = useListAddress(runsPlan);
  const { filter, open, placeOf } = address;
  const runs = useRuns(filter);
  const source = section === 'log' && open !== undefined ? workflowRunOf(open) : undefined;
  const run = runs.items.find(({ id }) => id === open);

  const logAddress = useCallback(
    (picked: LineRange | undefined): PageAddress => ({
      ...placeOf(open),
      section: 'log',
      ...(picked !== undefined && { record: formatRange(picked) }),
    }),
    [placeOf, open],
  );
  const pick = useCallback(
    (picked: LineRange | undefined) => go(logAddress(picked), 'replace'),
    [go, logAddress],
  );
  const openLog = useCallback(() => go(logAddress(undefined)), [go, logAddress]);
  const picked = useMemo(() => rangeOf(record), [record]);
  return (
    <div className={css.room}>
      <div className={css.under} inert={source !== undefined}>
        <RunsTimeline
          address={address}
          runs={runs}
          run={run}
          covered={source !== undefined}
          onLog={openLog}
        />
      </div>
      {source !== undefined && open !== undefined && (
        <div className={css.over}>
          <LogViewer
            {...source}
            run={run}
            picked={picked}
            addressOf={(lines) => href(logAddress(lines))}
            onPick={pick}
            onClose={() => go(placeOf(open))}
          />
        </div>
      )}
    </div>
  );
}
