import type { LineageStep } from '#shared/api/delivery.ts';
import { paced } from '../../base/pace.ts';
import type { Listing } from '../../cluster-model/index.ts';
import { judgeRunning, wasRead, wasReadWhole } from '../../cluster-model/index.ts';
import { keptOf, listRunning, noClusterReason, nowOf, type OpenTarget } from '../../sources/cluster/index.ts';
import type { CodeHost } from '../../sources/code-host/index.ts';
import { findUsers } from './image-users.ts';
import { type Known, stepOf } from './lineage-steps.ts';
import { type ImageAsked, noCluster, type ReadRollout, type Rollout } from './rollout.ts';
import { rolledStep, runningStep } from './rollout-steps.ts';

/**
 * Reads the cluster's part of the lineage. The cluster is listed once, for the first image requested;
 * `contains` checks what runs in place of an image, because a later image may contain the commit, too. `now`:
 * epoch ms.
 */
export function clusterRollout(
  { cluster }: OpenTarget,
  contains: CodeHost['contains'],
  now: () => number,
): ReadRollout {
  const read = async () => {
    const listings = await listRunning(cluster);
    const running = await paced(judgeRunning(listings, { now: nowOf(cluster, now), kept: keptOf(cluster) }));
    return { listings, running };
  };
  let reading: ReturnType<typeof read> | undefined;
  return async (image: ImageAsked): Promise<Rollout> => {
    reading ??= read();
    const { listings, running } = await reading;
    const templates = [listings.deployments, listings.statefulSets, listings.daemonSets, listings.cronJobs];
    const reason = unreadReason(templates);
    if (reason !== undefined) return notRead(reason);
    const users = await findUsers(listings, running, image, contains);
    const podsRead: Known<typeof running> = wasRead(listings.pods)
      ? { ok: true, value: running }
      : { ok: false, reason: clause(listings.pods) };
    const rolled =
      users.length === 0 && !templates.every(wasReadWhole)
        ? stepOf(
            'rolled',
            'not_read',
            `not all workloads were read: ${clause(templates.find((one) => !wasReadWhole(one)))}`,
          )
        : rolledStep(image, users);
    return {
      rolled,
      running: runningStep(rolled, image, users, podsRead),
      unmeasured: [...templates, listings.pods].flatMap(({ gaps }) => gaps),
    };
  };
}

/** Returns why no template was read, a clause; undefined when some were. */
function unreadReason(templates: readonly Listing<unknown>[]): string | undefined {
  return templates.some(wasRead) ? undefined : clause(templates[0]);
}

function clause(listing: Pick<Listing<unknown>, 'gaps'> | undefined): string {
  const [gap = 'the cluster did not say why'] = listing?.gaps ?? [];
  return gap === noClusterReason ? noCluster : gap.replace(/\.$/, '');
}

function notRead(reason: string): Rollout {
  const step = (name: LineageStep['step']): LineageStep => stepOf(name, 'not_read', reason);
  return {
    rolled: step('rolled'),
    running: step('running'),
    unmeasured: [`Rollout and running pods were not read: ${reason}.`],
  };
}
