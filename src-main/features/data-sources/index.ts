export { besideSandbox } from './beside-sandbox.ts';
export { createDataSources, type DataSourceParts, type DataSources } from './data-sources.ts';
export { dataSourceHandlers } from './routes.ts';
export { addDataSourceServices } from './rpc/services.ts';
export type { OwnEndpoint } from './status/own-endpoints.ts';
export { type DataSourceTables, dataSourceMigrations } from './store.ts';
