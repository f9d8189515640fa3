import type { CellValue, TableColumn } from './table-column.ts';

/** A table's order when it is not its own: by one column. */
export type Sort = { readonly column: string; readonly descending: boolean };

/** Reads the `sort` of an address, such as `started` or `-started`; undefined is the table's own order. */
export function sortOf(value: string | null): Sort | undefined {
  if (value === null || !/^-?[a-z]\w*$/i.test(value)) return undefined;
  const descending = value.startsWith('-');
  return { column: descending ? value.slice(1) : value, descending };
}

/** The `sort` of an address. */
export const sortValue = ({ column, descending }: Sort): string => `${descending ? '-' : ''}${column}`;

/** The order after a press on a column's head: ascending, descending, then the table's own again. */
export function nextSort(sort: Sort | undefined, column: string): Sort | undefined {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}

/** Rows by one column. Rows that are equal in it keep their order, and those without a value come last either way. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (sort === undefined || column === undefined) return rows;
  const direction = sort.descending ? -1 : 1;
  return rows
    .map((row) => ({ row, by: column.rank?.(row) ?? column.value?.(row) }))
    .sort((a, b) => {
      if (a.by === undefined || b.by === undefined)
        return Number(a.by === undefined) - Number(b.by === undefined);
      return direction * compare(a.by, b.by);
    })
    .map(({ row }) => row);
}

const collator = new Intl.Collator('en', { numeric: true });

function compare(a: NonNullable<CellValue>, b: NonNullable<CellValue>): number {
  return typeof a === 'string' || typeof b === 'string'
    ? collator.compare(String(a), String(b))
    : Number(a) - Number(b);
}

/** The order of a list in words; `own` is its own order. */
export function formatOrder<Row>(
  sort: Sort | undefined,
  columns: readonly TableColumn<Row>[],
  own: string,
): string {
  const column = columns.find(({ id }) => id === sort?.column);
  return column === undefined ? own : `by ${column.title.toLowerCase()}`;
}
