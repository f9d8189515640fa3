import type { Delivery } from '#shared/api/delivery.ts';
import type { PageAddress } from '#shared/page-address.ts';
import type { Address } from '../../core/page-address.ts';
import { type DeliveryStatus, deliveryKey, deliveryStatuses, statusOf } from './delivery-labels.ts';

/** What the list is narrowed to. */
export type DeliveryFilter = {
  readonly q?: string;
  readonly repo?: string;
  readonly state?: DeliveryStatus;
};

/** The filter an address names. A state that is none narrows nothing. */
export function filterOf({ q, repo, state }: Pick<Address, 'q' | 'repo' | 'state'>): DeliveryFilter {
  const status = deliveryStatuses.find((known) => known === state);
  return {
    ...(q !== null && q !== '' && { q }),
    ...(repo !== null && repo !== '' && { repo }),
    ...(status !== undefined && { state: status }),
  };
}

/** The filter with one part changed; undefined takes the part off. */
export function changed(
  filter: DeliveryFilter,
  change: { readonly [Part in keyof DeliveryFilter]: DeliveryFilter[Part] | undefined },
): DeliveryFilter {
  const { q, repo, state } = { ...filter, ...change };
  return filterOf({ q: q ?? null, repo: repo ?? null, state: state ?? null });
}

/** The address of the list under a filter, with a delivery open beside it or none. */
export function gitopsAddress(filter: DeliveryFilter, record?: string): PageAddress {
  return { tab: 'gitops', ...filter, ...(record !== undefined && { record }) };
}

/** Deliveries that are narrowed to, gravest first, then by repository and name. */
export function narrowed(
  items: readonly Delivery[],
  { q, repo, state }: DeliveryFilter,
): readonly Delivery[] {
  const wanted = q?.toLowerCase();
  return items
    .filter(
      (item) =>
        (repo === undefined || item.repo === repo) &&
        (state === undefined || statusOf(item) === state) &&
        (wanted === undefined || textOf(item).includes(wanted)),
    )
    .sort(
      (a, b) =>
        deliveryStatuses.indexOf(statusOf(a)) - deliveryStatuses.indexOf(statusOf(b)) ||
        deliveryKey(a).localeCompare(deliveryKey(b)),
    );
}

function textOf({ name, repo, branch, detail, revision, target_revision }: Delivery): string {
  return [name, repo, branch, detail, revision, target_revision].join(' ').toLowerCase();
}

/** The repositories that deliver, by name. */
export function reposOf(items: readonly Delivery[]): readonly string[] {
  return [...new Set(items.flatMap(({ repo }) => repo ?? []))].sort();
}
