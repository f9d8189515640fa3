export type {
  DiscoveredKind,
  KindsRead,
  TableRow,
} from './any-kind.ts';
export { findKind, ownersOf, resourceOf } from './any-kind.ts';
export { readManagers } from './drift-managers.ts';
export { createHealthReader, type ReadHealth } from './health-endpoints.ts';
export { createPlaneJudge, keepWithPlanes } from './judged-control-planes.ts';
export { keepAnswers } from './kept-answers.ts';
export { keptOf } from './kept-results.ts';
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
  AccessRequest,
  Cluster,
  ClusterChange,
  ClusterStatus,
  LogRead,
  LogRequest,
  LogScan,
  LogScanRequest,
  ObjectAccess,
  ObjectRead,
  ObjectWrite,
  PatchResult,
  ScannedLog,
  ServedKind,
  WriteResult,
} from './types.ts';
