import {
  type ClipboardEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { Bone } from '../skeleton.tsx';
import { ColumnMenu } from './column-menu.tsx';
import { textOf } from './csv.ts';
import css from './data-table.module.css';
import { SortHead } from './sort-head.tsx';
import { nextSort, type Sort } from './sort-rows.ts';
import { fittingColumns, type TableColumn, widthOf } from './table-column.ts';
import { groupedEntries, plainEntries } from './table-entries.ts';
import { useHiddenColumns } from './use-hidden-columns.ts';
import { useRowHeight } from './use-row-height.ts';
import { useScrollerSize } from './use-scroller-size.ts';
import { type RowMoves, type Step, useVirtualRows } from './use-virtual-rows.ts';

export type DataTableProps<Row> = {
  /** Names the table in the person's choice of columns. */
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
  readonly ref: Ref<RowMoves<Row>>;
  /** Moves by key inside the table; whoever shows a row beside the table lets it follow. */
  readonly onMove: (step: Step) => void;
  /** The key of the open row. */
  readonly open: string | undefined;
  readonly addressOf: (key: string) => string;
  readonly onOpen: (key: string) => void;
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
};

/** So many rows or fewer are left below the view when more are asked for. */
const ahead = 60;

/** Width that the column menu takes from the last column, in pixels. */
const menuWidth = 32;

const steps: Readonly<Record<string, Step>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 'page',
  PageUp: 'pageBack',
  Home: 'first',
  End: 'last',
};

/**
 * The table of the console: sorted by its heads, moved in by key, its columns chosen by the person. Only the rows near
 * the view exist.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { id, label, columns, rows, keyOf, sort, onSort, ref, onMove, open, addressOf, onOpen } = props;
  const { group, groupNote = String, mark, end, onNearEnd, pending = false, outdated = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const { view, bar } = useScrollerSize(scroller);
  const [hidden, hide] = useHiddenColumns(id);
  const shown = useMemo(() => fittingColumns(columns, hidden, view), [columns, hidden, view]);
  const grouped = sort === undefined ? group : undefined;
  const entries = useMemo(
    () => (grouped === undefined ? plainEntries(rows) : groupedEntries(rows, grouped)),
    [rows, grouped],
  );
  // The head is a row as high as the others.
  const { first, last } = useVirtualRows({
    ref,
    scroller,
    entries,
    keyOf,
    open,
    rowHeight,
    headHeight: rowHeight,
  });
  const nearEnd = last >= entries.length - ahead;
  useEffect(() => {
    if (nearEnd) onNearEnd?.();
  }, [nearEnd, onNearEnd]);
  useEffect(() => {
    if (sort !== undefined) scroller.current?.scrollTo({ top: 0 });
  }, [sort]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined || keyOfFocus(event.target) === undefined) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onMove(step);
  };
  const onCopy = (event: ClipboardEvent) => {
    const key = keyOfFocus(document.activeElement);
    const row = rows.find((candidate) => keyOf(candidate) === key);
    if (key === undefined || row === undefined || getSelection()?.isCollapsed === false) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', textOf(shown, [row]));
  };
  return (
    <div className={css.frame}>
      <ColumnMenu columns={columns} hidden={hidden} shown={shown} inset={bar + 8} onChange={hide} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys are heard on the way up from the rows' links. */}
      <div
        ref={scroller}
        className={css.scroller}
        data-outdated={outdated}
        onKeyDown={onKeyDown}
        onCopy={onCopy}
      >
        <table className={css.table} aria-label={label} aria-rowcount={entries.length + 1}>
          <colgroup>
            {shown.map((column, index) => {
              const width = widthOf(column, view);
              const more = index === shown.length - 1 ? menuWidth : 0;
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
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && <Spacer span={shown.length} height={first * rowHeight} />}
            {entries.slice(first, last).map((entry, index) => {
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
                  mark={mark?.(entry.row)}
                  addressOf={addressOf}
                  onOpen={onOpen}
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
    </div>
  );
}

/** The key of the row whose link has the focus. */
function keyOfFocus(target: EventTarget | null): string | undefined {
  return target instanceof HTMLAnchorElement ? target.dataset.key : undefined;
}

type TableRowProps<Row> = {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly TableColumn<Row>[];
  readonly open: boolean;
  readonly mark: string | undefined;
  readonly addressOf: (key: string) => string;
  readonly onOpen: (key: string) => void;
};

function PlainRow<Row>({ id, row, index, columns, open, mark, addressOf, onOpen }: TableRowProps<Row>) {
  return (
    <tr
      className={css.row}
      aria-rowindex={index + 2}
      data-open={open}
      data-mark={mark}
      onClick={() => onOpen(id)}
    >
      {columns.map((column) => {
        const { link = false, numbers = false, quiet = false, value, cell, hover } = column;
        const content = cell === undefined ? value?.(row) : cell(row);
        return (
          <td
            key={column.id}
            className={quiet ? css.quiet : undefined}
            data-numbers={numbers}
            title={hover?.(row)}
          >
            {link ? (
              <a
                className={css.link}
                href={addressOf(id)}
                data-key={id}
                aria-current={open ? 'true' : undefined}
                onClick={(event) => {
                  event.stopPropagation();
                  if (openedByPlainClick(event)) onOpen(id);
                }}
              >
                {content}
              </a>
            ) : (
              content
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** Drawn once and kept: scrolling draws only the rows that come into view. `memo` forgets type parameters. */
const TableRow = memo(PlainRow) as typeof PlainRow;

/** Room for the rows that are not drawn. */
function Spacer({ span, height }: { readonly span: number; readonly height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true">
      <td className={css.spacer} colSpan={span} style={{ height }} />
    </tr>
  );
}

const skeletonRows = Array.from({ length: 12 }, (_, index) => index);

/** Rows before anything was read. */
function SkeletonBody({ columns }: { readonly columns: number }) {
  return skeletonRows.map((row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr key={row} aria-hidden="true">
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <Bone width={`${45 + ((row * 17 + column * 23) % 40)}%`} />
        </td>
      ))}
    </tr>
  ));
}
