import { costOfHour, type DepreciableAsset, namesNode } from './depreciation.ts';

/** An asset as far as its share in nodes goes. */
export type PricedAsset = DepreciableAsset & {
  readonly name: string;
  readonly currency: string;
  readonly nodes: readonly string[];
};

/** The cost of an hour of one node in one currency, in the currency's smallest unit. */
export type NodeCost = {
  readonly node: string;
  readonly currency: string;
  readonly perHour: number;
  readonly assets: readonly string[];
};

/**
 * Shares each asset out equally over the nodes it names, and sums what falls on each node by currency. Nodes that
 * nothing names are missing from the answer. `at` in epoch ms.
 */
export function nodeCosts(assets: readonly PricedAsset[], nodes: readonly string[], at: number): NodeCost[] {
  const costs = new Map<string, { node: string; currency: string; perHour: number; assets: string[] }>();
  for (const asset of assets) {
    const own = nodes.filter((node) => asset.nodes.some((pattern) => namesNode(pattern, node)));
    const perHour = costOfHour(asset, at);
    for (const node of own) {
      const key = `${node} ${asset.currency}`;
      const cost = costs.get(key) ?? { node, currency: asset.currency, perHour: 0, assets: [] };
      cost.perHour += perHour / own.length;
      cost.assets.push(asset.name);
      costs.set(key, cost);
    }
  }
  return [...costs.values()];
}
