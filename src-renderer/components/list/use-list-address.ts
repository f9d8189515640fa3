import { useCallback, useMemo } from 'react';
import type { PageAddress } from '#shared/page-address.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import type { Sort } from '../table/sort-rows.ts';
import { useArrangement } from '../table/use-arrangement.ts';
import type { FilterChange } from './address-filter.ts';
import { type ListPlan, listAddress } from './list-address.ts';

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
  const href = useHref();
  const text = JSON.stringify(plan.filter.read(address));
  // One object for one filter, however often the address is read: lists are asked for by it.
  const { filter, ignored } = useMemo((): ReturnType<typeof plan.filter.read> => JSON.parse(text), [text]);
  const { sort, parts: arranged, change } = useArrangement(plan.tab);
  const open = address[plan.openPart] ?? undefined;
  const target = plan.keeps?.includes('target') === true ? (address.target ?? undefined) : undefined;
  const beside = open !== undefined || plan.keepsOpen === true;
  const indexOf = useCallback(
    (key?: string) => listAddress(plan, { filter, arranged, open: key, target }),
    [plan, filter, arranged, target],
  );
  const show = useCallback(
    (key: string) => go(indexOf(key), beside ? 'replace' : 'push'),
    [go, indexOf, beside],
  );
  const addressOf = useCallback((key: string) => href(indexOf(key)), [href, indexOf]);
  const sortBy = useCallback((next: Sort | undefined) => change({ sort: next }), [change]);
  const changed = (next: FilterChange<Filter>) => plan.filter.changed(filter, next);
  return {
    filter,
    ignored,
    sort,
    open,
    narrowed: Object.keys(plan.filter.place(filter)).length > 0,
    placeOf: indexOf,
    addressOf,
    addressWith: (next) => href(listAddress(plan, { filter: changed(next), arranged, target })),
    show,
    leave: () => go(indexOf()),
    narrow: (next, history = 'push') =>
      go(listAddress(plan, { filter: changed(next), arranged, open, target }), history),
    clear: () => go(listAddress(plan, { filter: plan.filter.read({}).filter, arranged, open, target })),
    sortBy,
  };
}
