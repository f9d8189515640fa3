import type { ReactNode } from 'react';

/** A plain value of a cell: what is sorted by, exported and copied. */
export type CellValue = string | number | boolean | undefined;

/** A column of a table: how its cells look, and the plain value behind each. */
export type TableColumn<Row> = {
  /** Names the column in the address and in the person's choice of columns. */
  readonly id: string;
  readonly title: string;
  /** Pixels in a table of `room` pixels; a column without a width shares what the others leave. */
  readonly width?: number | ((view: number) => number | undefined);
  /** Shown only in a table of at least so many pixels. */
  readonly from?: number;
  readonly numbers?: boolean;
  /** The column whose cell links to the row. It cannot be hidden. Every table has one. */
  readonly link?: true;
  /** Less prominent than the name and the state. */
  readonly quiet?: true;
  /** The plain value. A column of actions has none: it is neither sorted by nor exported. */
  value?(row: Row): CellValue;
  /** Sort key, if it is not the value itself, such as the severity of a state. */
  rank?(row: Row): CellValue;
  /** The cell, where it is more than the value. */
  cell?(row: Row): ReactNode;
  /** The cell in full, where it may be too narrow for it. */
  hover?(row: Row): string | undefined;
};

/** The columns the person did not hide. */
export const chosenColumns = <Row>(columns: readonly TableColumn<Row>[], hidden: readonly string[]) =>
  columns.filter(({ id, link }) => link === true || !hidden.includes(id));

/** A column's width in a table of so many pixels. */
export const widthOf = <Row>({ width }: TableColumn<Row>, view: number): number | undefined =>
  typeof width === 'function' ? width(view) : width;

/**
 * The chosen columns there is room for in a table of so many pixels. What the person hides makes room for others.
 */
export function fittingColumns<Row>(
  columns: readonly TableColumn<Row>[],
  hidden: readonly string[],
  view: number,
): readonly TableColumn<Row>[] {
  const chosen = chosenColumns(columns, hidden);
  const freed = columns
    .filter((column) => !chosen.includes(column) && (column.from ?? 0) <= view)
    .reduce((sum, column) => sum + (widthOf(column, view) ?? 0), 0);
  return chosen.filter(({ from = 0 }) => from <= view + freed);
}
