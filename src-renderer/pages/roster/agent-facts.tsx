import type { Agent } from '#shared/api/fleet.ts';
import { Cadence } from '../../components/cadence.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { asSentence } from '../../components/list/sentence.ts';
import { PageLink } from '../../components/page-link.tsx';
import { formatTook, runStates } from '../../components/run-state.ts';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { TimeUntil } from '../../components/time-until.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import css from './agent-facts.module.css';

/** One agent: what runs it, when, how its last run ended, and what its app says of it. */
export function AgentFacts({ agent }: { readonly agent: Agent }) {
  const target = useClusterTarget();
  const { name, agent_kind, workload, schedule, time_zone, enabled, last_run, next_run, reported } = agent;
  const here = target !== undefined && { target };
  return (
    <>
      <Facts>
        {agent_kind !== undefined && <Fact name="Kind">{agent_kind}</Fact>}
        <Fact name={workload.kind}>
          <code>{workload.name}</code>
        </Fact>
        <Fact name="Runs">
          {schedule === undefined ? (
            workload.kind === 'Deployment' ? (
              'All the time'
            ) : (
              'No schedule was read'
            )
          ) : (
            <Cadence schedule={schedule} time_zone={time_zone} />
          )}
        </Fact>
        <Fact name="Armed">{enabled ? 'Yes' : 'No, it starts no run'}</Fact>
        {next_run !== undefined && (
          <Fact name="Next run">
            <TimeUntil at={Date.parse(next_run)} />
          </Fact>
        )}
      </Facts>
      <Part title="Last run">
        {last_run === undefined ? (
          <p className={css.quiet}>None in the data read.</p>
        ) : (
          <>
            <p className={css.line}>
              <State {...runStates[last_run.state]} />
              <span>
                <TimeAgo at={Date.parse(last_run.started)} />
                {last_run.took_seconds !== undefined && `, took ${formatTook(last_run.took_seconds)}`}
              </span>
            </p>
            {last_run.detail !== undefined && <p className={css.quiet}>{asSentence(last_run.detail)}</p>}
          </>
        )}
      </Part>
      {reported !== undefined && (
        <Part title="Reported by its app" sub={reported.app}>
          <p className={css.quiet}>
            It reported <code>{reported.state}</code> <TimeAgo at={Date.parse(reported.at)} />.
          </p>
        </Part>
      )}
      <ul className={css.ways}>
        <li>
          <PageLink to={{ tab: 'runs', q: name }}>Its runs</PageLink>
        </li>
        {workload.kind === 'CronJob' && (
          <li>
            <PageLink to={{ tab: 'schedules', record: `${workload.namespace}/${workload.name}`, ...here }}>
              {enabled ? 'Disarm it in Schedules' : 'Arm it in Schedules'}
            </PageLink>
          </li>
        )}
      </ul>
    </>
  );
}
