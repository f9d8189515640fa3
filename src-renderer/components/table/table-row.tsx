import { type MouseEvent, memo } from 'react';
import { Bone } from '../skeleton.tsx';
import css from './data-table.module.css';
import type { TableColumn } from './table-column.ts';

type TableRowProps<Row> = {
  readonly id: string;
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly TableColumn<Row>[];
  readonly open: boolean;
  readonly selected: boolean;
  /** The one row that Tab comes to; arrow keys lead to the others. */
  readonly stop: boolean;
  readonly mark: string | undefined;
  /** Undefined where rows do not open. */
  readonly addressOf: ((key: string) => string) | undefined;
  readonly onPick: (key: string, event: MouseEvent) => void;
};

function PlainRow<Row>(props: TableRowProps<Row>) {
  const { id, row, index, columns, open, selected, stop, mark, addressOf, onPick } = props;
  const tabIndex = stop ? 0 : -1;
  return (
    <tr
      className={css.row}
      aria-rowindex={index + 2}
      aria-selected={selected || undefined}
      data-open={open}
      data-mark={mark}
      data-opens={addressOf !== undefined}
      {...(addressOf === undefined && { 'data-key': id, tabIndex })}
      onMouseDown={(event) => {
        // The browser would select the text between.
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={(event) => onPick(id, event)}
    >
      {columns.map((column) => {
        const {
          link = false,
          numbers = false,
          quiet = false,
          wraps = false,
          value,
          cell,
          hover,
          beside,
        } = column;
        const content = cell === undefined ? value?.(row) : cell(row);
        return (
          <td
            key={column.id}
            className={quiet ? css.quiet : undefined}
            data-numbers={numbers}
            data-wraps={wraps}
            title={hover?.(row)}
          >
            {link && addressOf !== undefined ? (
              <a
                className={beside === undefined ? css.link : css.shortLink}
                href={addressOf(id)}
                data-key={id}
                tabIndex={tabIndex}
                aria-current={open ? 'true' : undefined}
                onClick={(event) => {
                  event.stopPropagation();
                  onPick(id, event);
                }}
              >
                {content}
              </a>
            ) : (
              content
            )}
            {beside?.(row)}
          </td>
        );
      })}
    </tr>
  );
}

/** Drawn once and kept: scrolling draws only the rows that come into view. `memo` forgets type parameters. */
export const TableRow = memo(PlainRow) as typeof PlainRow;

/** Room for the rows that are not drawn. */
export function Spacer({ span, height }: { readonly span: number; readonly height: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr aria-hidden="true">
      <td className={css.spacer} colSpan={span} style={{ height }} />
    </tr>
  );
}

const skeletonRows = Array.from({ length: 12 }, (_, index) => index);

/** Rows before anything was read. */
export function SkeletonBody({ columns }: { readonly columns: number }) {
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
