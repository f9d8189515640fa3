import { z } from 'zod';
import type { Delivery } from '#shared/api/delivery.ts';
import { createAddressFilter } from '../../components/list/address-filter.ts';
import type { ListPlan } from '../../components/list/list-address.ts';
import { deliveryKey, deliveryStatuses, statusOf } from './delivery-labels.ts';

const deliveryFilter = z.object({
  q: z.string().optional(),
  repo: z.string().optional(),
  state: z.enum(deliveryStatuses).optional(),
});

/** Filter of the list. */
export type DeliveryFilter = z.infer<typeof deliveryFilter>;

/** How the list of deliveries is kept in the address. An unknown state filters nothing. */
export const deliveriesPlan: ListPlan<DeliveryFilter> = {
  tab: 'gitops',
  filter: createAddressFilter(deliveryFilter),
  openPart: 'record',
};

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
