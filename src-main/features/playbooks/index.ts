export { openPlaybooks } from './playbooks.ts';
export { playbookHandlers } from './routes.ts';
export { deprecatedAlias, playbookService } from './rpc.ts';
export { type PlaybookTables, playbookMigrations } from './store.ts';
