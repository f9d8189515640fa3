export { createAssets } from './assets.ts';
export { capexService } from './rpc.ts';
export { type CapexTables, capexMigrations } from './store.ts';
