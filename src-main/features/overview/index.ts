export { type OverviewParts, overviewHandlers } from './routes.ts';
