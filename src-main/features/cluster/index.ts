export { type ClusterParts, clusterHandlers } from './routes.ts';
