import { keyOf } from '../owners.ts';
import type { ReadWorkload } from '../workloads/workloads.ts';
import type { JudgedPod } from './judged-pods.ts';
import { isFinished } from './pod-status.ts';

/**
 * Pods that fail now, and those of nobody that ended in an error: no workload speaks for them. What is left over of a pod
 * whose workload has replaced it does not fail.
 */
export function failingPods(pods: readonly JudgedPod[], workloads: readonly ReadWorkload[]): JudgedPod[] {
  const bad = pods.filter(
    ({ verdict, owner, pod }) =>
      verdict.state === 'failing' || (verdict.state === 'degraded' && owner === undefined && isFinished(pod)),
  );
  if (bad.length === 0) return [];
  const stands = new Map(workloads.map(({ row }) => [keyOf(row), row.state]));
  return bad.filter(({ pod, owner }) => {
    if (!isFinished(pod) || owner === undefined) return true;
    const state = stands.get(keyOf(owner));
    return state !== 'healthy' && state !== 'idle';
  });
}
