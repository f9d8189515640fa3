import { actableKind } from '#shared/acts/act-of-command.ts';
import type { Workload } from '#shared/api/cluster.ts';
import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { addressWith } from '../../core/address-with.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { ActMenu } from '../acts/act-menu.tsx';
import { healthStates } from '../health-states.ts';
import { asSentence } from '../list/sentence.ts';
import { PageLink } from '../page-link.tsx';
import { State } from '../state.tsx';
import { NotReadCell } from '../table/not-read-cell.tsx';
import css from './workload-rows.module.css';

type WorkloadRowsProps = { readonly workloads: readonly Workload[]; readonly namespace: string };

/** Workloads of a namespace, the worst first; each opens its object. */
export function WorkloadRows({ workloads, namespace }: WorkloadRowsProps) {
  const [address] = usePageAddress();
  const sorted = [...workloads].sort(
    (a, b) =>
      healthWorstFirst.indexOf(a.state) - healthWorstFirst.indexOf(b.state) || a.name.localeCompare(b.name),
  );
  return (
    <ul className={css.workloads}>
      {sorted.map(({ kind, name, ready, desired, state, reason }) => (
        <li key={`${kind}/${name}`}>
          <span className={css.name}>
            <PageLink to={addressWith(address, { kind, name })}>{name}</PageLink>
            <span className={css.kind}>{kind}</span>{' '}
            <PageLink
              to={{
                tab: 'logs',
                namespace,
                kind,
                name,
                ...(address.target !== null && { target: address.target }),
              }}
            >
              Logs
            </PageLink>
          </span>
          <span className={css.ready}>
            {ready === undefined || desired === undefined ? (
              kind === 'CronJob' ? null : (
                <NotReadCell width={24} />
              )
            ) : (
              `${ready}/${desired}`
            )}
          </span>
          <State {...healthStates[state]} />
          <WorkloadActs kind={kind} name={name} namespace={namespace} />
          {reason !== undefined && <span className={css.reason}>{asSentence(reason)}</span>}
        </li>
      ))}
    </ul>
  );
}

type WorkloadActsProps = { readonly kind: string; readonly name: string; readonly namespace: string };

function WorkloadActs({ kind, name, namespace }: WorkloadActsProps) {
  const known = actableKind(kind);
  return known === undefined ? null : (
    <span className={css.acts}>
      <ActMenu object={{ ...known, name, namespace }} />
    </span>
  );
}
