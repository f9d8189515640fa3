import type { Workload } from '#shared/api/cluster.ts';
import { healthWorstFirst } from '#shared/health/worst-first.ts';
import { addressWith } from '../../core/address-with.ts';
import { usePageAddress } from '../../core/page-address.ts';
import { healthStates } from '../health-states.ts';
import { asSentence } from '../list/sentence.ts';
import { PageLink } from '../page-link.tsx';
import { State } from '../state.tsx';
import { NotReadCell } from '../table/not-read-cell.tsx';
import css from './workload-rows.module.css';

/** Workloads of a namespace, the worst first; each opens its object. */
export function WorkloadRows({ workloads }: { readonly workloads: readonly Workload[] }) {
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
            <span className={css.kind}>{kind}</span>
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
          {reason !== undefined && <span className={css.reason}>{asSentence(reason)}</span>}
        </li>
      ))}
    </ul>
  );
}
