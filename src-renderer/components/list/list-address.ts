import type { PageAddress } from '#shared/page-address.ts';
import type { ArrangedParts } from '../table/table-part.ts';
import type { AddressFilter } from './address-filter.ts';

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
  /** How its table is arranged. */
  readonly arranged?: ArrangedParts;
  /** The key of the open row. */
  readonly open?: string | undefined;
  readonly target?: string | undefined;
};

/** The address of a list, with a row open or none. */
export const listAddress = <Filter>(
  { tab, filter: { place: to }, openPart }: ListPlan<Filter>,
  { filter, arranged, open, target }: ListState<Filter>,
): PageAddress => ({
  tab,
  ...to(filter),
  ...(target !== undefined && { target }),
  ...arranged,
  ...(open !== undefined && { [openPart]: open }),
});
