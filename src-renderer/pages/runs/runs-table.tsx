import { Button } from '@mantine/core';
import { memo, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react';
import type { Run } from '#shared/api/runs.ts';
import { pageHref } from '#shared/page-address.ts';
import { exactTime, formatAgo } from '../../components/format-time.ts';
import { isUnderWay, runStates } from '../../components/run-state.ts';
import { RunTime } from '../../components/run-time.tsx';
import { State } from '../../components/state.tsx';
import { useRowHeight } from '../../components/table/use-row-height.ts';
import { useRowWindow } from '../../components/table/use-row-window.ts';
import { movedIndex } from '../../core/keys.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useNow } from '../../core/use-now.ts';
import { clockTime, entriesOf } from './run-entries.ts';
import { type RunFilter, runsAddress } from './run-filter.ts';
import { kindLabels, runsLabel, startedBy } from './run-labels.ts';
import css from './runs-table.module.css';
import type { Runs } from './use-runs.ts';

/** Moves in the table from outside it. */
export type TableMoves = {
  /** Moves the focus by a run and tells the one it came to; from outside, to the open run or the near end. */
  move(step: 1 | -1): Run | undefined;
  /** Gives the focus to the row of a run, when it is drawn. */
  focus(id: string): void;
};

type RunsTableProps = {
  readonly ref: Ref<TableMoves>;
  readonly runs: Runs;
  readonly filter: RunFilter;
  readonly open: string | undefined;
  readonly onOpen: (id: string) => void;
};

/** Older runs are asked for when this many rows or fewer are left below the view. */
const ahead = 60;

/** The timeline: what is under way, then each day's runs. Only the rows near the view exist. */
export function RunsTable({ ref, runs, filter, open, onOpen }: RunsTableProps) {
  const { items, older, readOlder, readAt } = runs;
  const rowHeight = useRowHeight();
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef<string>(undefined);
  const now = useNow(60_000);
  const entries = useMemo(() => entriesOf(items, now), [items, now]);
  const { first, last } = useRowWindow(scroller, rowHeight, entries.length);

  const linkOf = (id: string) =>
    scroller.current?.querySelector<HTMLElement>(`a[data-run="${CSS.escape(id)}"]`) ?? undefined;
  const indexOf = (id: string) => entries.findIndex((entry) => entry.kind === 'run' && entry.run.id === id);
  const focus = (id: string) => {
    const element = scroller.current;
    const index = indexOf(id);
    if (element === null || index < 0) return;
    // The head covers the first row's height of the view.
    const top = index * rowHeight;
    const view = element.clientHeight - rowHeight * 2;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + view) element.scrollTop = top - view;
    wanted.current = id;
    linkOf(id)?.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    // A row far away is drawn only once the view is there.
    if (wanted.current === undefined) return;
    const link = linkOf(wanted.current);
    if (link === undefined) return;
    wanted.current = undefined;
    if (document.activeElement !== link) link.focus({ preventScroll: true });
  });
  useImperativeHandle(ref, () => ({
    move(step) {
      const inOrder = entries.flatMap((entry) => (entry.kind === 'run' ? [entry.run] : []));
      const focused = document.activeElement?.getAttribute('data-run');
      const at = inOrder.findIndex(({ id }) => id === focused);
      const from = at < 0 ? inOrder.findIndex(({ id }) => id === open) : at;
      const run = inOrder[movedIndex(from, step, inOrder.length)];
      if (run !== undefined) focus(run.id);
      return run;
    },
    focus,
  }));

  // New runs come in above and others end: the row at the top of the view stays there.
  const anchor = useRef<{ readonly id: string; readonly index: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const known = anchor.current;
    const index = known === undefined ? -1 : indexOf(known.id);
    if (known !== undefined && index >= 0 && element.scrollTop > 0)
      element.scrollTop += (index - known.index) * rowHeight;
    const keep = () => {
      const from = Math.ceil(element.scrollTop / rowHeight);
      const at = entries.findIndex((entry, index) => index >= from && entry.kind === 'run');
      const entry = entries[at];
      anchor.current = entry?.kind === 'run' ? { id: entry.run.id, index: at } : undefined;
    };
    keep();
    element.addEventListener('scroll', keep, { passive: true });
    return () => element.removeEventListener('scroll', keep);
  }, [entries, rowHeight]);

  const nearEnd = last >= entries.length - ahead;
  useEffect(() => {
    if (older === 'more' && nearEnd) readOlder();
  }, [older, nearEnd, readOlder]);

  return (
    <div ref={scroller} className={css.scroller} data-outdated={runs.outdated}>
      <table className={css.table} aria-label="Runs" aria-rowcount={entries.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th className={css.state}>State</th>
            <th className={css.name}>Run</th>
            <th className={css.kind}>Kind</th>
            <th className={css.repo}>Repository</th>
            <th className={css.by}>Started by</th>
            <th className={css.actor}>Actor</th>
            <th className={css.started}>Started</th>
            <th className={css.took}>Took</th>
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer height={first * rowHeight} />}
          {entries.slice(first, last).map((entry, index) =>
            entry.kind === 'head' ? (
              <tr key={`head ${entry.title}`} className={css.head} aria-rowindex={first + index + 2}>
                {/* One cell: spanning would make room for columns that are not shown. */}
                <th scope="rowgroup">
                  <div className={css.day}>
                    {entry.title} <span>{runsLabel(entry.count)}</span>
                  </div>
                </th>
              </tr>
            ) : (
              <Row
                key={entry.run.id}
                run={entry.run}
                index={first + index}
                filter={filter}
                open={entry.run.id === open}
                now={now}
                readAt={readAt}
                onOpen={onOpen}
              />
            ),
          )}
          {last < entries.length && <Spacer height={(entries.length - last) * rowHeight} />}
        </tbody>
      </table>
      <End runs={runs} />
    </div>
  );
}

type RowProps = {
  readonly run: Run;
  readonly index: number;
  readonly filter: RunFilter;
  readonly open: boolean;
  readonly now: number;
  readonly readAt: number;
  readonly onOpen: (id: string) => void;
};

/** Drawn once and kept: scrolling draws only the rows that come into view. */
const Row = memo(function Row({ run, index, filter, open, now, readAt, onOpen }: RowProps) {
  const { id, name, title, state, detail, kind, repo, branch, actor, started } = run;
  const at = Date.parse(started);
  const by = startedBy(run);
  const recent = now - at < 86_400_000 || isUnderWay(state);
  return (
    <tr className={css.row} aria-rowindex={index + 2} data-open={open} onClick={() => onOpen(id)}>
      <td title={detail}>
        <State {...runStates[state]} />
      </td>
      <td className={css.nameCell}>
        <a
          className={css.link}
          href={pageHref(runsAddress(filter, { run: id }))}
          title={title === undefined ? name : `${name}: ${title}`}
          data-run={id}
          aria-current={open ? 'true' : undefined}
          onClick={(event) => {
            event.stopPropagation();
            if (openedByPlainClick(event)) onOpen(id);
          }}
        >
          <span className={css.runName}>{name}</span>
          {title !== undefined && <span className={css.title}>{title}</span>}
        </a>
      </td>
      <td className={css.kindCell}>{kindLabels[kind]}</td>
      <td className={css.fact} title={repo}>
        {repo}
      </td>
      <td className={css.byCell} title={[by, branch].filter(Boolean).join(', ')}>
        {by}
        {branch !== undefined && <code className={css.branch}>{branch}</code>}
      </td>
      <td className={css.actorCell} title={actor}>
        {actor}
      </td>
      <td className={css.fact}>
        <time dateTime={started} title={exactTime(at)}>
          {recent ? formatAgo(at, now) : clockTime(at)}
        </time>
      </td>
      <td className={css.tookCell} data-counting={isUnderWay(state)}>
        <RunTime state={state} tookSeconds={run.took_seconds} readAt={readAt} />
      </td>
    </tr>
  );
});

/** Room for the rows that are not drawn. One cell: spanning would make room for columns that are not shown. */
function Spacer({ height }: { readonly height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true">
      <td className={css.spacer} style={{ height }} />
    </tr>
  );
}

/** What stands below the last row: more to come, why it stops here, or that this is all. */
function End({ runs: { items, older, readOlder, query } }: { readonly runs: Runs }) {
  if (items.length === 0 || older === 'more') return null;
  if (older === 'failed') {
    return (
      <p className={css.end}>
        Older runs were not read.{' '}
        <Button size="xs" onClick={readOlder}>
          Try again
        </Button>
      </p>
    );
  }
  if (older === 'reading') return <p className={css.end}>Reading older runs</p>;
  return (
    <p className={css.end}>
      {query.data?.complete === true
        ? `No older run matches. ${items.length === 1 ? 'The only one is' : `All ${items.length.toLocaleString('en')} are`} shown.`
        : 'No older run is among what was read.'}
    </p>
  );
}
