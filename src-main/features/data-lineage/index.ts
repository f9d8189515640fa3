export { countEdges } from './edges.ts';
export { dataLineageHandlers } from './routes.ts';
export { type DataLineageTables, dataLineageMigrations } from './store.ts';
