import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { healthStates } from '../../components/health-states.ts';
import { asSentence } from '../../components/list/sentence.ts';
import { PageLink } from '../../components/page-link.tsx';
import { Panel } from '../../components/panel.tsx';
import { State } from '../../components/state.tsx';
import type { DashboardAnswer } from './overview-queries.ts';
import css from './side-panels.module.css';

type InstancesPanelProps = { readonly answer: DashboardAnswer; readonly target: string | undefined };

/** The instances of clients: phase and whether each is ready, the worst first. */
export function InstancesPanel({ answer, target }: InstancesPanelProps) {
  const items = [...answer.instances].sort(
    (a, b) =>
      healthWorstFirst.indexOf(a.state) - healthWorstFirst.indexOf(b.state) ||
      a.tenant.localeCompare(b.tenant),
  );
  return (
    <Panel title="Instances" sub={items.length === 0 ? undefined : items.length}>
      {items.length === 0 ? (
        <p className={css.none}>
          {answer.complete ? 'This cluster has no ClientInstances.' : 'None in the data read.'}
        </p>
      ) : (
        <ul className={css.rows}>
          {items.map(({ name, namespace, tenant, phase, state, reason }) => (
            <li key={`${namespace}/${name}`} title={reason === undefined ? undefined : asSentence(reason)}>
              <span className={css.name}>
                <PageLink to={{ tab: 'controlPlanes', q: name, ...(target !== undefined && { target }) }}>
                  {tenant}
                </PageLink>
              </span>
              <span className={css.fact}>{phase === healthStates[state].label ? undefined : phase}</span>
              <span className={css.state}>
                <State {...healthStates[state]} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
