export { type Assets, createAssets, pricedAssets } from './assets.ts';
export { nodeCosts, type PricedAsset } from './node-costs.ts';
export { capexService } from './rpc.ts';
export { type CapexTables, capexMigrations } from './store.ts';
