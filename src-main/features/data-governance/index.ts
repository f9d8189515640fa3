export { dataGovernanceHandlers } from './routes.ts';
export { type DataGovernanceTables, dataGovernanceMigrations } from './store.ts';
