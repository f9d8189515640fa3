import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import { Outcome, type ScheduleService } from '#shared/gen/cockpit/v1/schedules_pb.js';
import type { EstateRecords } from '../estate/records.ts';
import { cronOf, type ScheduleRecord, type Scheduler } from './scheduler.ts';

const codes = { dry_run: Outcome.DRY_RUN, fetched: Outcome.FETCHED, failed: Outcome.FAILED } as const;

/** `cockpit.v1.ScheduleService`. */
export function scheduleService(parts: {
  readonly records: EstateRecords;
  readonly scheduler: Scheduler;
}): ServiceImpl<typeof ScheduleService> {
  const { records, scheduler } = parts;
  return {
    async listSchedules() {
      return { schedules: (await scheduler.list()).map(scheduleMessage) };
    },

    async setSchedule({ source, cron }) {
      if ((await records.source(source)) === undefined)
        throw new ConnectError(
          `There is no data source named ${source.slice(0, 100)}: connect it first.`,
          Code.NotFound,
        );
      if (cronOf(cron) === undefined)
        throw new ConnectError(
          'The schedule must be a cron expression of five fields, in UTC, whose time comes, such as 0 6 * * 1-5.',
          Code.InvalidArgument,
        );
      return { schedule: scheduleMessage(await scheduler.set(source, cron)) };
    },

    async trigger({ source }, { requestHeader }) {
      const schedule = await scheduler.find(source);
      if (schedule === undefined)
        throw new ConnectError(
          `The data source ${source.slice(0, 100)} has no schedule: set one first.`,
          Code.NotFound,
        );
      const outcome = await scheduler.trigger(schedule, requestHeader.get('authorization') ?? '');
      return { schedule: scheduleMessage(outcome) };
    },
  };
}

function scheduleMessage({ source, cron, triggeredAt, outcome, detail }: ScheduleRecord) {
  return {
    source,
    cron,
    detail,
    outcome: outcome === undefined ? Outcome.UNSPECIFIED : codes[outcome],
    ...(triggeredAt === undefined ? {} : { triggeredAt: timestampFromMs(triggeredAt) }),
  };
}
