import type { CellValue, TableColumn } from './table-column.ts';

/** Matches cells a spreadsheet would take for a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * Rows as CSV (RFC 4180) with a head line. A text that a spreadsheet would run as a formula gets an apostrophe before
 * it: some of the words in a list were chosen by whoever was refused.
 */
export function csvOf<Row>(columns: readonly (keyof Row & string)[], rows: readonly Row[]): string {
  return csvLines(
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  );
}

/** The values of a table's columns as CSV, under the columns' titles. */
export function csvOfColumns<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  const held = columns.filter(({ value }) => value !== undefined);
  return csvLines(
    held.map(({ title }) => title),
    rows.map((row) => held.map((column) => column.value?.(row))),
  );
}

/** The values of a table's columns as lines of tabs, which a spreadsheet takes as cells when they are pasted. */
export function textOf<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  const plain = (value: CellValue) => (value === undefined ? '' : String(value).replaceAll(/\s+/g, ' '));
  return rows
    .map((row) => columns.flatMap(({ value }) => (value === undefined ? [] : plain(value(row)))).join('\t'))
    .join('\n');
}

function csvLines(head: readonly string[], lines: readonly (readonly unknown[])[]): string {
  return `${[head, ...lines].map((cells) => cells.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(value: unknown): string {
  const text = value === undefined ? '' : String(value);
  const safe = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
