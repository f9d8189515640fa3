import type { EdgeRoute } from '#shared/api/cluster.ts';
import { CopyIcon } from '../../components/copy-icon.tsx';
import { Fact, Facts, Part } from '../../components/facts.tsx';
import { asSentence } from '../../components/list/sentence.ts';
import { PageLink } from '../../components/page-link.tsx';
import { State } from '../../components/state.tsx';
import { WithCode } from '../../components/with-code.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { hopStates, stepLabels } from './hop-labels.ts';
import css from './hop-list.module.css';

/** One route from its host to what answers, each hop with what was found there. */
export function HopList({ route }: { readonly route: EdgeRoute }) {
  const target = useClusterTarget();
  const { kind, name, namespace, host, path, hops } = route;
  return (
    <>
      <Facts>
        <Fact name="Defined in">
          {kind === 'console' ? (
            'This console, by STUDIO_UPSTREAM'
          ) : (
            <span>
              {kind} <code>{name}</code>
              {namespace !== undefined && ` in ${namespace}`}
            </span>
          )}
        </Fact>
        <Fact name="Host">
          <code>{host}</code>
          <CopyIcon text={() => host} label="Copy the host" />
        </Fact>
        <Fact name="Path">
          <code>{path}</code>
        </Fact>
      </Facts>
      <Part title="Hop by hop" sub={hops.length}>
        <ol className={css.hops}>
          {hops.map((hop) => (
            <li key={hop.step} data-state={hop.state}>
              <div className={css.line}>
                <State {...hopStates[hop.state]} />
                <span className={css.step}>{stepLabels[hop.step]}</span>
              </div>
              <code className={css.name}>{hop.name}</code>
              <p className={css.detail}>
                <WithCode>{asSentence(hop.detail)}</WithCode>
              </p>
              {hop.step === 'service' && hop.object?.namespace !== undefined && (
                <PageLink
                  to={{
                    tab: 'services',
                    record: `${hop.object.namespace}/${hop.object.name}`,
                    ...(target !== undefined && { target }),
                  }}
                >
                  Open the service
                </PageLink>
              )}
            </li>
          ))}
        </ol>
      </Part>
    </>
  );
}
