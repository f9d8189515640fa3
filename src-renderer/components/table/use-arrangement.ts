import { useLocalStorage } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { addressWith } from '../../core/address-with.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { type Preferences, preferencesQuery, type TableArrangement } from '../../core/queries.ts';
import { useSession } from '../../core/session.tsx';
import { useSavePreferences } from '../../core/use-save-preferences.ts';
import { unarranged as asItComes } from './shown-arrangements.ts';
import { type Sort, sortOf, sortValue } from './sort-rows.ts';
import { type ArrangedParts, entriesOf, withEntries } from './table-part.ts';

const unarranged: TableArrangement = { hidden: [], sort: '', widths: {} };
const noColumns: readonly string[] = [];

/** What changes of an arrangement. `sort` undefined is the table's own order. */
export type ArrangementChange = {
  readonly hidden?: readonly string[];
  readonly sort?: Sort | undefined;
  readonly widths?: Readonly<Record<string, number>>;
};

/** How the person arranged a table, and the way to change it. */
export type Arrangement = {
  /** Name of the table in the address; undefined is the page's own. */
  readonly name: string | undefined;
  readonly hidden: readonly string[];
  readonly sort: Sort | undefined;
  /** Pixels of the columns that were resized. */
  readonly widths: Readonly<Record<string, number>>;
  /** As the address of the page says it. */
  readonly parts: ArrangedParts;
  change(change: ArrangementChange): void;
};

/**
 * Reads how a table is arranged: as the address says, else as the person left it. That is kept in the profile of the
 * signed-in person; on an open console, which has nobody to keep it for, on this machine. The table of a page's list has
 * the name of the page, and its columns stand in the address by their names alone; those of other tables after the
 * table's name, such as `ports.port`.
 */
export function useArrangement(table: string): Arrangement {
  const { me } = useSession();
  const client = useQueryClient();
  const [address, go] = usePageAddress();
  const { data: preferences } = useQuery({ ...preferencesQuery, enabled: me.authed });
  const { mutate } = useSavePreferences();
  const [here, setHere] = useLocalStorage<TableArrangement>({
    key: `console.table.${table}`,
    defaultValue: unarranged,
    getInitialValueInEffect: false,
    deserialize: readArrangement,
  });
  const kept = me.authed ? (preferences?.tables[table] ?? unarranged) : here;
  const prefix = table === address.tab ? undefined : table;
  const [order] = entriesOf(address.sort, prefix);
  const hide = entriesOf(address.hide, prefix).join();
  const sort = useMemo(
    () => (order === asItComes ? undefined : sortOf(order ?? kept.sort)),
    [order, kept.sort],
  );
  const hidden = useMemo(() => {
    if (hide === asItComes) return noColumns;
    return hide === '' ? kept.hidden : hide.split(',');
  }, [hide, kept.hidden]);

  const change = useCallback(
    (changed: ArrangementChange) => {
      const next = { hidden, sort, widths: kept.widths, ...changed };
      const parts = partsOf(address, prefix, next);
      if (parts.sort !== (address.sort ?? undefined) || parts.hide !== (address.hide ?? undefined))
        go(addressWith(address, { sort: parts.sort, hide: parts.hide }), 'replace');
      const stored = { ...next, sort: next.sort === undefined ? '' : sortValue(next.sort) };
      if (!me.authed) {
        setHere(stored);
        return;
      }
      client.setQueryData<Preferences>(
        preferencesQuery.queryKey,
        (known) => known && { ...known, tables: { ...known.tables, [table]: stored } },
      );
      // What was not kept is shown as it is kept.
      const onError = () => client.invalidateQueries({ queryKey: preferencesQuery.queryKey });
      mutate({ columns: { table, ...stored } }, { onError });
    },
    [address, client, go, hidden, kept.widths, me.authed, mutate, prefix, setHere, sort, table],
  );
  const { sort: sortPart, hide: hidePart } = partsOf(address, prefix, { hidden, sort }, { order, hide });
  const parts = useMemo(
    () => ({
      ...(sortPart !== undefined && { sort: sortPart }),
      ...(hidePart !== undefined && { hide: hidePart }),
    }),
    [sortPart, hidePart],
  );
  return { name: prefix, hidden, sort, widths: kept.widths, parts, change };
}

/**
 * The parts of the address with one table's own entries replaced; those of other tables stay. `said` is what the address
 * says of it now: that it is not arranged is kept, too.
 */
function partsOf(
  address: { readonly sort: string | null; readonly hide: string | null },
  prefix: string | undefined,
  { hidden, sort }: Pick<Arrangement, 'hidden' | 'sort'>,
  said: { readonly order?: string | undefined; readonly hide?: string } = {},
): { readonly sort: string | undefined; readonly hide: string | undefined } {
  const order = said.order === asItComes ? [asItComes] : sort === undefined ? [] : [sortValue(sort)];
  return {
    sort: withEntries(address.sort, prefix, order),
    hide: withEntries(address.hide, prefix, said.hide === asItComes ? [asItComes] : hidden),
  };
}

/** Parses a stored arrangement. Anything another version may have stored arranges nothing. */
function readArrangement(stored: string | undefined): TableArrangement {
  try {
    const value: Partial<Record<keyof TableArrangement, unknown>> = JSON.parse(stored ?? '{}');
    const { hidden, sort, widths } = value;
    return {
      hidden: Array.isArray(hidden) ? hidden.filter((name) => typeof name === 'string') : [],
      sort: typeof sort === 'string' ? sort : '',
      widths: Object.fromEntries(
        Object.entries(widths ?? {}).filter(
          (entry): entry is [string, number] => typeof entry[1] === 'number',
        ),
      ),
    };
  } catch {
    return unarranged;
  }
}
