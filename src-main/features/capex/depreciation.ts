const hour = 3_600_000;

/** An asset to write off: prices in the smallest unit of its currency, days as YYYY-MM-DD. */
export type DepreciableAsset = {
  readonly price: number;
  readonly residual: number;
  readonly in_service_on: string;
  readonly lifetime_months: number;
};

/** The part of an asset that is written off. */
export type Depreciation = {
  readonly accumulated: number;
  readonly bookValue: number;
  readonly perMonth: number;
  /** First day after its lifetime, as YYYY-MM-DD. */
  readonly endsOn: string;
};

/**
 * Straight-line depreciation by the day (IAS 16 paragraph 62): nothing before the asset is in service, all but the
 * residual at the end of its lifetime. `at` in epoch ms.
 */
export function depreciationOf(asset: DepreciableAsset, at: number): Depreciation {
  const { from, to } = lifetimeOf(asset);
  const elapsed = Math.min(1, Math.max(0, (at - from) / (to - from)));
  const base = asset.price - asset.residual;
  const accumulated = Math.round(base * elapsed);
  return {
    accumulated,
    bookValue: asset.price - accumulated,
    perMonth: Math.round(base / asset.lifetime_months),
    endsOn: new Date(to).toISOString().slice(0, 10),
  };
}

/** Returns what an hour of the asset costs at a moment (epoch ms), in the smallest unit; 0 outside its lifetime. */
export function costOfHour(asset: DepreciableAsset, at: number): number {
  const { from, to } = lifetimeOf(asset);
  if (at < from || at >= to) return 0;
  return (asset.price - asset.residual) / ((to - from) / hour);
}

/** Whether a node is named by a pattern: its name, or a beginning followed by `*`. */
export function namesNode(pattern: string, node: string): boolean {
  return pattern.endsWith('*') ? node.startsWith(pattern.slice(0, -1)) : node === pattern;
}

/** The lifetime in epoch ms, from midnight to midnight in UTC. */
function lifetimeOf({ in_service_on, lifetime_months }: DepreciableAsset): { from: number; to: number } {
  const from = new Date(`${in_service_on}T00:00:00Z`);
  const months = from.getUTCMonth() + lifetime_months;
  const to = new Date(Date.UTC(from.getUTCFullYear(), months, from.getUTCDate()));
  // 31 January and a month is the end of February, not the third of March.
  if (to.getUTCDate() !== from.getUTCDate()) to.setUTCDate(0);
  return { from: from.getTime(), to: to.getTime() };
}
