import type { NodeRow } from '#shared/api/cluster.ts';
import type { Listed } from '../../components/list/listed.ts';
import { IconServer2 } from '../../core/icons/icons.ts';

/** The nodes as their page lists them. */
export const listedNodes: Listed<NodeRow> = {
  tab: 'nodes',
  one: 'node',
  many: 'nodes',
  icon: IconServer2,
  key: ({ name }) => name,
  title: ({ name }) => name,
  state: ({ state }) => state,
  why: ({ reason }) => reason,
  namespace: () => undefined,
  about: ({ name }) => ({ kind: 'Node', name }),
  searchText: ({ roles, version, dedicated_to, pressures, taints }) => [
    ...roles,
    version,
    dedicated_to,
    ...pressures,
    ...taints.map(({ key }) => key),
  ],
};
