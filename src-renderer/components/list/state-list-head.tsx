import type { HealthState } from '#shared/api/cluster.ts';
import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { capitalised } from '#shared/text.ts';
import { ChoiceChip } from '../choice-chip.tsx';
import { formatCount } from '../format-quantity.ts';
import { StateStrip } from '../state-strip.tsx';
import { formatOrder } from '../table/sort-rows.ts';
import { TextFilter } from '../text-filter.tsx';
import { shownState } from './listed.ts';
import css from './state-list.module.css';
import type { StateList } from './use-state-list.ts';

/** Shows the list's items by state, as a strip that filters them. */
export function ListStrip<Item>({ list }: { readonly list: StateList<Item> }) {
  const { listed, all, filter } = list;
  const other = (key: HealthState) => (filter.state === key ? undefined : key);
  return (
    <StateStrip
      name={`${capitalised(listed.many)} by state`}
      counts={healthWorstFirst.map((key) => ({
        key,
        ...shownState(listed, key),
        count: all.filter((item) => listed.state(item) === key).length,
        chosen: filter.state === key,
        href: list.addressWith({ state: other(key) }),
      }))}
      onChoose={(chosen) => {
        const state = healthWorstFirst.find((known) => known === chosen);
        if (state !== undefined) list.narrow({ state: other(state) });
      }}
    />
  );
}

/** Shows the list's filters and the number of items left. */
export function ListBar<Item>({ list }: { readonly list: StateList<Item> }) {
  const { listed, all, items, filter } = list;
  const namespaces = [...new Set(all.flatMap((item) => listed.namespace(item) ?? []))].sort();
  return (
    <search className={css.bar} aria-label={`Filter the ${listed.many}`}>
      <TextFilter
        ref={list.input}
        label={`Filter ${listed.many}`}
        value={filter.q ?? ''}
        onChange={(q) => list.narrow({ q }, 'replace')}
      />
      {(namespaces.length > 1 || filter.namespace !== undefined) && (
        <ChoiceChip
          name="Namespace"
          everything="all"
          value={filter.namespace}
          choices={namespaces}
          onChange={(namespace) => list.narrow({ namespace })}
        />
      )}
      <span className={css.count} role="status">
        {formatCount(items.length, listed.one, listed.many)},{' '}
        {formatOrder(list.sort, list.columns, listed.order ?? 'worst first')}
      </span>
    </search>
  );
}
