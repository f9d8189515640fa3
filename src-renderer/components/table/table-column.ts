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
  /** Shown only in a table of at least so many pixels, with room for it; of several, that of the widest table gives way first. */
  readonly from?: number;
  readonly numbers?: boolean;
  /** The column whose cell links to the row, where rows open. It cannot be hidden. */
  readonly link?: true;
  /** Its text takes as many lines as it needs, in a table that is as high as its rows. */
  readonly wraps?: true;
  /** Less prominent than the name and the state. */
  readonly quiet?: true;
  /** The plain value. A column of actions has none: it is neither sorted by nor exported. */
  value?(row: Row): CellValue;
  /** Sort key, if it is not the value itself, such as the severity of a state. */
  rank?(row: Row): CellValue;
  /** The cell, where it is more than the value. */
  cell?(row: Row): ReactNode;
  /** Beside the link of a cell, and no part of it. */
  beside?(row: Row): ReactNode;
  /** The cell in full, where it may be too narrow for it. */
  hover?(row: Row): string | undefined;
};

/** The columns the person did not hide. */
export const chosenColumns = <Row>(columns: readonly TableColumn<Row>[], hidden: readonly string[]) =>
  columns.filter(({ id, link }) => link === true || !hidden.includes(id));

/** A column's width in a table of so many pixels. */
const widthOf = <Row>({ width }: TableColumn<Row>, view: number): number | undefined =>
  typeof width === 'function' ? width(view) : width;

/**
 * The chosen columns there is room for in a table of so many pixels. What the person hides makes room for others; columns
 * that are shown from some width on give way before the table scrolls sideways.
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
  const fitting = chosen.filter(({ from = 0 }) => from <= view + freed);
  while (columnLayout(fitting, {}, view).least + menusWidth > view) {
    const first = firstToGive(fitting);
    if (first === undefined) break;
    fitting.splice(first, 1);
  }
  return fitting;
}

/** Width that the table's menus take from the last column, in pixels. */
export const menusWidth = 56;

/** The index of the column that gives way before the others: of the widest tables, and the last of those. */
function firstToGive<Row>(columns: readonly TableColumn<Row>[]): number | undefined {
  const most = Math.max(...columns.map(({ from = 0 }) => from));
  return most > 0 ? columns.findLastIndex(({ from = 0 }) => from === most) : undefined;
}

/** Pixels a column may have. */
const leastWidth = 48;
const mostWidth = 1600;

/** Pixels of a column, within what it may have. */
export const allowedWidth = (pixels: number): number =>
  Math.round(Math.min(mostWidth, Math.max(leastWidth, pixels)));

/** Pixels that are left to a column without a width of its own before the table scrolls sideways. */
const leastShare = 120;

/** A table's columns in pixels; one without a width shares what the others leave. */
export type ColumnLayout = {
  readonly widths: readonly (number | undefined)[];
  /** Pixels below which the table scrolls sideways. */
  readonly least: number;
};

/** Lays out columns in a table of `view` pixels: as the person resized them, else as they are. */
export function columnLayout<Row>(
  columns: readonly TableColumn<Row>[],
  resized: Readonly<Record<string, number>>,
  view: number,
): ColumnLayout {
  const own = columns.map((column) => resized[column.id] ?? widthOf(column, view));
  const isResized = columns.some(({ id }) => resized[id] !== undefined);
  // Without a column that shares the rest, the others would not have the widths they were given.
  const shares = own.includes(undefined) || !isResized ? -1 : lastUnresized(columns, resized);
  const widths = own.map((width, index) => (index === shares ? undefined : width));
  const least = widths.reduce<number>((sum, width) => sum + (width ?? leastShare), 0);
  return { widths, least };
}

function lastUnresized<Row>(
  columns: readonly TableColumn<Row>[],
  resized: Readonly<Record<string, number>>,
): number {
  const index = columns.findLastIndex(({ id }) => resized[id] === undefined);
  return index < 0 ? columns.length - 1 : index;
}
