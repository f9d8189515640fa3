export { type Allowlists, createAllowlists } from './allowlists.ts';
export { accessHandlers } from './routes.ts';
export { type AccessTables, accessMigrations } from './store.ts';
