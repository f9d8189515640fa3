import { useCallback, useMemo } from 'react';
import { type PageAddress, pageHref } from '#shared/page-address.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { type Sort, sortOf, sortValue } from '../table/sort-rows.ts';
import type { AddressFilter, FilterChange } from './address-filter.ts';

/** How a page's list is kept in the address. A constant of the page. */
export type ListPlan<Filter> = {
  /** The page. */
  readonly tab: string;
  readonly filter: AddressFilter<Filter>;
  /** The part of the address that names the open row. */
  readonly openPart: 'record' | 'run';
  /** Parts of the address that the list leaves as they are. */
  readonly keeps?: readonly 'target'[];
  /** One row is always open, so that opening another leaves no step behind. */
  readonly keepsOpen?: boolean;
};

/** State of a list that is kept in the address. */
export type ListState<Filter> = {
  readonly filter: Filter;
  readonly sort?: Sort | undefined;
  /** The key of the open row. */
  readonly open?: string | undefined;
  readonly target?: string | undefined;
};

/** The address of a list, with a row open or none. */
export const listAddress = <Filter>(
  { tab, filter: { place: to }, openPart }: ListPlan<Filter>,
  { filter, sort, open, target }: ListState<Filter>,
): PageAddress => ({
  tab,
  ...to(filter),
  ...(target !== undefined && { target }),
  ...(sort !== undefined && { sort: sortValue(sort) }),
  ...(open !== undefined && { [openPart]: open }),
});

/** A list's part of the address: what it is narrowed to, its order and what is open, and the ways to change them. */
export type ListAddress<Filter> = {
  readonly filter: Filter;
  /** Parts of the address that were not understood, such as `state=good`. */
  readonly ignored: readonly string[];
  /** Undefined is the list's own order. */
  readonly sort: Sort | undefined;
  readonly open: string | undefined;
  /** True when the filter leaves something out. */
  readonly narrowed: boolean;
  /** The place of a row; without a key, of the list alone. */
  placeOf(key?: string): PageAddress;
  addressOf(key: string): string;
  /** The address with parts of the filter changed. */
  addressWith(change: FilterChange<Filter>): string;
  /** Opens a row. */
  show(key: string): void;
  /** Opens the list alone. */
  leave(): void;
  /** Changes parts of the filter. `replace` while the person is still writing: no step is left behind. */
  narrow(change: FilterChange<Filter>, history?: 'push' | 'replace'): void;
  /** Takes off every filter. */
  clear(): void;
  sortBy(sort: Sort | undefined): void;
};

/** Reads a list's state from the address, and changes it there. */
export function useListAddress<Filter>(plan: ListPlan<Filter>): ListAddress<Filter> {
  const [address, go] = usePageAddress();
  const text = JSON.stringify(plan.filter.read(address));
  // One object for one filter, however often the address is read: lists are asked for by it.
  const { filter, ignored } = useMemo((): ReturnType<typeof plan.filter.read> => JSON.parse(text), [text]);
  const { sort: order } = address;
  const sort = useMemo(() => sortOf(order), [order]);
  const open = address[plan.openPart] ?? undefined;
  const target = plan.keeps?.includes('target') === true ? (address.target ?? undefined) : undefined;
  const beside = open !== undefined || plan.keepsOpen === true;
  const indexOf = useCallback(
    (key?: string) => listAddress(plan, { filter, sort, open: key, target }),
    [plan, filter, sort, target],
  );
  const show = useCallback(
    (key: string) => go(indexOf(key), beside ? 'replace' : 'push'),
    [go, indexOf, beside],
  );
  const addressOf = useCallback((key: string) => pageHref(indexOf(key)), [indexOf]);
  const sortBy = useCallback(
    (next: Sort | undefined) => go(listAddress(plan, { filter, sort: next, open, target }), 'replace'),
    [go, plan, filter, open, target],
  );
  const changed = (change: FilterChange<Filter>) => plan.filter.changed(filter, change);
  return {
    filter,
    ignored,
    sort,
    open,
    narrowed: Object.keys(plan.filter.place(filter)).length > 0,
    placeOf: indexOf,
    addressOf,
    addressWith: (change) => pageHref(listAddress(plan, { filter: changed(change), sort, target })),
    show,
    leave: () => go(indexOf()),
    narrow: (change, history = 'push') =>
      go(listAddress(plan, { filter: changed(change), sort, open, target }), history),
    clear: () => go(listAddress(plan, { filter: plan.filter.read({}).filter, sort, open, target })),
    sortBy,
  };
}
