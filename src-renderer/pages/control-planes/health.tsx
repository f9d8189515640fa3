import type { ControlPlane, HealthAnswer, HealthCheck } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { asSentence } from '../../components/list/sentence.ts';
import { State } from '../../components/state.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { answerStates, modelLabel } from './control-plane-labels.ts';
import css from './control-planes-page.module.css';
import { Expiry } from './expiry.tsx';

const endpoints = [
  { key: 'readyz', path: '/readyz', use: 'readiness: mesh, consensus and what else it depends on' },
  { key: 'livez', path: '/livez', use: 'liveness: the process serves' },
  { key: 'auth_config', path: '/auth/config', use: 'sign-in configuration, the default of every probe' },
] as const;

/** Meaning of a campaign backend's liveness; it has no readiness endpoint (BCK-019). */
const serves = 'the process serves, and says whether a model is ready';

type HealthProps = {
  readonly plane: ControlPlane;
  /** Epoch ms from which days are counted: when a bundle was taken. Now when it is undefined. */
  readonly asOf: number | undefined;
};

/** Shows the answers of the health endpoints, check by check. */
export function Health({ plane: { health }, asOf }: HealthProps) {
  const answered = endpoints.flatMap((endpoint) => {
    const answer = health?.[endpoint.key];
    return answer === undefined ? [] : [{ ...endpoint, answer }];
  });
  const checkedAt = Math.max(...answered.map(({ answer }) => Date.parse(answer.asked_at ?? '')));
  return (
    <Part
      title="Health endpoints"
      sub={
        Number.isNaN(checkedAt) || answered.length === 0 ? undefined : (
          <>
            checked <TimeAgo at={checkedAt} />
          </>
        )
      }
    >
      {answered.length === 0 ? (
        <p className={css.quiet}>
          No health endpoint was checked. A bundle has no running process, and an object of this kind may have
          none.
        </p>
      ) : (
        <div className={css.health}>
          {answered.map(({ key, path, use, answer }) => (
            <Endpoint
              key={key}
              path={answer.path ?? path}
              use={answer.path === '/health' ? serves : use}
              answer={answer}
              asOf={asOf}
            />
          ))}
        </div>
      )}
    </Part>
  );
}

type EndpointProps = {
  readonly path: string;
  readonly use: string;
  readonly answer: HealthAnswer;
  readonly asOf: number | undefined;
};

function Endpoint({ path, use, answer, asOf }: EndpointProps) {
  const { state, status, detail, checks = [], model_ready } = answer;
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
      {model_ready !== undefined && (
        <p className={css.detail}>
          <WithCode>{modelLabel(model_ready)}</WithCode>
        </p>
      )}
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
                <td className={css.detail}>
                  {/* Of one that fails the fault comes first. */}
                  {check.status === 'fail' && <Detail check={check} />}
                  <Expiry check={check} asOf={asOf} />
                  {check.status !== 'fail' && <Detail check={check} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Detail({ check: { detail } }: { readonly check: HealthCheck }) {
  return detail === undefined ? null : <p>{asSentence(detail)}</p>;
}
