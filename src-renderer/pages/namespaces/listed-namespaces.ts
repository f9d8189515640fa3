import type { HealthState, NamespaceRow } from '#shared/api/cluster.ts';
import type { Listed } from '../../components/list/listed.ts';
import { IconBox } from '../../core/icons/icons.ts';

/** A verdict among the states of all things: where nothing runs there is nothing that could stand ill. */
const stateOf = ({ verdict }: NamespaceRow): HealthState =>
  verdict.state === 'empty' ? 'idle' : verdict.state;

/** The namespaces as their page lists them. */
export const listedNamespaces: Listed<NamespaceRow> = {
  tab: 'namespaces',
  one: 'namespace',
  many: 'namespaces',
  icon: IconBox,
  key: ({ name }) => name,
  title: ({ name }) => name,
  state: stateOf,
  why: ({ verdict: { reasons } }) => (reasons.length === 0 ? undefined : reasons.join('; ')),
  namespace: () => undefined,
  about: ({ name }) => ({ kind: 'Namespace', name }),
  searchText: ({ tenant, failing_pods }) => [
    tenant,
    ...failing_pods.flatMap(({ name, status }) => [name, status]),
  ],
};

/** The fullest resource of a namespace's quotas; undefined without a quota that limits anything. */
export function fullestQuota({ quotas }: NamespaceRow) {
  return quotas
    .flatMap(({ name, items }) => items.map((item) => ({ ...item, quota: name })))
    .filter((item) => item.share !== undefined)
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0))[0];
}
