import type { Listing } from '../../cluster-model/kinds/index.ts';
import type { Cluster } from './index.ts';

/** Time after which ages and verdicts are recomputed, in ms. */
const holds = 60_000;

/**
 * Keeps what was computed from listings while they are the same, within a minute of the time it was computed for: ten
 * thousand pods are judged once a change, not once a reader. One answer for each cluster; a closed one is forgotten.
 */
export function keepAnswers<Listings, Answer>(
  listingsOf: (listings: Listings) => readonly Pick<Listing<unknown>, 'state' | 'revision'>[],
  compute: (listings: Listings, now: number) => Answer,
): (cluster: Cluster, listings: Listings, now: number) => Answer {
  const kept = new WeakMap<Cluster, { readonly key: string; readonly answer: Answer }>();
  return (cluster, listings, now) => {
    const revisions = listingsOf(listings).map(({ state, revision }) => [state, revision]);
    const key = JSON.stringify([Math.floor(now / holds), revisions]);
    const found = kept.get(cluster);
    if (found?.key === key) return found.answer;
    const answer = compute(listings, now);
    kept.set(cluster, { key, answer });
    return answer;
  };
}
