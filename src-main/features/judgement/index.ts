export { judgementHandlers } from './routes.ts';
export { type JudgementTables, judgementMigrations } from './store.ts';
