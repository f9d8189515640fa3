export { certificatesIn } from './certificates.ts';
export { describeControlPlanes, type ReadControlPlane } from './control-planes.ts';
export type { Diagnosed, LastDiagnosis } from './diagnosed-attention.ts';
export { backendContainer, withManagers } from './drift.ts';
export { tracedServices } from './edge-routes.ts';
export { lastSeen } from './events.ts';
export { httpRouteRoutes } from './gateway-routes.ts';
export { healthAnswerOf } from './health-answer.ts';
export { createHealthReader, type ReadHealth } from './health-endpoints.ts';
export { ingressRoutes } from './ingress-routes.ts';
export type { JudgedPod } from './judged-pods.ts';
export { keepAnswers } from './kept-answer.ts';
export { describeMeshCas } from './mesh-cas.ts';
export { keyOf, nameOf, ownersBy } from './owners.ts';
export { isFinished, sidecarNames } from './pod-status.ts';
export { judgePod, lastEnd } from './pod-verdict.ts';
export { prometheusText } from './prometheus-text.ts';
export {
  type Amounts,
  add,
  amountsOf,
  parseQuantity,
  podAmounts,
  quantitiesOf,
  toNumber,
} from './quantities.ts';
export { describeQuota, usedUp } from './quotas.ts';
export { judgeRunning, listRunning, type Running, type RunningListings } from './read-workloads.ts';
export { groupBy, wasRead, wasReadWhole } from './reading-kinds.ts';
export { type ClusterParts, clusterHandlers } from './routes.ts';
export { serviceOf } from './service-of.ts';
export { describeServices, matches, unknownPort } from './services.ts';
export { agesSince, clipped, counted, timeOf } from './words.ts';
export { jobStanding, type Standing } from './workload-state.ts';
export type { ReadWorkload } from './workloads.ts';
