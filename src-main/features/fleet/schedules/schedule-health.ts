import type { Agent } from '#shared/api/fleet.ts';
import type { HealthVerdict } from '../../../cluster-model/index.ts';
import { timeOf } from '../../../cluster-model/index.ts';
import { type Job, jobRunState, kubeTime, type PodsByJob } from '../../runs/index.ts';
import { type CronJob, isEnabled } from '../agent-workloads.ts';

export type LastRun = NonNullable<Agent['last_run']>;

/**
 * Returns a CronJob's last run: its newest Job; if that was cleaned up, what the CronJob itself still says of
 * a successful run.
 */
export function lastRunOf(
  { status }: CronJob,
  newest: Job | undefined,
  pods: PodsByJob,
  now: number,
): LastRun | undefined {
  if (newest !== undefined) return jobRunState(newest, pods, now);
  const scheduled = kubeTime(status?.lastScheduleTime);
  const succeeded = kubeTime(status?.lastSuccessfulTime);
  if (scheduled === undefined || succeeded === undefined || succeeded < scheduled) return undefined;
  return {
    state: 'success',
    started: new Date(scheduled).toISOString(),
    took_seconds: Math.round((succeeded - scheduled) / 1000),
  };
}

/** Returns the health of a scheduled agent, judged by its last run. */
export function scheduleHealth(cronJob: CronJob, lastRun: LastRun | undefined): HealthVerdict {
  if (lastRun?.state === 'running' || lastRun?.state === 'queued') {
    // A run that goes on has something to say only when it does not go well.
    return lastRun.detail === undefined
      ? { state: 'working', reason: 'it runs now' }
      : { state: 'degraded', reason: `it runs now, and ${lastRun.detail}` };
  }
  const disarmed = isEnabled(cronJob) ? undefined : 'disarmed';
  if (lastRun?.state === 'failure') {
    const failed = `its last run failed${lastRun.detail === undefined ? '' : `: ${lastRun.detail}`}`;
    // Nobody waits for the next run of an agent that was switched off.
    return disarmed === undefined
      ? { state: 'failing', reason: failed }
      : { state: 'idle', reason: `${disarmed}; ${failed}` };
  }
  if (disarmed !== undefined) return { state: 'idle', reason: disarmed };
  if (lastRun?.state === 'success') return { state: 'healthy' };
  const lastScheduled = timeOf(cronJob.status?.lastScheduleTime);
  return lastScheduled === undefined
    ? { state: 'idle', reason: 'it has not run yet' }
    : { state: 'not_read', reason: `its last run began ${lastScheduled}, and its Job no longer exists` };
}
