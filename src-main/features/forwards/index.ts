export { createForwards } from './routes.ts';
export { type ForwardTables, forwardMigrations } from './store.ts';
