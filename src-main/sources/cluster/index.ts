export type { ObjectOf } from '../../cluster-model/kinds/index.ts';
export * as resources from '../../cluster-model/kinds/index.ts';
export { noCluster, noClusterReason } from './no-cluster.ts';
export { type ClusterReading, clusterReading, nowOf, type OpenTarget } from './reading.ts';
export type {
  Cluster,
  ClusterChange,
  ClusterStatus,
  HttpRead,
  Listing,
  ListingState,
  LogAsk,
  LogOf,
  LogRead,
  LogScan,
  LogScanAsk,
  Named,
  ObjectRead,
  PatchAsk,
  PatchResult,
  RawObject,
  Resource,
  ScannedLog,
} from './types.ts';
