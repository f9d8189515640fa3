import type { Handlers } from '#shared/api/handler.ts';
import type { LastDiagnosis } from '../overview/diagnosed-attention.ts';
import { dashboardHandlers } from '../overview/routes.ts';
import type { OpenTargetOf } from '../targets/open-target.ts';
import { securityHandlers } from './certificates.ts';
import { controlPlaneHandlers } from './control-planes.ts';
import { metricsHandlers } from './metrics.ts';
import { namespaceHandlers } from './namespaces.ts';
import { nodeHandlers } from './nodes.ts';
import { objectHandlers } from './object.ts';
import { logHandlers } from './pod-logs.ts';
import { serviceHandlers } from './services.ts';

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
