import { Fragment } from 'react';
import type { NamespaceRow } from '#shared/api/cluster.ts';
import { Part } from '../../components/facts.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import css from './namespaces-page.module.css';

/** Shows a namespace's use of each of its quotas. */
export function QuotaRows({ quotas }: Pick<NamespaceRow, 'quotas'>) {
  return quotas.map(({ name, items }) => (
    <Part key={name} title="Quota" sub={`${name}, used of hard limit`}>
      <dl className={css.quotas}>
        {items.map(({ resource, used, hard, share }) => (
          <Fragment key={resource}>
            <dt>{resource}</dt>
            <dd>{share !== undefined && <ShareBar share={share} strained={share >= 0.9} />}</dd>
            <dd className={css.used}>
              {used} of {hard}
            </dd>
          </Fragment>
        ))}
      </dl>
    </Part>
  ));
}
