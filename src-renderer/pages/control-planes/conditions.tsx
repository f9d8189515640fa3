import type { Condition } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import css from './control-planes-page.module.css';

/** Shows the conditions the operator reports. Whether `True` is good depends on the condition, so none is coloured. */
export function Conditions({ conditions }: { readonly conditions: readonly Condition[] }) {
  return (
    <Part title="Conditions" sub={conditions.length > 0 ? 'status.conditions' : undefined}>
      {conditions.length === 0 ? (
        <p className={css.quiet}>The operator has set none.</p>
      ) : (
        <div className={css.wide}>
          <table className={css.rows} aria-label="Conditions">
            <thead>
              <tr>
                <th>Condition</th>
                <th>Status</th>
                <th>Since</th>
                <th>Reason</th>
                <th>Message</th>
              </tr>
            </thead>
            <tbody>
              {conditions.map(({ type, status, since, reason, message }) => (
                <tr key={type}>
                  <td>{type}</td>
                  <td>{status}</td>
                  <td className={css.since}>{since !== undefined && <TimeAgo at={Date.parse(since)} />}</td>
                  <td>{reason}</td>
                  <td className={css.message}>{message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  );
}
