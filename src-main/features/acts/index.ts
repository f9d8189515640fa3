export { type ActParts, createActs } from './acts.ts';
export { actHandlers } from './routes.ts';
export { type ActTables, actMigrations, createActStore } from './store.ts';
export type { ActRequest, Acts } from './types.ts';
