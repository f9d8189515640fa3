import { timeOf } from '../../../cluster-model/index.ts';
import { type Check, type Found, found, refOf } from './found.ts';

export const nodeCordoned: Check = ({ listings }) =>
  listings.nodes.items.flatMap(({ metadata, spec }): Found[] =>
    spec?.unschedulable === true
      ? [
          found(refOf('Node', metadata), 'spec.unschedulable is true', {
            ref: 'spec.unschedulable',
            values: { node: metadata.name },
            since: timeOf(
              spec.taints.find(({ key }) => key === 'node.kubernetes.io/unschedulable')?.timeAdded,
            ),
          }),
        ]
      : [],
  );

/** Minor versions that a kubelet may be behind the API server (kubernetes.io, Version Skew Policy, kubelet). */
const mostBehind = 3;

export const nodeVersionSkew: Check = ({ listings, version }) => {
  const server = minorOf(version);
  if (server === undefined) return [];
  return listings.nodes.items.flatMap(({ metadata, status }): Found[] => {
    const kubelet = minorOf(status?.nodeInfo?.kubeletVersion);
    if (kubelet === undefined || (kubelet <= server && server - kubelet <= mostBehind)) return [];
    return [
      found(refOf('Node', metadata), `kubelet ${status?.nodeInfo?.kubeletVersion}, cluster ${version}`, {
        ref: 'status.nodeInfo.kubeletVersion',
        values: { node: metadata.name },
      }),
    ];
  });
};

function minorOf(version: string | undefined): number | undefined {
  const found = /^v?1\.(\d+)/.exec(version ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Longest time since a restart for it to be reported, in ms. */
const recentMs = 86_400_000;

/** Nodes that came up again: why several of their pods restarted at once. */
export const nodeRestarted: Check = ({ restarts, now }) => {
  const newest = new Map<string, (typeof restarts.all)[number]>();
  for (const restart of restarts.all) {
    const known = newest.get(restart.node);
    if (now - restart.at < recentMs && (known === undefined || restart.at > known.at))
      newest.set(restart.node, restart);
  }
  return [...newest.values()].map(({ node, at, text }) =>
    found({ kind: 'Node', name: node }, text, {
      ref: 'its pods and events',
      values: { node },
      at: new Date(at).toISOString(),
    }),
  );
};
