import { useMemo } from 'react';
import type { TableColumn } from '../table/table-column.ts';
import { type Listed, type ListFilter, narrowed, shownState, stateFilter } from './listed.ts';
import { columnsOf, type StateColumns, withNameWidth } from './state-columns.tsx';
import { type List, useList } from './use-list.ts';
import { type ListAddress, useListAddress } from './use-list-address.ts';

/** A list of things that stand well or ill, as its page handles it. */
export type StateList<Item> = ListAddress<ListFilter> &
  Omit<List<Item>, 'rows'> & {
    readonly listed: Listed<Item>;
    /** Everything that was read, and what of it is narrowed to. */
    readonly all: readonly Item[];
    readonly items: readonly Item[];
    /** The open one where it was read. */
    readonly opened: Item | undefined;
    readonly columns: readonly TableColumn<Item>[];
  };

type StateListOptions<Item> = StateColumns<Item> & {
  /** One is always open and moving opens the next, as beside a reading. */
  readonly keepsOpen?: boolean;
};

/**
 * A page's list, worst first unless it is sorted, all of it in the address. `Listed` and the columns are constants of
 * the page.
 */
export function useStateList<Item>(
  listed: Listed<Item>,
  all: readonly Item[],
  { keepsOpen = false, columns, nameWidth, whyTitle }: StateListOptions<Item> = {},
): StateList<Item> {
  const plan = useMemo(
    () =>
      ({ tab: listed.tab, filter: stateFilter, openPart: 'record', keeps: ['target'], keepsOpen }) as const,
    [listed, keepsOpen],
  );
  const address = useListAddress(plan);
  const { filter } = address;
  const items = useMemo(() => narrowed(listed, all, filter), [listed, all, filter]);
  const plain = useMemo(() => columnsOf(listed, { columns, whyTitle }), [listed, columns, whyTitle]);
  const first = items[0];
  const shown = keepsOpen && first !== undefined ? listed.key(first) : undefined;
  const command = useMemo(() => commandOf(listed), [listed]);
  const { rows, ...list } = useList({
    address,
    rows: items,
    columns: plain,
    keyOf: listed.key,
    command,
    shown,
  });
  const open = address.open ?? shown;
  return {
    ...address,
    ...list,
    listed,
    all,
    items: rows,
    open,
    opened: all.find((item) => listed.key(item) === open),
    columns: useMemo(
      () => withNameWidth(plain, rows.map(listed.title), nameWidth),
      [plain, rows, listed, nameWidth],
    ),
  };
}

/** A thing as the palette offers it. */
const commandOf =
  <Item>(listed: Listed<Item>) =>
  (item: Item) => ({
    id: `${listed.tab}.${listed.key(item)}`,
    title: listed.title(item),
    detail: [listed.one, listed.namespace(item), shownState(listed, listed.state(item)).label.toLowerCase()]
      .filter((part) => part !== undefined)
      .join(', '),
    icon: listed.icon,
  });
