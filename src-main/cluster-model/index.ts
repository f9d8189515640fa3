/** Interprets Kubernetes objects from the objects alone. */

export { describeConditions } from './conditions.ts';
export { describeEvents, isWarning, lastSeen, mostEvents } from './events.ts';
export { certificatesIn } from './identity/certificates.ts';
export {
  describeCertificates,
  type JudgedCertificate,
  type JudgedCertificates,
} from './identity/held-certificates.ts';
export {
  describeMeshCas,
  type HeldMeshCa,
  isMeshCaHolder,
  type MeshCaListings,
} from './identity/mesh-cas.ts';
export { validityOf } from './identity/validity.ts';
export { type Kept, keepNothing } from './kept.ts';
export type { ObjectOf } from './kinds/index.ts';
export * as resources from './kinds/index.ts';
export type { PodObject, TemplateContainer } from './kinds/pods.ts';
export {
  type HttpRead,
  isRecord,
  type Listing,
  type Named,
  type RawObject,
  type Resource,
} from './kinds/types.ts';
export { groupBy, objectIn, wasRead, wasReadIn, wasReadWhole } from './listings.ts';
export { describeNamespaces, type NamespaceListings } from './namespaces/namespaces.ts';
export type { EndpointListings } from './network/endpoints.ts';
export {
  describeServices,
  listingsOf,
  type ReadService,
  readServices,
  type ServiceListings,
  unknownPort,
} from './network/services.ts';
export { httpRouteRoutes } from './network/traced-http-routes.ts';
export { ingressRoutes } from './network/traced-ingresses.ts';
export { tracedServices } from './network/traced-routes.ts';
export { studioRoute } from './network/traced-studio.ts';
export { describeNodes, type NodeListings } from './nodes/nodes.ts';
export { deepestObject, isDeeperThan } from './object-depth.ts';
export { keyOf, nameOf, ownersBy } from './owners.ts';
export { judgeControlPlane } from './planes/control-plane-state.ts';
export {
  type ControlPlaneListings,
  describeControlPlanes,
  type ReadControlPlane,
} from './planes/control-planes.ts';
export { backendContainer, type Drift, withManagers } from './planes/drift.ts';
export { healthAnswerOf } from './planes/health-answer.ts';
export { serviceOf } from './planes/service-of.ts';
export { describePod, worstFirst } from './pods/describe-pod.ts';
export { failingPods } from './pods/failing-pods.ts';
export { type JudgedPod, judgePods } from './pods/judged-pods.ts';
export { isFinished, podStatus, sidecarNames } from './pods/pod-status.ts';
export { judgePod, lastEnd } from './pods/pod-verdict.ts';
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
export { hidden, redactObject, redactText, redactValue } from './redact.ts';
export { type LabelSelector, selects } from './selects.ts';
export { agesSince, clipped, formatTime, timeOf } from './text.ts';
export { type JudgedBy, judgeRunning, type Running, type RunningListings } from './workloads/running.ts';
export { type HealthVerdict, jobHealth } from './workloads/workload-state.ts';
export { usageByWorkload } from './workloads/workload-usage.ts';
export type { ReadWorkload } from './workloads/workloads.ts';
