import { useEffect, useId } from 'react';
import { formatEntry } from './table-part.ts';

/** How a table on the page is arranged, whether its address says so or the person's profile. */
type Shown = {
  /** Undefined for the table of the page itself. */
  readonly table: string | undefined;
  /** The column it is sorted by, after `-` when descending; undefined is its own order. */
  readonly sort: string | undefined;
  readonly hidden: readonly string[];
};

/** Tables on the page now, by who shows them. */
const shown = new Map<string, Shown>();

/** Says, while its caller is on the page, how a table is arranged. */
export function useShownArrangement({ table, sort, hidden }: Shown): void {
  const id = useId();
  const columns = hidden.join();
  useEffect(() => {
    shown.set(id, { table, sort, hidden: columns === '' ? [] : columns.split(',') });
    return () => {
      shown.delete(id);
    };
  }, [id, table, sort, columns]);
}

/** Stands in `sort` for a table in its own order, and in `hide` for one with all its columns. */
export const unarranged = 'none';

/**
 * Returns the `sort` and `hide` of an address that arranges the tables as they are shown now, whatever whoever opens it
 * has in their profile.
 */
export function shownArrangement(): { readonly sort?: string; readonly hide?: string } {
  const tables = new Map([...shown.values()].map((each) => [each.table ?? '', each]));
  const sort: string[] = [];
  const hide: string[] = [];
  for (const { table, ...each } of tables.values()) {
    sort.push(formatEntry({ table, column: each.sort ?? unarranged }));
    for (const column of each.hidden.length === 0 ? [unarranged] : each.hidden)
      hide.push(formatEntry({ table, column }));
  }
  return { ...(sort.length > 0 && { sort: sort.join() }), ...(hide.length > 0 && { hide: hide.join() }) };
}
