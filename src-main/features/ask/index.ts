export { askService } from './rpc.ts';
export { type AskTables, askMigrations } from './store.ts';
