import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type AgentSchedule, agentSchedule } from '#shared/api/fleet.ts';
import { Cadence } from '../../components/cadence.tsx';
import type { Listed } from '../../components/list/listed.ts';
import { fits, widens } from '../../components/list/state-columns.tsx';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TimeAgo } from '../../components/time-ago.tsx';
import { TimeUntil } from '../../components/time-until.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { type Command, useCommands } from '../../core/commands.tsx';
import { IconCalendarTime } from '../../core/icons/icons.ts';
import { useReading } from '../../core/reading.tsx';
import { ArmAgent } from './arm-agent.tsx';
import { ScheduleFacts } from './schedule-facts.tsx';
import { schedulesQuery } from './schedules-query.ts';

const everyMs = 10_000;

const none: readonly AgentSchedule[] = [];

const keyOf = ({ namespace, name }: AgentSchedule): string => `${namespace}/${name}`;

const listed: Listed<AgentSchedule> = {
  tab: 'schedules',
  one: 'schedule',
  many: 'schedules',
  icon: IconCalendarTime,
  key: keyOf,
  title: ({ name }) => name,
  state: ({ enabled }) => (enabled ? 'healthy' : 'idle'),
  order: 'armed first',
  stateLabels: { healthy: 'Armed', idle: 'Disarmed' },
  why: ({ editable, not_editable_because }) => (editable ? undefined : not_editable_because),
  namespace: ({ namespace }) => namespace,
  object: ({ name, namespace }) => ({ kind: 'CronJob', name, namespace }),
  searchText: ({ agent, schedule, time_zone }) => [agent, schedule, time_zone],
};

/** Shows when each agent runs, and arms and disarms them. */
export function SchedulesPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...schedulesQuery(target), refetchInterval: every(everyMs) });
  // What the person was shown is kept with the question: what is changed is what they saw.
  const [confirming, setConfirming] = useState<AgentSchedule>();
  const columns = useMemo(() => columnsOf(setConfirming), []);
  const list = useStateList(listed, query.data?.items ?? none, {
    columns,
    nameWidth: 180,
    whyTitle: 'Why it cannot be changed',
  });
  const open = list.opened;
  const commands = useMemo<readonly Command[]>(
    () =>
      open === undefined || !open.editable
        ? []
        : [
            {
              id: 'schedules.change',
              group: 'Actions',
              title: `${open.enabled ? 'Disarm' : 'Arm'} ${open.name}`,
              detail: 'asks for confirmation',
              icon: IconCalendarTime,
              run: () => setConfirming(open),
            },
          ],
    [open],
  );
  useCommands(commands);
  return (
    <>
      <StateListPage
        title="Schedules"
        query={query}
        list={list}
        exported={agentSchedule.keyof().options}
        zero={
          <p>
            A schedule is a CronJob with the label <code>platform.dev/agent</code>.
          </p>
        }
        drawer={(schedule) => <ScheduleFacts schedule={schedule} onConfirm={() => setConfirming(schedule)} />}
      />
      {confirming !== undefined && (
        <ArmAgent schedule={confirming} target={target} onClose={() => setConfirming(undefined)} />
      )}
    </>
  );
}

const columnsOf = (search: (schedule: AgentSchedule) => void): readonly TableColumn<AgentSchedule>[] => [
  {
    id: 'namespace',
    title: 'Namespace',
    width: widens(100, 180),
    from: fits.second,
    value: ({ namespace }) => namespace,
    hover: ({ namespace }) => namespace,
  },
  {
    id: 'runs',
    title: 'Runs',
    width: widens(260, 420),
    from: fits.first,
    value: ({ schedule, time_zone }) => (time_zone === undefined ? schedule : `${schedule} ${time_zone}`),
    cell: (schedule) => <Cadence schedule={schedule.schedule} time_zone={schedule.time_zone} />,
    hover: ({ schedule, time_zone }) => (time_zone === undefined ? schedule : `${schedule} ${time_zone}`),
  },
  {
    id: 'lastRun',
    title: 'Last run',
    width: 92,
    from: fits.second,
    value: ({ last_run }) => last_run,
    cell: ({ last_run }) => (last_run === undefined ? 'never' : <TimeAgo at={Date.parse(last_run)} />),
  },
  {
    id: 'nextRun',
    title: 'Next run',
    width: 84,
    value: ({ next_run }) => next_run,
    cell: ({ next_run }) => next_run !== undefined && <TimeUntil at={Date.parse(next_run)} />,
  },
  {
    id: 'change',
    title: 'Change',
    width: 92,
    cell: (schedule) => (
      <Button
        size="xs"
        disabled={!schedule.editable}
        title={schedule.not_editable_because}
        aria-label={`${schedule.enabled ? 'Disarm' : 'Arm'} ${schedule.name}`}
        onClick={(event) => {
          event.stopPropagation();
          search(schedule);
        }}
      >
        {schedule.enabled ? 'Disarm' : 'Arm'}
      </Button>
    ),
  },
];
