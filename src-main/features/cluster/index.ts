export { lastSeen } from '../../cluster-model/events.ts';
export { certificatesIn } from '../../cluster-model/identity/certificates.ts';
export { describeMeshCas } from '../../cluster-model/identity/mesh-cas.ts';
export { groupBy, wasRead, wasReadWhole } from '../../cluster-model/listings.ts';
export { describeServices, matches, unknownPort } from '../../cluster-model/network/services.ts';
export { httpRouteRoutes } from '../../cluster-model/network/traced-http-routes.ts';
export { ingressRoutes } from '../../cluster-model/network/traced-ingresses.ts';
export { tracedServices } from '../../cluster-model/network/traced-routes.ts';
export { keyOf, nameOf, ownersBy } from '../../cluster-model/owners.ts';
export { describeControlPlanes, type ReadControlPlane } from '../../cluster-model/planes/control-planes.ts';
export { backendContainer, withManagers } from '../../cluster-model/planes/drift.ts';
export { healthAnswerOf } from '../../cluster-model/planes/health-answer.ts';
export { serviceOf } from '../../cluster-model/planes/service-of.ts';
export type { JudgedPod } from '../../cluster-model/pods/judged-pods.ts';
export { isFinished, sidecarNames } from '../../cluster-model/pods/pod-status.ts';
export { judgePod, lastEnd } from '../../cluster-model/pods/pod-verdict.ts';
export {
  type Amounts,
  add,
  amountsOf,
  parseQuantity,
  podAmounts,
  quantitiesOf,
  toNumber,
} from '../../cluster-model/quantities.ts';
export { describeQuota, usedUp } from '../../cluster-model/quotas.ts';
export { agesSince, clipped, counted, timeOf } from '../../cluster-model/text.ts';
export {
  judgeRunning,
  listRunning,
  type Running,
  type RunningListings,
} from '../../cluster-model/workloads/running.ts';
export { jobStanding, type Standing } from '../../cluster-model/workloads/workload-state.ts';
export type { ReadWorkload } from '../../cluster-model/workloads/workloads.ts';
export { createHealthReader, type ReadHealth } from '../../sources/cluster/health-endpoints.ts';
export { keepAnswers } from '../../sources/cluster/kept-answers.ts';
export type { Diagnosed, LastDiagnosis } from '../overview/diagnosed-attention.ts';
export { type ClusterParts, clusterHandlers } from './routes.ts';
