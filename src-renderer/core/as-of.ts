import { usePageAddress } from './page-address.ts';
import { readsCluster } from './tabs.ts';
import { useCurrentTarget } from './target-queries.ts';

/**
 * Returns the time from which the ages of the open page count, in epoch ms: of a page that is read from a bundle, when that
 * was taken; else undefined, which is now.
 */
export function useAsOf(): number | undefined {
  const [{ tab }] = usePageAddress();
  const { target } = useCurrentTarget();
  if (target?.kind !== 'bundle' || target.taken_at === undefined) return undefined;
  return tab !== null && readsCluster(tab) ? Date.parse(target.taken_at) : undefined;
}
