import { type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from 'react';
import type { ObjectRef } from '#shared/api/cluster.ts';
import { Spoken } from '../spoken.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { CopyMenu } from './copy-menu.tsx';
import css from './data-table.module.css';
import { SelectionBar } from './selection-bar.tsx';
import { useShownArrangement } from './shown-arrangements.ts';
import { SortHead } from './sort-head.tsx';
import { nextSort, type Sort, sortValue } from './sort-rows.ts';
import { columnLayout, fittingColumns, menusWidth, type TableColumn } from './table-column.ts';
import { groupedEntries, plainEntries } from './table-entries.ts';
import { SkeletonBody, Spacer, TableRow } from './table-row.tsx';
import { useArrangement } from './use-arrangement.ts';
import { useColumnWidths } from './use-column-widths.ts';
import { useCopiedRows } from './use-copied-rows.ts';
import { useRowHeight } from './use-row-height.ts';
import { useRowLinks } from './use-row-links.ts';
import { useScrollerSize } from './use-scroller-size.ts';
import { useSelection } from './use-selection.ts';
import { useTableInput } from './use-table-input.ts';
import { type RowMoves, type Step, useVirtualRows } from './use-virtual-rows.ts';

export type DataTableProps<Row> = {
  /** Names the table in what the person keeps of it. */
  readonly id: string;
  /** Accessible name of the table. */
  readonly label: string;
  readonly columns: readonly TableColumn<Row>[];
  /** In the order they are shown. */
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort | undefined) => void;
  /** Moves from outside. */
  readonly ref?: Ref<RowMoves<Row>>;
  /** Moves by key inside the table; whoever shows a row beside the table lets it follow. */
  readonly onMove?: (step: Step) => void;
  /** The key of the open row. */
  readonly open?: string | undefined;
  /** Where rows open. */
  readonly addressOf?: (key: string) => string;
  readonly onOpen?: (key: string) => void;
  /** The object of the cluster that a row is about, for kubectl commands. */
  readonly object?: ((row: Row) => ObjectRef | undefined) | undefined;
  /** True when a filter leaves rows out. */
  readonly narrowed?: boolean;
  /** The title of a row's group, in the table's own order. */
  readonly group?: (row: Row) => string;
  /** Formats the number of rows in a group. */
  readonly groupNote?: (count: number) => string;
  /** Sets a row apart, as `data-mark`. */
  readonly mark?: (row: Row) => string | undefined;
  /** Below the last row. */
  readonly end?: ReactNode;
  /** Called when few rows are left below the view. */
  readonly onNearEnd?: (() => void) | undefined;
  /** Nothing was read yet. */
  readonly pending?: boolean;
  /** The rows are those of the filter before. */
  readonly outdated?: boolean;
  /** As high as its rows, in place of filling its container and scrolling in it. */
  readonly fit?: boolean;
};

/** So many rows or fewer are left below the view when more are asked for. */
const ahead = 60;

/** So many rows a table that is as high as its rows draws at most; with more it scrolls. */
const mostDrawn = 100;

/**
 * The table of the console: sorted by its heads, moved in by key, its columns chosen and resized by the person, its rows
 * selected and copied. Only the rows near the view exist.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { id, label, columns, rows, keyOf, sort, onSort, ref, onMove, open, addressOf, onOpen } = props;
  const { group, groupNote = String, mark, end, onNearEnd, pending = false, outdated = false } = props;
  const { object, narrowed = false, fit = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const { view, bar } = useScrollerSize(scroller);
  const arrangement = useArrangement(id);
  const { name, hidden } = arrangement;
  useShownArrangement({ table: name, sort: sort === undefined ? undefined : sortValue(sort), hidden });
  const { widths, resize } = useColumnWidths(arrangement);
  const shown = useMemo(() => fittingColumns(columns, hidden, view), [columns, hidden, view]);
  const layout = useMemo(() => columnLayout(shown, widths, view), [shown, widths, view]);
  const grouped = sort === undefined ? group : undefined;
  const entries = useMemo(
    () => (grouped === undefined ? plainEntries(rows) : groupedEntries(rows, grouped)),
    [rows, grouped],
  );
  const order = useMemo(
    () => entries.flatMap((entry) => (entry.kind === 'row' ? [keyOf(entry.row)] : [])),
    [entries, keyOf],
  );
  const all = fit && entries.length <= mostDrawn;
  const moves = useRef<RowMoves<Row>>(null);
  const selection = useSelection(order);
  const { onPick, ...input } = useTableInput({ ref, moves, keyOf, selection, onMove, onOpen });
  // The head is a row as high as the others.
  const { first, last } = useVirtualRows({
    ref: moves,
    scroller,
    entries,
    keyOf,
    open,
    rowHeight,
    headHeight: rowHeight,
    all,
  });
  const nearEnd = last >= entries.length - ahead;
  useEffect(() => {
    if (nearEnd) onNearEnd?.();
  }, [nearEnd, onNearEnd]);
  useEffect(() => {
    if (sort !== undefined) scroller.current?.scrollTo({ top: 0 });
  }, [sort]);
  const copying = useCopiedRows({ columns: shown, rows, keyOf, selected: selection.keys, object, narrowed });

  useRowLinks(scroller);
  const drawn = entries.slice(first, last);
  const [focused, setFocused] = useState<string>();
  const stop = useMemo(() => {
    const keys = drawn.flatMap((entry) => (entry.kind === 'row' ? [keyOf(entry.row)] : []));
    return [focused, open].find((key) => key !== undefined && keys.includes(key)) ?? keys[0];
  }, [drawn, focused, open, keyOf]);
  return (
    <div className={css.frame} data-fit={fit}>
      <div className={css.menus} style={{ right: bar + 4 }}>
        {rows.length > 0 && <CopyMenu copied={copying.copied} onCopy={copying.copy} />}
        <ColumnMenu
          columns={columns}
          hidden={hidden}
          shown={shown}
          resized={widths}
          widthOf={(column) => headOf(scroller.current, column)?.offsetWidth}
          onHide={(next) => arrangement.change({ hidden: next })}
          onResize={resize}
          onReset={() => arrangement.change({ widths: {} })}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys are heard on the way up from the rows' links. */}
      <div
        ref={scroller}
        className={css.scroller}
        data-outdated={outdated}
        {...input}
        onCopy={copying.onCopy}
        onFocus={({ target }) => setFocused(target.dataset.key)}
      >
        <table
          className={css.table}
          style={{ minWidth: layout.least + menusWidth }}
          aria-label={label}
          aria-rowcount={entries.length + 1}
        >
          <colgroup>
            {shown.map((column, index) => {
              const width = layout.widths[index];
              const more = index === shown.length - 1 ? menusWidth : 0;
              return <col key={column.id} style={width === undefined ? {} : { width: width + more }} />;
            })}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {shown.map((column) => (
                <SortHead
                  key={column.id}
                  column={column}
                  sort={sort}
                  onSort={() => onSort(nextSort(sort, column.id))}
                  onResize={resize}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && <Spacer span={shown.length} height={first * rowHeight} />}
            {drawn.map((entry, index) => {
              if (entry.kind === 'head')
                return (
                  <tr key={`head ${entry.title}`} aria-rowindex={first + index + 2}>
                    <th scope="rowgroup" colSpan={shown.length}>
                      {entry.title} <span>{groupNote(entry.count)}</span>
                    </th>
                  </tr>
                );
              const key = keyOf(entry.row);
              return (
                <TableRow
                  key={key}
                  id={key}
                  row={entry.row}
                  index={first + index}
                  columns={shown}
                  open={key === open}
                  selected={selection.keys.has(key)}
                  stop={key === stop}
                  mark={mark?.(entry.row)}
                  addressOf={addressOf}
                  onPick={onPick}
                />
              );
            })}
            {last < entries.length && (
              <Spacer span={shown.length} height={(entries.length - last) * rowHeight} />
            )}
            {pending && <SkeletonBody columns={shown.length} />}
          </tbody>
        </table>
        {end}
      </div>
      {selection.keys.size > 0 && (
        <SelectionBar
          copied={copying.copied}
          count={selection.keys.size}
          onCopy={copying.copy}
          addressOf={addressOf}
          keyOf={keyOf}
          onClear={selection.clear}
        />
      )}
      <div aria-live="polite">{copying.said !== undefined && <Spoken>{copying.said}</Spoken>}</div>
    </div>
  );
}

const headOf = (scroller: HTMLElement | null, column: string) =>
  scroller?.querySelector<HTMLElement>(`th[data-column="${CSS.escape(column)}"]`);
