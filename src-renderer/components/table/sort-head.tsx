import { UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { IconArrowDown, IconArrowUp } from '../../core/icons/icons.ts';
import css from './data-table.module.css';
import type { Sort } from './sort-rows.ts';
import { allowedWidth, type TableColumn } from './table-column.ts';

type SortHeadProps<Row> = {
  readonly column: TableColumn<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: () => void;
  readonly onResize: Resize;
};

/** A new width of a column in pixels, undefined for its own; `done` is false while the mouse still moves. */
export type Resize = (column: string, width: number | undefined, done: boolean) => void;

/** Pixels by which a key or button widens a column. */
export const resizeStep = 16;

/** The head of a column: a button that sorts by it, where it holds values, and an edge that resizes it. */
export function SortHead<Row>({ column, sort, onSort, onResize }: SortHeadProps<Row>) {
  const { id, title, numbers = false, value } = column;
  const head = useRef<HTMLTableCellElement>(null);
  const widthNow = () => head.current?.offsetWidth ?? 0;
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.shiftKey || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
    event.preventDefault();
    const by = event.key === 'ArrowRight' ? resizeStep : -resizeStep;
    onResize(id, allowedWidth(widthNow() + by), true);
  };
  const edge = <Edge widthNow={widthNow} onResize={(width, done) => onResize(id, width, done)} />;
  if (value === undefined)
    return (
      <th ref={head} scope="col" data-column={id} data-numbers={numbers}>
        {title}
        {edge}
      </th>
    );
  const direction = sort?.column !== id ? 'none' : sort.descending ? 'descending' : 'ascending';
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp;
  return (
    <th ref={head} scope="col" data-column={id} data-numbers={numbers} aria-sort={direction}>
      <UnstyledButton
        className={css.sort}
        data-direction={direction}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onClick={onSort}
        onKeyDown={onKeyDown}
      >
        <span>{title}</span>
        <Arrow size={12} stroke={2} aria-hidden />
      </UnstyledButton>
      {edge}
    </th>
  );
}

type EdgeProps = {
  readonly widthNow: () => number;
  readonly onResize: (width: number | undefined, done: boolean) => void;
};

/** The edge a column is resized by with the mouse; by key its head and the column menu do it. */
function Edge({ widthNow, onResize }: EdgeProps) {
  const held = useRef<{ readonly x: number; readonly width: number }>(undefined);
  const widthAt = ({ clientX }: PointerEvent) => {
    const { x, width } = held.current ?? { x: clientX, width: widthNow() };
    return allowedWidth(width + clientX - x);
  };
  return (
    <span
      className={css.edge}
      aria-hidden="true"
      title="Drag to resize, double-click for its own width"
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        held.current = { x: event.clientX, width: widthNow() };
      }}
      onPointerMove={(event) => {
        if (held.current !== undefined) onResize(widthAt(event), false);
      }}
      onPointerUp={(event) => {
        if (held.current === undefined) return;
        // A click moves nothing.
        if (event.clientX !== held.current.x) onResize(widthAt(event), true);
        held.current = undefined;
      }}
      onPointerCancel={() => {
        held.current = undefined;
      }}
      onDoubleClick={() => onResize(undefined, true)}
    />
  );
}
