export { rulesReconHandlers } from './routes.ts';
export { type RulesReconTables, rulesReconMigrations } from './store.ts';
