import { Button } from '@mantine/core';
import { memo, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { AuditFilter, AuditItem } from '#shared/api/audit.ts';
import { pageHref } from '#shared/page-address.ts';
import { exactTime, utcTime } from '../../components/format-time.ts';
import { Bone } from '../../components/skeleton.tsx';
import { State } from '../../components/state.tsx';
import { useRowHeight } from '../../components/table/use-row-height.ts';
import { useRowWindow } from '../../components/table/use-row-window.ts';
import { movedIndex } from '../../core/keys.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { useNow } from '../../core/use-now.ts';
import { auditAddress } from './audit-filter.ts';
import { formatNumber, outcomes, shortHash } from './audit-labels.ts';
import css from './records-table.module.css';
import type { Records } from './use-records.ts';

/** Moves in the table from outside it. */
export type TableMoves = {
  /** Moves the focus by a row and tells the row it came to; from outside, to the open row or the near end. */
  move(step: 1 | -1): AuditItem | undefined;
  /** Gives the focus to the row of a record, when it is drawn. */
  focus(seq: number): void;
};

type RecordsTableProps = {
  readonly ref: Ref<TableMoves>;
  readonly records: Records;
  readonly filter: AuditFilter;
  readonly open: number | undefined;
  readonly brokenAt: number | undefined;
  readonly onOpen: (seq: number) => void;
};

/** Older records are asked for when this many rows or fewer are left below the view. */
const ahead = 60;

/** The chain, newest first. Only the rows near the view exist; every row is a link to its record. */
export function RecordsTable({ ref, records, filter, open, brokenAt, onOpen }: RecordsTableProps) {
  const { items, older, readOlder } = records;
  const rowHeight = useRowHeight();
  const scroller = useRef<HTMLDivElement>(null);
  const wanted = useRef<number>(undefined);
  const { first, last } = useRowWindow(scroller, rowHeight, items.length);
  const now = useNow(60_000);

  const linkOf = (seq: number) => scroller.current?.querySelector<HTMLElement>(`a[data-seq="${seq}"]`);
  const focus = (index: number) => {
    const element = scroller.current;
    const item = items[index];
    if (element === null || item === undefined) return;
    // The head covers the first row's height of the view.
    const top = index * rowHeight;
    const view = element.clientHeight - rowHeight * 2;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + view) element.scrollTop = top - view;
    wanted.current = item.seq;
    linkOf(item.seq)?.focus({ preventScroll: true });
  };
  useLayoutEffect(() => {
    // A row far away is drawn only once the view is there.
    if (wanted.current === undefined) return;
    const link = linkOf(wanted.current);
    if (link === null || link === undefined) return;
    wanted.current = undefined;
    if (document.activeElement !== link) link.focus({ preventScroll: true });
  });
  useImperativeHandle(ref, () => ({
    move(step) {
      const focused = document.activeElement?.getAttribute('data-seq');
      const at = items.findIndex(({ seq }) => String(seq) === focused);
      const opened = items.findIndex(({ seq }) => seq === open);
      const from = at < 0 ? opened : at;
      const to = movedIndex(from, step, items.length);
      focus(to);
      return items[to];
    },
    focus: (seq) => focus(items.findIndex((item) => item.seq === seq)),
  }));

  // New records come in above: what the person looks at stays where it is.
  const newestSeq = items[0]?.seq;
  const seenNewest = useRef(newestSeq);
  useLayoutEffect(() => {
    const before = items.findIndex(({ seq }) => seq === seenNewest.current);
    seenNewest.current = newestSeq;
    const element = scroller.current;
    if (element !== null && before > 0 && element.scrollTop > 0) element.scrollTop += before * rowHeight;
  }, [items, newestSeq, rowHeight]);

  const nearEnd = last >= items.length - ahead;
  useEffect(() => {
    if (older === 'more' && nearEnd) readOlder();
  }, [older, nearEnd, readOlder]);

  return (
    <div ref={scroller} className={css.scroller} data-outdated={records.outdated}>
      <table className={css.table} aria-label="Audit records" aria-rowcount={items.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th className={css.record}>Record</th>
            <th className={css.time}>Time, UTC</th>
            <th className={css.actor}>Actor</th>
            <th className={css.action}>Action</th>
            <th className={css.target}>Target</th>
            <th className={css.summary}>What happened</th>
            <th className={css.outcome}>Outcome</th>
            <th className={css.hash}>Hash</th>
          </tr>
        </thead>
        <tbody>
          {first > 0 && <Spacer height={first * rowHeight} />}
          {items.slice(first, last).map((item, index) => (
            <Row
              key={item.seq}
              item={item}
              index={first + index}
              filter={filter}
              open={item.seq === open}
              broken={item.seq === brokenAt}
              now={now}
              onOpen={onOpen}
            />
          ))}
          {last < items.length && <Spacer height={(items.length - last) * rowHeight} />}
          {records.pending && <SkeletonBody />}
        </tbody>
      </table>
      {!records.pending && items.length > 0 && <End records={records} />}
    </div>
  );
}

type RowProps = {
  readonly item: AuditItem;
  readonly index: number;
  readonly filter: AuditFilter;
  readonly open: boolean;
  readonly broken: boolean;
  readonly now: number;
  readonly onOpen: (seq: number) => void;
};

/** Drawn once and kept: scrolling draws only the rows that come into view. */
const Row = memo(function Row({ item, index, filter, open, broken, now, onOpen }: RowProps) {
  const { seq, at, actor, action, target, summary, outcome, hash } = item;
  const { state, label } = outcomes[outcome];
  const moment = Date.parse(at);
  return (
    <tr
      className={css.row}
      aria-rowindex={index + 2}
      data-open={open}
      data-broken={broken}
      onClick={() => onOpen(seq)}
    >
      <td>
        <a
          className={css.link}
          href={pageHref(auditAddress(filter, seq))}
          data-seq={seq}
          aria-current={open ? 'true' : undefined}
          onClick={(event) => {
            event.stopPropagation();
            if (openedByPlainClick(event)) onOpen(seq);
          }}
        >
          <span className={css.bead} aria-hidden="true" />
          {seq}
        </a>
      </td>
      <td className={css.fact}>
        <time dateTime={at} title={exactTime(moment)}>
          {utcTime(moment, now)}
        </time>
      </td>
      <td title={actor}>{actor}</td>
      <td title={action}>
        <code>{action}</code>
      </td>
      <td className={css.fact} title={target}>
        {target}
      </td>
      <td className={css.summaryCell} title={summary}>
        {summary}
      </td>
      <td>
        {broken ? <State state="failing" label="Breaks here" /> : <State state={state} label={label} />}
      </td>
      <td className={css.digest} title={hash}>
        <code>{shortHash(hash)}</code>
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

const skeletonRows = Array.from({ length: 12 }, (_, index) => index);

function SkeletonBody() {
  return skeletonRows.map((row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr key={row} aria-hidden="true">
      {[44, 96, 60 + ((row * 17) % 40), 90 + ((row * 23) % 40), 60 + ((row * 31) % 60), 220, 64, 56].map(
        (width, column) => (
          <td key={column} className={column === 5 ? css.summaryCell : column === 7 ? css.digest : undefined}>
            <Bone width={width} />
          </td>
        ),
      )}
    </tr>
  ));
}

/** What stands below the last row: the beginning of the chain, more to come, or why it stops here. */
function End({ records }: { readonly records: Records }) {
  const { items, older, readOlder } = records;
  if (older === 'failed') {
    return (
      <p className={css.end}>
        Older records were not read.{' '}
        <Button size="xs" onClick={readOlder}>
          Try again
        </Button>
      </p>
    );
  }
  if (older === 'reading') return <p className={css.end}>Reading older records</p>;
  if (older === 'more') return null;
  const oldest = items.at(-1)?.seq;
  return (
    <p className={css.end}>
      {oldest === 1
        ? 'Record 1 is the first of the chain.'
        : `No older record matches. All ${formatNumber(items.length)} are shown.`}
    </p>
  );
}
