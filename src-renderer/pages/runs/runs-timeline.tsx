import { Button } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { type Run, run as runShape } from '#shared/api/runs.ts';
import { Banner } from '../../components/banner.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { useList } from '../../components/list/use-list.ts';
import type { ListAddress } from '../../components/list/use-list-address.ts';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { isUnderWay, runStates, worstFirst } from '../../components/run-state.ts';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { StateStrip } from '../../components/state-strip.tsx';
import { DataTable } from '../../components/table/data-table.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import { TableEnd } from '../../components/table/table-end.tsx';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconPlayerPlay } from '../../core/icons/icons.ts';
import { useNow } from '../../core/use-now.ts';
import { runColumns } from './run-columns.tsx';
import { groupOf, underWayFirst } from './run-days.ts';
import type { RunFilter } from './run-filter.ts';
import { runsLabel, workflowRunOf } from './run-labels.ts';
import { RunPanel } from './run-panel.tsx';
import { RunsFilterBar } from './runs-filter-bar.tsx';
import css from './runs-page.module.css';
import type { Runs } from './use-runs.ts';

type RunsTimelineProps = {
  readonly address: ListAddress<RunFilter>;
  readonly runs: Runs;
  /** The open run, where it was read. */
  readonly run: Run | undefined;
  /** True while a log is over the timeline. */
  readonly covered: boolean;
  /** Opens the log of the open run. */
  readonly onLog: () => void;
};

const keyOf = ({ id }: Run): string => id;

const command = ({ id, name, title, repo, state }: Run) => ({
  id: `run.${id}`,
  title: title === undefined ? name : `${name}: ${title}`,
  detail: ['run', repo, runStates[state].label].filter((term) => term !== undefined).join(', '),
  icon: IconPlayerPlay,
});

const noCommands: readonly Command[] = [];

/** The runs under a filter, counted by state, and one of them beside the list. */
export function RunsTimeline({ address, runs, run, covered, onLog }: RunsTimelineProps) {
  const { filter, ignored, open, sort, narrowed } = address;
  const { older, readOlder, readAt } = runs;
  const { data } = runs.query;
  const now = useNow(60_000);
  const columns = useMemo(() => runColumns(now, readAt), [now, readAt]);
  const group = useCallback((item: Run) => groupOf(item, now), [now]);
  const inOrder = useMemo(() => underWayFirst(runs.items), [runs.items]);
  const list = useList({ address, rows: inOrder, columns, keyOf, command, active: !covered });
  const hasLog = !covered && open !== undefined && workflowRunOf(open) !== undefined;
  useCommands(
    useMemo<readonly Command[]>(
      () =>
        hasLog
          ? [{ id: 'run.log', group: 'Actions', title: 'Open the log of this run', keys: 'l', run: onLog }]
          : noCommands,
      [hasLog, onLog],
    ),
  );
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
      above={Object.keys(data?.counts ?? {}).length > 0 && <Strip runs={runs} address={address} />}
      actions={
        <>
          <ReadingCoverage reading={query.data} />
          {runs.items.length > 0 && (
            <ExportRows
              name="runs"
              label={`The ${runsLabel(runs.items.length)} loaded so far`}
              table={{ id: 'runs', columns }}
              fields={runShape.keyof().options}
              rows={list.rows}
            />
          )}
        </>
      }
    >
      <div className={css.timeline}>
        <RunsFilterBar inputRef={list.input} address={address} runs={{ ...runs, query }} />
        <div className={css.split}>
          <div className={css.list}>
            {ignored.length > 0 && (
              <div className={css.notice}>
                <Banner
                  look="note"
                  icon={<Glyph state="idle" />}
                  title="Part of the address was not understood."
                >
                  <code>{ignored.join(', ')}</code> was ignored, so the list below may be longer than the link
                  intended.
                </Banner>
              </div>
            )}
            <div className={css.notice}>
              <ReadingNotices query={query} />
            </div>
            <SourceRead query={query} what="Runs" skeleton={<SkeletonRows rows={12} />}>
              {({ complete }) =>
                runs.items.length > 0 || runs.outdated ? (
                  <DataTable
                    ref={list.moves}
                    id="runs"
                    label="Runs"
                    columns={columns}
                    rows={list.rows}
                    keyOf={keyOf}
                    sort={sort}
                    onSort={address.sortBy}
                    onMove={list.move}
                    open={open}
                    addressOf={address.addressOf}
                    onOpen={address.show}
                    group={group}
                    groupNote={runsLabel}
                    outdated={runs.outdated}
                    onNearEnd={older === 'more' && sort === undefined ? readOlder : undefined}
                    end={
                      runs.items.length > 0 && (
                        <TableEnd
                          many="runs"
                          older={older}
                          count={runs.items.length}
                          sorted={sort !== undefined}
                          all={formatEnd(runs)}
                          readOlder={readOlder}
                        />
                      )
                    }
                  />
                ) : (
                  <div className={css.empty}>
                    <NoRuns complete={complete} narrowed={narrowed} onClear={address.clear} />
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
              onWiden={narrowed ? address.clear : undefined}
              onClose={list.close}
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

/** Returns the text below the oldest run. */
function formatEnd({ items, query }: Runs): string {
  if (query.data?.complete !== true) return 'No older run is in the data read.';
  const all = items.length === 1 ? 'The only one is' : `All ${items.length.toLocaleString('en')} are`;
  return `No older run matches. ${all} shown.`;
}

type StripProps = { readonly runs: Runs; readonly address: ListAddress<RunFilter> };

/** Shows the number of runs in each state. Choosing the current state again shows all. */
function Strip({ runs, address }: StripProps) {
  const counts = runs.query.data?.counts ?? {};
  const { filter, addressWith, narrow } = address;
  const other = (state: Run['state']) => (filter.state === state ? undefined : state);
  return (
    <StateStrip
      name="Runs by state"
      counts={worstFirst.map((key) => ({
        key,
        ...runStates[key],
        count: counts[key] ?? 0,
        href: addressWith({ state: other(key) }),
        chosen: filter.state === key,
      }))}
      onChoose={(key) => {
        const state = worstFirst.find((known) => known === key);
        if (state !== undefined) narrow({ state: other(state) });
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
      title={narrowed ? 'No run matches' : complete ? 'No runs yet' : 'No run in the data read'}
      actions={
        narrowed && (
          <Button variant="filled" onClick={onClear}>
            Clear all filters
          </Button>
        )
      }
    >
      <p>
        {complete
          ? 'No results; everything was checked.'
          : 'Not everything was read, so there may be some; the reasons are shown above.'}
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
