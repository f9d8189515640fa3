import type { Condition } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import type { StateName } from '../../core/state-name.ts';
import css from './nodes-page.module.css';

/** Shows the node's conditions as the kubelet reports them, abnormal ones first. */
export function Conditions({ conditions }: { readonly conditions: readonly Condition[] }) {
  if (conditions.length === 0) return null;
  const worst = [...conditions].sort(
    (a, b) => Number(looks(a) === 'healthy') - Number(looks(b) === 'healthy'),
  );
  return (
    <Part title="Conditions">
      <ul className={css.conditions}>
        {worst.map((condition) => (
          <li key={condition.type}>
            <Glyph state={looks(condition)} />
            <span>
              {condition.type} {condition.status}
            </span>
            {condition.since !== undefined && <TimeAgo at={Date.parse(condition.since)} />}
            {looks(condition) !== 'healthy' && condition.message !== undefined && <p>{condition.message}</p>}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Ready should be true, every other condition of a node false; what is Unknown was not heard of by the cluster. */
function looks({ type, status }: Condition): StateName {
  if (status === 'Unknown') return 'unknown';
  if (type === 'Ready') return status === 'True' ? 'healthy' : 'failing';
  return status === 'False' ? 'healthy' : 'degraded';
}
