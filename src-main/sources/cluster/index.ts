export { readManagers } from './drift-managers.ts';
export { createHealthAsker, createHealthReader, type ReadHealth } from './health-endpoints.ts';
export { keepAnswers } from './kept-answers.ts';
export {
  listControlPlanes,
  listMeshCas,
  listNamespaces,
  listNodes,
  listRunning,
  listServices,
} from './listings.ts';
export { noCluster, noClusterReason } from './no-cluster.ts';
export { clusterReading, nowOf, type OpenTarget } from './reading.ts';
export type {
  Cluster,
  ClusterChange,
  ClusterStatus,
  LogAsk,
  LogRead,
  LogScan,
  LogScanAsk,
  ObjectRead,
  PatchResult,
  ScannedLog,
} from './types.ts';
