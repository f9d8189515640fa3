import type { NodeRow } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { formatCount } from '../../components/format-quantity.ts';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import css from './nodes-page.module.css';

/** Shows whether a dedicated node runs only the pods it is dedicated to, and which others it runs. */
export function Isolation({ row: { dedicated_to, isolation } }: { readonly row: NodeRow }) {
  const target = useClusterTarget();
  if (dedicated_to === undefined) return null;
  const intruders = isolation?.intruders ?? [];
  return (
    <Part title={`Dedicated to ${dedicated_to}`}>
      <p className={css.holds}>
        {isolation === undefined
          ? 'Isolation unknown: pods were not read.'
          : isolation.holds
            ? 'Isolated: no other pods on it.'
            : `Not isolated: ${formatCount(intruders.length, 'pod')} on it ${
                intruders.length === 1 ? 'belongs' : 'belong'
              } to somebody else.`}
      </p>
      <ul className={css.intruders}>
        {intruders.map(({ kind, name, namespace }) => (
          <li key={`${namespace ?? ''}/${name}`}>
            <Glyph state="degraded" />
            {namespace === undefined ? (
              name
            ) : (
              <PageLink
                to={{
                  tab: 'namespaces',
                  record: namespace,
                  panel: 'pods',
                  ...(kind === 'Pod' && { kind, name }),
                  ...(target !== undefined && { target }),
                }}
              >
                {namespace}/{name}
              </PageLink>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}
