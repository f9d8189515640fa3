export { clusterHandlers } from './routes.ts';
