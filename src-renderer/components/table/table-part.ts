/** Parts of the address that say how tables are arranged. */
export type ArrangedParts = { readonly sort?: string; readonly hide?: string };

/** Matches an entry of `sort` or `hide` in the address: a column, after its table unless it is the page's own. */
const entryPattern = /^(-?)(?:([a-z]\w*)\.)?([a-z]\w*)$/i;

type PartEntry = { readonly table: string | undefined; readonly column: string };

function parsed(part: string | null): readonly PartEntry[] {
  return (part ?? '').split(',').flatMap((text) => {
    const match = entryPattern.exec(text);
    return match === null ? [] : [{ table: match[2], column: `${match[1]}${match[3]}` }];
  });
}

/** Returns the columns a part of the address names of a table, such as `-port` in `sort=name,-ports.port`. */
export const entriesOf = (part: string | null, table: string | undefined): readonly string[] =>
  parsed(part).flatMap((entry) => (entry.table === table ? [entry.column] : []));

/** Returns the part of the address with a table's columns replaced; undefined when nothing is left of it. */
export function withEntries(
  part: string | null,
  table: string | undefined,
  columns: readonly string[],
): string | undefined {
  const others = parsed(part).filter((entry) => entry.table !== table);
  const entries = [...columns.map((column) => ({ table, column })), ...others];
  return entries.length === 0 ? undefined : entries.map(formatEntry).join(',');
}

/** Returns an entry of `sort` or `hide`, such as `-ports.port`. */
export function formatEntry({ table, column }: PartEntry): string {
  if (table === undefined) return column;
  return column.startsWith('-') ? `-${table}.${column.slice(1)}` : `${table}.${column}`;
}
