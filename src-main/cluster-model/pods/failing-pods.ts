import { type Kept, keepNothing } from '../kept.ts';
import { keepGroups } from '../kept-groups.ts';
import { keyOf } from '../owners.ts';
import type { ReadWorkload } from '../workloads/workloads.ts';
import type { JudgedPod } from './judged-pods.ts';
import { isFinished } from './pod-status.ts';

const byFailing = {};

/**
 * Returns pods that fail now, and pods without a workload that exited with an error: no workload reports
 * them. Remnants of a pod that its workload has replaced do not count.
 */
export function failingPods(
  pods: readonly JudgedPod[],
  workloads: readonly ReadWorkload[],
  kept: Kept = keepNothing,
): JudgedPod[] {
  const bad = keepGroups(kept, byFailing, pods, ({ verdict, owner, pod }) =>
    verdict.state === 'failing' || (verdict.state === 'degraded' && owner === undefined && isFinished(pod))
      ? 'bad'
      : undefined,
  ).get('bad');
  if (bad === undefined) return [];
  const stands = new Map(workloads.map(({ row }) => [keyOf(row), row.state]));
  return bad.filter(({ pod, owner }) => {
    if (!isFinished(pod) || owner === undefined) return true;
    const state = stands.get(keyOf(owner));
    return state !== 'healthy' && state !== 'idle';
  });
}
