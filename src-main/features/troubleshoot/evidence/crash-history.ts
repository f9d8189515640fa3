import type { PodObject } from '../../../cluster-model/index.ts';

type ContainerStatus = PodObject['status']['containerStatuses'][number];

/** Restarts from which on a container is judged by its history. */
const leastRestarts = 3;
/** The kubelet forgets earlier failures of a container whose run lasts this long, in ms (kubelet, MaxContainerBackOff). */
const runHolds = 10 * 60_000;
/** Longest time between two restarts of a container that keeps crashing, on average, in ms. */
const mostBetween = 3_600_000;

/**
 * Returns whether a container keeps crashing, whatever it waits for at this moment: it restarted often, its last run ended
 * just now or with an error, and the present one has not lasted.
 */
export function keepsCrashing(
  { metadata, status: { startTime } }: PodObject,
  { ready, restartCount = 0, state, lastState }: ContainerStatus,
  now: number,
): boolean {
  const end = state?.terminated ?? lastState?.terminated;
  if (restartCount < leastRestarts || end === undefined) return false;
  const since = Date.parse(startTime ?? metadata.creationTimestamp ?? '');
  if ((now - since) / restartCount > mostBetween) return false;
  if (state?.running === undefined) return true;
  // A program that ends by itself, and is ready between, may be meant to.
  if (ready === true && end.exitCode === 0) return false;
  const isFresh = (time: string | undefined): boolean => now - Date.parse(time ?? '') < runHolds;
  return isFresh(state.running.startedAt) && isFresh(end.finishedAt);
}
