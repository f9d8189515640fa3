import type { ControlPlane } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import css from './control-planes-page.module.css';

/** Fields of the live Deployment that somebody changed and the operator will put back. */
export function Drift({ plane: { drift, workload } }: { readonly plane: ControlPlane }) {
  return (
    <Part title="Drift" sub={drift.length > 0 ? 'the operator will revert these' : undefined}>
      {drift.length === 0 ? (
        <p className={css.quiet}>
          {workload === undefined
            ? 'There is no live Deployment to compare with.'
            : 'The live Deployment is as specified.'}
        </p>
      ) : (
        <div className={css.wide}>
          <table className={css.rows} aria-label="Drift">
            <thead>
              <tr>
                <th>Field</th>
                <th>Specified</th>
                <th>Live</th>
                <th>Changed by</th>
              </tr>
            </thead>
            <tbody>
              {drift.map(({ field, wanted, live, manager }) => (
                <tr key={field}>
                  <td>
                    <code>{field}</code>
                  </td>
                  <td>
                    <code>{wanted}</code>
                  </td>
                  <td>
                    <code className={css.live}>{live}</code>
                  </td>
                  <td>{manager ?? 'not known'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  );
}
