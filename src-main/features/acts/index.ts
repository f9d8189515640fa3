export { type ActParts, createActs, type RunningActs } from './acts.ts';
export { actHandlers } from './routes.ts';
export { type ActTables, actMigrations, createActStore } from './store.ts';
export type { ActPerformance, ActRequest, Acts } from './types.ts';
