import type { NodeRow } from '#shared/api/cluster.ts';

/** Allocatable and requested amount of one resource of a node, in that resource's unit. */
export type Load = {
  readonly requested: number;
  readonly allocatable: number;
  /** requested / allocatable. */
  readonly share: number;
};

/** A node's load of a resource; undefined where the node has none of it or either side was not read. */
export function loadOf(
  { requested, allocatable }: Pick<NodeRow, 'requested' | 'allocatable'>,
  resource: 'cpu_cores' | 'memory_bytes' | 'gpus',
): Load | undefined {
  const [wanted, given] = [requested?.[resource], allocatable[resource]];
  if (wanted === undefined || given === undefined || given === 0) return undefined;
  return { requested: wanted, allocatable: given, share: wanted / given };
}

/** The greater share of CPU and memory that is asked for; undefined when neither was read. */
export function fullestShare(node: Pick<NodeRow, 'requested' | 'allocatable'>): number | undefined {
  const shares = [loadOf(node, 'cpu_cores'), loadOf(node, 'memory_bytes')].flatMap(
    (load) => load?.share ?? [],
  );
  return shares.length === 0 ? undefined : Math.max(...shares);
}

/** Marks a figure of a node as a lower bound where pods of some namespaces were not read. */
export const bounded = ({ at_least }: Pick<NodeRow, 'at_least'>, figure: string): string =>
  at_least === true ? `at least ${figure}` : figure;

/** From this share on hardly anything more fits. */
export const fullFrom = 0.9;

export type NodeGroup = { readonly title: string; readonly nodes: readonly NodeRow[] };

/** Nodes by whom they are kept for; those for everybody first, then by name. */
export function byDedication(nodes: readonly NodeRow[]): readonly NodeGroup[] {
  const keptFor = [...new Set(nodes.map(({ dedicated_to }) => dedicated_to ?? ''))].sort();
  return keptFor.map((dedicated) => ({
    title: dedicated === '' ? 'Shared' : `Dedicated to ${dedicated}`,
    nodes: nodes
      .filter(({ dedicated_to }) => (dedicated_to ?? '') === dedicated)
      .sort((a, b) => a.name.localeCompare(b.name)),
  }));
}
