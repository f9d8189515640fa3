import { formatTime, jobHealth, objectIn, timeOf } from '../../../cluster-model/index.ts';
import { type Check, type Found, found, refOf } from './found.ts';

export const cronJobSuspended: Check = ({ listings }) =>
  listings.cronJobs.items.flatMap(({ metadata, spec, status }): Found[] =>
    spec.suspend === true
      ? [
          found(
            refOf('CronJob', metadata),
            `spec.suspend is true; it last ran ${status?.lastScheduleTime === undefined ? 'never, as far as it says' : formatTime(status.lastScheduleTime)}`,
            { ref: 'spec.suspend' },
          ),
        ]
      : [],
  );

/** CronJobs whose newest run failed. */
export const cronJobFailing: Check = ({ running, listings }) =>
  running.workloads.flatMap(({ row }): Found[] => {
    if (row.kind !== 'CronJob' || (row.state !== 'failing' && row.state !== 'degraded')) return [];
    const job = objectIn(listings.cronJobs.items, row);
    const last = timeOf(job?.status?.lastSuccessfulTime);
    return [
      found(
        refOf('CronJob', row),
        `${row.reason}${last === undefined ? '' : `; its last success was at ${formatTime(last)}`}`,
        {
          ref: 'its Jobs',
          since: row.since,
        },
      ),
    ];
  });

/** Finds Jobs without an owner that have given up. */
export const jobFailed: Check = ({ listings }) =>
  listings.jobs.items.flatMap((job): Found[] => {
    if (job.metadata.ownerReferences.some(({ kind }) => kind === 'CronJob')) return [];
    const { state, reason } = jobHealth(job);
    if (state !== 'failing') return [];
    return [
      found(refOf('Job', job.metadata), reason ?? 'failed', {
        ref: 'status.conditions',
        since: timeOf(job.status?.conditions.find(({ type }) => type === 'Failed')?.lastTransitionTime),
      }),
    ];
  });
