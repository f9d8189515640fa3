import { useQuery } from '@tanstack/react-query';
import { type Agent, agent } from '#shared/api/fleet.ts';
import { Cadence } from '../../components/cadence.tsx';
import { IconUsersGroup } from '../../components/icons/icons.ts';
import type { Listed } from '../../components/list/listed.ts';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { runStates } from '../../components/run-state.ts';
import { State } from '../../components/state.tsx';
import type { Column } from '../../components/table/state-table.tsx';
import { TiersStrip } from '../../components/tiers-strip.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { TimeUntil } from '../../components/time-until.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import { AgentFacts } from './agent-facts.tsx';
import { rosterQuery } from './roster-query.ts';

const everyMs = 10_000;

const none: readonly Agent[] = [];

const listed: Listed<Agent> = {
  tab: 'agents',
  one: 'agent',
  many: 'agents',
  icon: IconUsersGroup,
  key: ({ workload, name }) => `${workload.kind}/${workload.namespace}/${name}`,
  title: ({ name }) => name,
  state: ({ state }) => state,
  why: ({ reason }) => reason,
  namespace: ({ workload }) => workload.namespace,
  object: ({ workload }) => workload,
  searchText: ({ agent_kind, workload, schedule, reported }) => [
    agent_kind,
    workload.kind,
    workload.name,
    schedule,
    reported?.app,
  ],
};

const columns: readonly Column<Agent>[] = [
  {
    head: 'Kind',
    width: 96,
    wide: 140,
    drop: 'first',
    cell: ({ agent_kind }) => agent_kind,
    hover: ({ agent_kind }) => agent_kind,
  },
  {
    head: 'Namespace',
    width: 110,
    wide: 180,
    drop: 'third',
    cell: ({ workload }) => workload.namespace,
    hover: ({ workload }) => workload.namespace,
  },
  {
    head: 'Runs',
    width: 250,
    wide: 400,
    drop: 'second',
    cell: ({ schedule, workload }) =>
      schedule !== undefined ? (
        <Cadence schedule={schedule} />
      ) : workload.kind === 'Deployment' ? (
        'all the time'
      ) : (
        'no schedule read'
      ),
    hover: ({ schedule, time_zone }) =>
      schedule === undefined || time_zone === undefined ? schedule : `${schedule} ${time_zone}`,
  },
  {
    head: 'Last outcome',
    width: 112,
    drop: 'first',
    cell: ({ last_run }) => last_run !== undefined && <State {...runStates[last_run.state]} />,
    hover: ({ last_run }) => last_run?.detail,
  },
  {
    head: 'Last run',
    width: 92,
    cell: ({ last_run }) => last_run !== undefined && <TimeAgo at={Date.parse(last_run.started)} />,
  },
  {
    head: 'Next run',
    width: 84,
    cell: ({ next_run, enabled }) =>
      next_run !== undefined ? <TimeUntil at={Date.parse(next_run)} /> : !enabled && 'disarmed',
  },
];

/** The agents of the fleet: when each runs, how its last run ended, and whether it is well. */
export function RosterPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...rosterQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none);
  return (
    <StateListPage
      title="Roster"
      query={query}
      list={list}
      exported={agent.keyof().options}
      columns={columns}
      nameWidth={180}
      zero={
        <p>
          An agent is a CronJob or a Deployment with the label <code>platform.dev/agent</code>.
        </p>
      }
      above={({ tiers }) => <TiersStrip tiers={tiers} />}
      drawer={(item) => <AgentFacts agent={item} />}
    />
  );
}
