import type { NamespaceRow } from '#shared/api/cluster.ts';
import type * as resources from './kinds/index.ts';
import type { ObjectOf } from './kinds/index.ts';
import { parseQuantity, toNumber } from './quantities.ts';

type Quota = NamespaceRow['quotas'][number];

/** A ResourceQuota by what it is nearest to run out of. */
export function describeQuota({ metadata, status }: ObjectOf<typeof resources.resourceQuotas>): Quota {
  const { hard = {}, used = {} } = status ?? {};
  const items = Object.entries(hard).map(([resource, limit]) => {
    const taken = used[resource] ?? '0';
    return { resource, used: taken, hard: limit, share: share(taken, limit) };
  });
  return { name: metadata.name, items: items.toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0)) };
}

/** Returns the exhausted resources of a quota, a clause each, such as `requests.cpu 8 of 8 used`. */
export function usedUp({ items }: Quota): string[] {
  return items
    .filter(({ share = 0 }) => share >= 1)
    .map(({ resource, used, hard }) => `${resource} ${used} of ${hard} used`);
}

/** used / hard; undefined for what is no quantity, and for a hard limit of zero, of which there is no share. */
function share(used: string, hard: string): number | undefined {
  const taken = parseQuantity(used);
  const limit = parseQuantity(hard);
  return taken === undefined || limit === undefined || limit <= 0n
    ? undefined
    : toNumber(taken) / toNumber(limit);
}
