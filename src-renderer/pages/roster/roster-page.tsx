import { useQuery } from '@tanstack/react-query';
import { type Agent, agent } from '#shared/api/fleet.ts';
import { Cadence } from '../../components/cadence.tsx';
import type { Listed } from '../../components/list/listed.ts';
import { fits, widens } from '../../components/list/state-columns.tsx';
import { StateListPage } from '../../components/list/state-list-page.tsx';
import { useStateList } from '../../components/list/use-state-list.ts';
import { runStates } from '../../components/run-state.ts';
import { State } from '../../components/state.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { TiersStrip } from '../../components/tiers-strip.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { TimeUntil } from '../../components/time-until.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { IconUsersGroup } from '../../core/icons/icons.ts';
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

const columns: readonly TableColumn<Agent>[] = [
  {
    id: 'kind',
    title: 'Kind',
    width: widens(96, 140),
    from: fits.second,
    value: ({ agent_kind }) => agent_kind,
    hover: ({ agent_kind }) => agent_kind,
  },
  {
    id: 'namespace',
    title: 'Namespace',
    width: widens(110, 180),
    from: fits.third,
    value: ({ workload }) => workload.namespace,
    hover: ({ workload }) => workload.namespace,
  },
  {
    id: 'runs',
    title: 'Runs',
    width: widens(210, 400),
    from: fits.first,
    value: ({ schedule }) => schedule,
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
    id: 'lastOutcome',
    title: 'Last outcome',
    width: 112,
    from: fits.first,
    value: ({ last_run }) => last_run && runStates[last_run.state].label,
    cell: ({ last_run }) => last_run !== undefined && <State {...runStates[last_run.state]} />,
    hover: ({ last_run }) => last_run?.detail,
  },
  {
    id: 'lastRun',
    title: 'Last run',
    width: 92,
    value: ({ last_run }) => last_run?.started,
    cell: ({ last_run }) => last_run !== undefined && <TimeAgo at={Date.parse(last_run.started)} />,
  },
  {
    id: 'nextRun',
    title: 'Next run',
    width: 84,
    value: ({ next_run }) => next_run,
    cell: ({ next_run, enabled }) =>
      next_run !== undefined ? <TimeUntil at={Date.parse(next_run)} /> : !enabled && 'disarmed',
  },
];

/** The agents of the fleet: when each runs, how its last run ended, and whether it is well. */
export function RosterPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...rosterQuery(target), refetchInterval: every(everyMs) });
  const list = useStateList(listed, query.data?.items ?? none, { columns, nameWidth: 180 });
  return (
    <StateListPage
      title="Roster"
      query={query}
      list={list}
      exported={agent.keyof().options}
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
