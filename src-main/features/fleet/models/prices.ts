import type { Amounts, ObjectOf } from '../../../cluster-model/index.ts';
import { amountsOf, quantitiesOf, type resources } from '../../../cluster-model/index.ts';
import { nodeCosts, type PricedAsset } from '../../capex/index.ts';

/** What an hour costs in one currency, in its smallest unit. */
export type HourCost = { readonly currency: string; readonly perHour: number };

/** What nodes cost now, and what of it falls on a pod. */
export type Prices = {
  /** Returns the cost of an hour of what a pod requests of a node; none where the node has no price. */
  costsOf(node: string | undefined, requested: Amounts): readonly HourCost[];
  readonly coverage: { readonly priced_nodes: string[]; readonly unpriced_nodes: string[] };
};

/** Prices nodes by the assets that name them. `at` in epoch ms. */
export function createPrices(
  nodes: readonly ObjectOf<typeof resources.nodes>[],
  assets: readonly PricedAsset[],
  at: number,
): Prices {
  const names = nodes.map(({ metadata }) => metadata.name).sort();
  const allocatable = new Map(
    nodes.map(({ metadata, status }) => [metadata.name, quantitiesOf(amountsOf(status?.allocatable ?? {}))]),
  );
  const byNode = Map.groupBy(nodeCosts(assets, names, at), ({ node }) => node);
  return {
    coverage: {
      priced_nodes: names.filter((name) => byNode.has(name)),
      unpriced_nodes: names.filter((name) => !byNode.has(name)),
    },
    costsOf(node = '', requested) {
      const own = quantitiesOf(requested);
      const whole = allocatable.get(node);
      // A pod takes a node up by what it requests most of: what is left of the rest is of no use to others.
      const shares = (['cpu_cores', 'memory_bytes', 'gpus'] as const).map((name) =>
        whole?.[name] ? (own[name] ?? 0) / whole[name] : 0,
      );
      const share = Math.min(1, Math.max(...shares));
      return (byNode.get(node) ?? []).map(({ currency, perHour }) => ({
        currency,
        perHour: perHour * share,
      }));
    },
  };
}
