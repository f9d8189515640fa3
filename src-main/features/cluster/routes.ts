import type { Handlers } from '#shared/api/handler.ts';
import type { OpenTargetOf } from '../targets/open-target.ts';
import { controlPlaneHandlers } from './control-plane-routes.ts';
import { dashboardHandlers } from './dashboard-route.ts';
import type { LastDiagnosis } from './diagnosed-attention.ts';
import { logHandlers } from './log-route.ts';
import { metricsHandlers } from './metrics-route.ts';
import { namespaceHandlers } from './namespace-routes.ts';
import { nodeHandlers } from './node-routes.ts';
import { objectHandlers } from './object-route.ts';
import { securityHandlers } from './security-route.ts';
import { serviceHandlers } from './service-routes.ts';

export type ClusterParts = {
  readonly targetOf: OpenTargetOf;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Of this process. */
  readonly openStreams: () => number;
  readonly requests: () => number;
  /** Address of the studio, for the trace of `/studio/`. */
  readonly studioUpstream: URL;
  /** What the troubleshooter found, for what needs a person. */
  readonly lastDiagnosis: LastDiagnosis;
};

/** The pages of a cluster. */
export function clusterHandlers({
  targetOf,
  now,
  openStreams,
  requests,
  studioUpstream,
  lastDiagnosis,
}: ClusterParts): Pick<Handlers, Extract<keyof Handlers, `cluster.${string}`>> {
  return {
    ...dashboardHandlers(targetOf, now, lastDiagnosis),
    ...controlPlaneHandlers(targetOf, now),
    ...nodeHandlers(targetOf, now),
    ...namespaceHandlers(targetOf, now),
    ...serviceHandlers(targetOf, now, studioUpstream),
    ...securityHandlers(targetOf, now),
    ...objectHandlers(targetOf, now),
    ...logHandlers(targetOf),
    ...metricsHandlers(targetOf, { openStreams, requests }),
  };
}
