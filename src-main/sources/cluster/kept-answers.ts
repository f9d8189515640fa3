import type { Steps } from '#shared/steps.ts';
import { paced } from '../../base/pace.ts';
import type { Listing } from '../../cluster-model/kinds/index.ts';
import type { Cluster } from './index.ts';

/** Time after which ages and verdicts are recomputed, in ms. */
const holds = 60_000;

type KeptAnswer<Answer> = { readonly key: string; readonly answer: Promise<Answer> };

/**
 * Keeps what was computed from listings while they are the same, within a minute of the time it was computed for: ten
 * thousand pods are judged once a change, not once a reader. One answer for each cluster; a closed one is forgotten. It is
 * computed in steps, so that it keeps nobody else waiting.
 */
export function keepAnswers<Listings, Answer>(
  listingsOf: (listings: Listings) => readonly Pick<Listing<unknown>, 'state' | 'revision'>[],
  compute: (cluster: Cluster, listings: Listings, now: number) => Steps<Answer>,
): (cluster: Cluster, listings: Listings, now: number) => Promise<Answer> {
  const kept = new WeakMap<Cluster, KeptAnswer<Answer>>();
  return (cluster, listings, now) => {
    const revisions = listingsOf(listings).map(({ state, revision }) => [state, revision]);
    const key = JSON.stringify([Math.floor(now / holds), revisions]);
    const found = kept.get(cluster);
    if (found?.key === key) return found.answer;
    const answer = paced(compute(cluster, listings, now));
    const made: KeptAnswer<Answer> = { key, answer };
    kept.set(cluster, made);
    // What failed is computed again.
    answer.catch(() => {
      if (kept.get(cluster) === made) kept.delete(cluster);
    });
    return answer;
  };
}
