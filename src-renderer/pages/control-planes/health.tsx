import type { ControlPlane, HealthAnswer } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { State } from '../../components/state.tsx';
import { asSentence } from '../../components/state-list/sentence.ts';
import { answerStates } from './control-plane-words.ts';
import css from './control-planes-page.module.css';

const endpoints = [
  { key: 'readyz', path: '/readyz', use: 'readiness: mesh, consensus and what else it depends on' },
  { key: 'livez', path: '/livez', use: 'liveness: the process serves' },
  { key: 'auth_config', path: '/auth/config', use: 'sign-in configuration, the default of every probe' },
] as const;

/** What the health endpoints answered, check by check. */
export function Health({ plane: { health } }: { readonly plane: ControlPlane }) {
  const answered = endpoints.flatMap((endpoint) => {
    const answer = health?.[endpoint.key];
    return answer === undefined ? [] : [{ ...endpoint, answer }];
  });
  return (
    <Part title="Health endpoints" sub={answered.length > 0 ? `${answered.length} of 3 asked` : undefined}>
      {answered.length === 0 ? (
        <p className={css.quiet}>
          No health endpoint was asked. A bundle has no running process, and an object of this kind may have
          none.
        </p>
      ) : (
        <div className={css.health}>
          {answered.map(({ key, path, use, answer }) => (
            <Endpoint key={key} path={path} use={use} answer={answer} />
          ))}
        </div>
      )}
    </Part>
  );
}

type EndpointProps = { readonly path: string; readonly use: string; readonly answer: HealthAnswer };

function Endpoint({ path, use, answer }: EndpointProps) {
  const { state, status, detail, checks = [] } = answer;
  return (
    <section className={css.card} aria-label={path} data-state={state}>
      <div className={css.cardHead}>
        <h4>
          <code>{path}</code>
        </h4>
        <State {...answerStates[state]} />
        {status !== undefined && <span className={css.quiet}>HTTP {status}</span>}
      </div>
      <p className={css.use}>{use}</p>
      {checks.length === 0 && <p className={css.detail}>{asSentence(detail)}</p>}
      {checks.length > 0 && (
        <table className={css.checks} aria-label={`Checks of ${path}`}>
          <tbody>
            {checks.map((check) => (
              <tr key={check.name}>
                <th scope="row">
                  <code>{check.name}</code>
                </th>
                <td>
                  <State {...answerStates[check.status]} />
                </td>
                <td className={css.detail}>{check.detail}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
