import { Cadence } from '../../components/cadence.tsx';
import { Fact, Facts } from '../../components/facts.tsx';
import { healthStates } from '../../components/health-states.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import { TimeUntil } from '../../components/time-until.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import css from './doctor-page.module.css';
import type { DoctorAnswer } from './doctor-query.ts';

/** Shows the doctor's own state and schedule. */
export function DoctorState({ answer }: { readonly answer: DoctorAnswer }) {
  const target = useClusterTarget();
  const { state, reason, workload, schedule, enabled, next_run } = answer;
  return (
    <Panel
      title="The doctor"
      tools={
        workload !== undefined && (
          <PageLink
            to={{
              tab: 'schedules',
              record: `${workload.namespace}/${workload.name}`,
              ...(target !== undefined && { target }),
            }}
          >
            {enabled === false ? 'Arm it' : 'Schedule'}
          </PageLink>
        )
      }
    >
      <p className={css.verdict}>
        <State {...healthStates[state]} look="pill" />
        {reason !== undefined && (
          <span>
            <WithCode>{asSentence(reason)}</WithCode>
          </span>
        )}
      </p>
      <Facts>
        {workload !== undefined && (
          <Fact name="CronJob">
            <span>
              <code>{workload.name}</code> in {workload.namespace}
            </span>
          </Fact>
        )}
        {schedule !== undefined && (
          <Fact name="Runs">
            <Cadence schedule={schedule} />
          </Fact>
        )}
        {enabled !== undefined && <Fact name="Armed">{enabled ? 'Yes' : 'No, it starts no run'}</Fact>}
        {next_run !== undefined && (
          <Fact name="Next run">
            <TimeUntil at={Date.parse(next_run)} />
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}
