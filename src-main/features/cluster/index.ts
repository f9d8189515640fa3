export { prometheusText } from './prometheus-text.ts';
export { parseQuantity, toNumber } from './quantities.ts';
export { type ClusterParts, clusterHandlers } from './routes.ts';
