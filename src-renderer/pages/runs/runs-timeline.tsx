import { Button } from '@mantine/core';
import { type RefObject, useCallback, useRef } from 'react';
import { type Run, run as runShape } from '#shared/api/runs.ts';
import { pageHref } from '#shared/page-address.ts';
import { Banner } from '../../components/banner.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { isUnderWay, runStates, worstFirst } from '../../components/run-state.ts';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { StateStrip } from '../../components/state-strip.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { usePageAddress } from '../../core/page-address.ts';
import { changed, type RunFilter, runsAddress } from './run-filter.ts';
import { runsLabel, workflowRunOf } from './run-labels.ts';
import { RunPanel } from './run-panel.tsx';
import { RunsFilterBar } from './runs-filter-bar.tsx';
import css from './runs-page.module.css';
import { RunsTable, type TableMoves } from './runs-table.tsx';
import type { Runs } from './use-runs.ts';
import { useRunsCommands } from './use-runs-commands.ts';

type RunsTimelineProps = {
  readonly runs: Runs;
  readonly run: Run | undefined;
  readonly filter: RunFilter;
  /** Parts of the address that were not understood. */
  readonly ignored: readonly string[];
  /** Id of the open run. */
  readonly open: string | undefined;
  /** True while a log is over the timeline. */
  readonly covered: boolean;
  readonly table: RefObject<TableMoves | null>;
  /** Opens the log of the open run. */
  readonly onLog: () => void;
};

/** The runs under a filter, counted by state, and one of them beside the list. */
export function RunsTimeline(props: RunsTimelineProps) {
  const { runs, run, filter, ignored, open, covered, table, onLog } = props;
  const [, go] = usePageAddress();
  const input = useRef<HTMLInputElement>(null);
  const { data } = runs.query;
  const beside = open !== undefined;
  const addressOf = useCallback(
    (next: RunFilter) => runsAddress(next, { ...(open !== undefined && { run: open }) }),
    [open],
  );
  const narrow = (next: RunFilter, how: 'chosen' | 'typed') =>
    go(addressOf(next), how === 'typed' ? 'replace' : 'push');
  const show = useCallback(
    (id: string) => go(runsAddress(filter, { run: id }), beside ? 'replace' : 'push'),
    [go, filter, beside],
  );
  const move = useCallback(
    (step: 1 | -1) => {
      const next = table.current?.move(step);
      if (next !== undefined && beside) show(next.id);
    },
    [table, show, beside],
  );
  const close = () => {
    go(runsAddress(filter));
    if (open !== undefined) table.current?.focus(open);
  };
  const hasLog = open !== undefined && workflowRunOf(open) !== undefined;
  useRunsCommands({
    runs: runs.items,
    input,
    active: !covered,
    move,
    show,
    log: hasLog ? onLog : undefined,
  });
  const narrowed = Object.keys(filter).length > 0;
  // The console's own store answered and the code host did not: without a run of its own there is nothing to show.
  const codeHostAsked = filter.kind === undefined || filter.kind === 'workflow';
  const unread = codeHostAsked && data?.source === 'store' && !data.complete && runs.items.length === 0;
  const query =
    unread && data !== undefined ? { ...runs.query, data: { ...data, source: 'unavailable' } } : runs.query;

  return (
    <Page
      title="Runs"
      sub={query.data?.source === 'unavailable' ? '' : headline(runs)}
      flush
      above={
        Object.keys(data?.counts ?? {}).length > 0 && (
          <Strip runs={runs} filter={filter} addressOf={addressOf} onNarrow={narrow} />
        )
      }
      actions={
        <>
          <ReadingCoverage reading={query.data} whole="Every source read" />
          {runs.items.length > 0 && (
            <ExportRows
              name="runs"
              label={`The ${runsLabel(runs.items.length)} read so far`}
              columns={runShape.keyof().options}
              rows={runs.items}
            />
          )}
        </>
      }
    >
      <div className={css.timeline}>
        <RunsFilterBar inputRef={input} filter={filter} runs={{ ...runs, query }} onChange={narrow} />
        <div className={css.split}>
          <div className={css.list}>
            {ignored.length > 0 && (
              <div className={css.notice}>
                <Banner
                  look="note"
                  icon={<Glyph state="idle" />}
                  title="Part of the address was not understood."
                >
                  <code>{ignored.join(', ')}</code> narrows nothing: the list below is wider than the link
                  meant.
                </Banner>
              </div>
            )}
            <div className={css.notice}>
              <ReadingNotices query={query} />
            </div>
            <SourceRead query={query} what="Runs" skeleton={<SkeletonRows rows={12} />}>
              {({ complete }) =>
                runs.items.length > 0 || runs.outdated ? (
                  <RunsTable ref={table} runs={runs} filter={filter} open={open} onOpen={show} />
                ) : (
                  <div className={css.empty}>
                    <NoRuns complete={complete} narrowed={narrowed} onClear={() => narrow({}, 'chosen')} />
                  </div>
                )
              }
            </SourceRead>
          </div>
          {open !== undefined && !covered && (
            <RunPanel
              id={open}
              run={run}
              pending={data === undefined || runs.outdated}
              readAt={runs.readAt}
              onLog={onLog}
              onWiden={narrowed ? () => narrow({}, 'chosen') : undefined}
              onClose={close}
            />
          )}
        </div>
      </div>
    </Page>
  );
}

function headline({ items, query }: Runs): string {
  if (query.data === undefined) return '';
  const underWay = items.filter(({ state }) => isUnderWay(state)).length;
  return underWay === 0 ? 'none under way' : `${underWay} under way`;
}

type StripProps = {
  readonly runs: Runs;
  readonly filter: RunFilter;
  readonly addressOf: (filter: RunFilter) => ReturnType<typeof runsAddress>;
  readonly onNarrow: (filter: RunFilter, how: 'chosen') => void;
};

/** How many runs stand in each state. A state that is chosen already is a way back to all. */
function Strip({ runs, filter, addressOf, onNarrow }: StripProps) {
  const counts = runs.query.data?.counts ?? {};
  const next = (state: Run['state']) =>
    changed(filter, { state: filter.state === state ? undefined : state });
  return (
    <StateStrip
      name="Runs by state"
      counts={worstFirst.map((key) => ({
        key,
        ...runStates[key],
        count: counts[key] ?? 0,
        href: pageHref(addressOf(next(key))),
        chosen: filter.state === key,
      }))}
      onChoose={(key) => {
        const state = worstFirst.find((known) => known === key);
        if (state !== undefined) onNarrow(next(state), 'chosen');
      }}
    />
  );
}

type NoRunsProps = {
  readonly complete: boolean;
  readonly narrowed: boolean;
  readonly onClear: () => void;
};

function NoRuns({ complete, narrowed, onClear }: NoRunsProps) {
  return (
    <FailurePanel
      state={complete ? 'idle' : 'unknown'}
      label={complete ? 'Empty' : 'Partly read'}
      title={narrowed ? 'No run matches' : complete ? 'No runs yet' : 'No run among what was read'}
      actions={
        narrowed && (
          <Button variant="filled" onClick={onClear}>
            Take off every filter
          </Button>
        )
      }
    >
      <p>
        {complete
          ? 'No results; every source was read in full.'
          : 'Not everything was read, so there may be some: the reasons stand above.'}
      </p>
      {!narrowed && (
        <p>
          Workflow runs of the code host are listed here, with scheduled jobs, what apps report of their
          agents, and agent sessions.
        </p>
      )}
    </FailurePanel>
  );
}
