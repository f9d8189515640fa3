import { Button } from '@mantine/core';
import type { AgentSchedule } from '#shared/api/fleet.ts';
import { Cadence } from '../../components/cadence.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { TimeUntil } from '../../components/time-until.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import css from './schedule-facts.module.css';

type ScheduleFactsProps = { readonly schedule: AgentSchedule; readonly onConfirm: () => void };

/** One schedule: when it runs, when it did and will, and the way to change it. */
export function ScheduleFacts({ schedule, onConfirm }: ScheduleFactsProps) {
  const target = useClusterTarget();
  const { agent, name, enabled, editable, last_run, next_run } = schedule;
  return (
    <>
      <Facts>
        <Fact name="Runs">
          <Cadence {...schedule} />
        </Fact>
        <Fact name="CronJob">
          <code>{name}</code>
        </Fact>
        <Fact name="Last run">
          {last_run === undefined ? 'None in the data read' : <TimeAgo at={Date.parse(last_run)} />}
        </Fact>
        <Fact name="Next run">
          {next_run !== undefined ? (
            <TimeUntil at={Date.parse(next_run)} />
          ) : enabled ? (
            'Not known from its expression'
          ) : (
            'None while it is disarmed'
          )}
        </Fact>
      </Facts>
      <div className={css.change}>
        <Button variant="filled" disabled={!editable} onClick={onConfirm}>
          {enabled ? 'Disarm' : 'Arm'}
        </Button>
        <PageLink to={{ tab: 'agents', q: agent, ...(target !== undefined && { target }) }}>
          The agent in the roster
        </PageLink>
      </div>
    </>
  );
}
