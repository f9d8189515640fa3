import { judgeRunning, type Running, type RunningListings } from '../../cluster-model/index.ts';
import { type Cluster, keepAnswers, keptOf, listRunning, nowOf } from '../../sources/cluster/index.ts';

/** Everything that runs, as it was listed and as it was judged. */
export type RunningRead = { readonly listings: RunningListings; readonly judged: Running };

/** Reads what is running; it is judged again only when it changed. `now` in epoch ms. */
export function createRunningReader(now: () => number): (cluster: Cluster) => Promise<RunningRead> {
  const judge = keepAnswers<RunningListings, Running>(Object.values, (cluster, listings, at) =>
    judgeRunning(listings, { now: at, kept: keptOf(cluster) }),
  );
  return async (cluster) => {
    const listings = await listRunning(cluster);
    return { listings, judged: await judge(cluster, listings, nowOf(cluster, now)) };
  };
}
