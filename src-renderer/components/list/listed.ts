import { z } from 'zod';
import { type HealthState, healthState, type ObjectRef } from '#shared/api/cluster.ts';
import { healthWorstFirst } from '#shared/health/worst-first.ts';
import type { Icon } from '../../core/icon.ts';
import { healthStates } from '../health-states.ts';
import { createAddressFilter } from './address-filter.ts';

/** The things of one page, each of which stands well or ill: how they are told apart, named, searched and narrowed. */
export type Listed<Item> = {
  /** The page. */
  readonly tab: string;
  /** Singular and plural name, such as `service`. */
  readonly one: string;
  readonly many: string;
  readonly icon: Icon;
  /** Unique key of an item, used in the address. */
  key(item: Item): string;
  title(item: Item): string;
  state(item: Item): HealthState;
  /** Labels that replace the usual state labels, such as `Armed`. */
  readonly stateLabels?: { readonly [State in HealthState]?: string };
  /** Reason for the state, as a clause. */
  why(item: Item): string | undefined;
  namespace(item: Item): string | undefined;
  /** Additional text to search. */
  searchText(item: Item): readonly (string | undefined)[];
  /** The object of the cluster that it is, where it is one, to be read as YAML. */
  object?(item: Item): ObjectRef | undefined;
  /** Object to diagnose, if it is not the item's own. */
  about?(item: Item): ObjectRef;
  /** True for what stands before all others, however those stand. */
  foremost?(item: Item): boolean;
  /** Compares items of one state; by default they stand by name. */
  compare?(a: Item, b: Item): number;
  /** Description of the order, if it is not `worst first`. */
  readonly order?: string;
};

/** A state by its shape and the word the page has for it. */
export const shownState = <Item>({ stateLabels }: Listed<Item>, state: HealthState) => ({
  ...healthStates[state],
  ...(stateLabels?.[state] !== undefined && { label: stateLabels[state] }),
});

const listFilter = z.object({
  q: z.string().optional(),
  namespace: z.string().optional(),
  state: healthState.optional(),
});

/** Filter of a list. */
export type ListFilter = z.infer<typeof listFilter>;

/** The filter of a list in the address. A state that is none narrows nothing. */
export const stateFilter = createAddressFilter(listFilter);

/** The things that are narrowed to, worst first, then by name. */
export function narrowed<Item>(
  listed: Listed<Item>,
  items: readonly Item[],
  { q, namespace, state }: ListFilter,
): readonly Item[] {
  const wanted = q?.toLowerCase();
  const textOf = (item: Item) =>
    [
      listed.key(item),
      listed.title(item),
      listed.why(item),
      shownState(listed, listed.state(item)).label,
      ...listed.searchText(item),
    ]
      .join(' ')
      .toLowerCase();
  const rankOf = (item: Item) =>
    listed.foremost?.(item) === true ? -1 : healthWorstFirst.indexOf(listed.state(item));
  return items
    .filter(
      (item) =>
        (namespace === undefined || listed.namespace(item) === namespace) &&
        (state === undefined || listed.state(item) === state) &&
        (wanted === undefined || textOf(item).includes(wanted)),
    )
    .sort(
      (a, b) =>
        rankOf(a) - rankOf(b) ||
        (listed.compare?.(a, b) ?? 0) ||
        listed.title(a).localeCompare(listed.title(b)) ||
        listed.key(a).localeCompare(listed.key(b)),
    );
}
