import type { HealthState, ObjectRef } from '#shared/api/cluster.ts';
import type { PageAddress } from '#shared/page-address.ts';
import type { Icon } from '../../core/icon.ts';
import type { Address } from '../../core/page-address.ts';
import { healthStates, healthWorstFirst } from '../health-states.ts';

/** The things of one page, each of which stands well or ill: how they are told apart, named, searched and narrowed. */
export type Listed<Item> = {
  /** The page. */
  readonly tab: string;
  /** What one is called, such as `service`, and several. */
  readonly one: string;
  readonly many: string;
  readonly icon: Icon;
  /** What tells it from all others and stands for it in the address. */
  key(item: Item): string;
  title(item: Item): string;
  state(item: Item): HealthState;
  /** What states are called here where they have words of their own, such as `Armed`. */
  readonly stateLabels?: { readonly [State in HealthState]?: string };
  /** Why it stands so, a clause. */
  why(item: Item): string | undefined;
  namespace(item: Item): string | undefined;
  /** What else is searched. */
  searchText(item: Item): readonly (string | undefined)[];
  /** The object of the cluster that it is, where it is one, to be read as YAML. */
  object?(item: Item): ObjectRef | undefined;
  /** What a diagnosis is asked about, where that is no object to be read. */
  about?(item: Item): ObjectRef;
  /** True for what stands before all others, however those stand. */
  foremost?(item: Item): boolean;
  /** How the list is ordered, where `worst first` would not be true. */
  readonly order?: string;
};

/** A state by its shape and the word the page has for it. */
export const shownState = <Item>({ stateLabels }: Listed<Item>, state: HealthState) => ({
  ...healthStates[state],
  ...(stateLabels?.[state] !== undefined && { word: stateLabels[state] }),
});

/** What a list is narrowed to. */
export type ListFilter = {
  readonly q?: string;
  readonly namespace?: string;
  readonly state?: HealthState;
};

type Narrowing = { readonly [Part in keyof ListFilter]: ListFilter[Part] | undefined };

/** The filter an address names. A state that is none narrows nothing. */
export function filterOf({ q, namespace, state }: Pick<Address, 'q' | 'namespace' | 'state'>): ListFilter {
  return compact({
    q: q ?? undefined,
    namespace: namespace ?? undefined,
    state: healthWorstFirst.find((known) => known === state),
  });
}

/** The filter with parts changed; undefined takes a part off. */
export const changed = (filter: ListFilter, change: Narrowing): ListFilter =>
  compact({ q: filter.q, namespace: filter.namespace, state: filter.state, ...change });

const compact = ({ q, namespace, state }: Narrowing): ListFilter => ({
  ...(q !== undefined && q !== '' && { q }),
  ...(namespace !== undefined && namespace !== '' && { namespace }),
  ...(state !== undefined && { state }),
});

type ListAddress = {
  readonly tab: string;
  readonly filter: ListFilter;
  /** The cluster the address names. */
  readonly target: string | undefined;
  /** The one that is open. */
  readonly record?: string | undefined;
};

/** The address of a list under a filter, with one thing open or none. */
export const listAddress = ({ tab, filter, target, record }: ListAddress): PageAddress => ({
  tab,
  ...filter,
  ...(target !== undefined && { target }),
  ...(record !== undefined && { record }),
});

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
        listed.title(a).localeCompare(listed.title(b)) ||
        listed.key(a).localeCompare(listed.key(b)),
    );
}
