import { Cron } from 'croner';

/**
 * Returns the next run of a CronJob after a moment (epoch ms), as RFC 3339; undefined for a schedule that
 * never fires or cannot be parsed. Without a time zone the controller manager uses its own, which in a
 * cluster is UTC (CronJob, Time zones).
 */
export function nextRun(schedule: string, timeZone: string | undefined, after: number): string | undefined {
  try {
    const cron = new Cron(schedule, {
      mode: '5-part',
      // As the controller reads them: `5/15` counts on from 5.
      sloppyRanges: true,
      timezone: timeZone ?? 'UTC',
      paused: true,
    });
    return cron.nextRun(new Date(after))?.toISOString();
  } catch {
    return undefined;
  }
}
