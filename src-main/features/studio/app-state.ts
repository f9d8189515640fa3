import type { StudioList } from '#shared/api/studio.ts';

type Status = NonNullable<StudioList['apps'][number]['status']>;

/** The CI status of a commit on the platform; undefined when CI has reported nothing. */
export type Verification = NonNullable<Status['last_run_status']> | undefined;

/**
 * Returns a studio app's state and its label, from the first condition that is true (CON-031 to CON-037). `more`: there are more open
 * jobs than were counted.
 */
export function appState(
  openJobs: number,
  verification: Verification,
  more = false,
): Pick<Status, 'state' | 'state_detail'> {
  if (openJobs > 0) {
    return {
      state: 'working',
      state_detail:
        openJobs === 1 && !more
          ? '1 open job for the agent'
          : `${openJobs}${more ? '+' : ''} open jobs for the agent`,
    };
  }
  switch (verification) {
    case 'pending':
      return { state: 'building', state_detail: 'the platform is verifying the default branch' };
    case 'success':
      return { state: 'live', state_detail: 'CI is green on the default branch' };
    case 'failure':
      return { state: 'failed', state_detail: 'CI failed on the default branch, see the run' };
    case 'error':
      return { state: 'failed', state_detail: 'CI could not run the checks, see the run' };
    case undefined:
      return { state: 'idle', state_detail: 'the default branch head is not yet verified' };
  }
}
