import type { ObjectRef } from '#shared/api/cluster.ts';
import { objectIn } from '../../../cluster-model/index.ts';
import { endedWithNode } from '../evidence/node-restarts.ts';
import type { Reading } from '../evidence/reading.ts';
import type { Hit } from '../match/index.ts';

/** Age beyond which a line of a healthy container concerns a problem it has recovered from, in ms. */
const recentMs = 15 * 60_000;

/** Age beyond which an ended run is not reported, in ms. */
const day = 86_400_000;
/** Length of the end of a run whose lines show why it ended, in ms. */
const lastMoments = 60_000;

/**
 * Leaves out hits about the past: old lines of a healthy container, or of one that succeeded, and all of a
 * node that is ready. For a previous run of a container that is healthy again, lines that may have ended it
 * are kept. Lines of backends in the current run are all kept: some lasting conditions are logged only once,
 * at start (BCK-079). A line without a time counts as current.
 */
export function ofNow(reading: Reading, hits: readonly Hit[]): Hit[] {
  return hits.filter(({ origin }) => {
    const { object, owner, at } = origin;
    const isRecent = at === undefined || reading.now - Date.parse(at) < recentMs;
    if (object === undefined) return isRecent;
    if (object.kind === 'Node') return !isReady(reading, object);
    if (origin.past === true) return endedTheRun(reading, origin);
    if (owner !== undefined && reading.backendOf(owner) !== undefined) return true;
    const state = reading.podOf(object)?.verdict.state;
    return state !== 'idle' && (state !== 'healthy' || isRecent);
  });
}

function endedTheRun(reading: Reading, { object, container, at }: Hit['origin']): boolean {
  const pod = object && reading.podOf(object)?.pod;
  const statuses = pod && [...pod.status.containerStatuses, ...pod.status.initContainerStatuses];
  const ended = statuses?.find(({ name }) => name === container)?.lastState?.terminated;
  const end = Date.parse(ended?.finishedAt ?? '');
  if (!(reading.now - end < day) || endedWithNode(reading.restarts, pod?.spec.nodeName, ended)) return false;
  return at === undefined || Math.abs(end - Date.parse(at)) <= lastMoments;
}

function isReady({ listings }: Reading, { name }: ObjectRef): boolean {
  const conditions = objectIn(listings.nodes.items, { name })?.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
