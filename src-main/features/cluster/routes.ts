import type { Handlers } from '#shared/api/handler.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { certificateHandlers } from './certificates.ts';
import { controlPlaneHandlers } from './control-planes.ts';
import { logHandlers } from './logs.ts';
import { metricsHandlers } from './metrics.ts';
import { namespaceHandlers } from './namespaces.ts';
import { networkRouteHandlers } from './network-routes.ts';
import { nodeHandlers } from './nodes.ts';
import { objectHandlers } from './object.ts';
import { keepServiceRows, serviceHandlers } from './services.ts';

export type ClusterParts = {
  readonly targetOf: OpenTargetOf;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Counts of this process: open streams, and requests. */
  readonly openStreams: () => number;
  readonly requests: () => number;
  /** Address of the studio, for the trace of `/studio/`. */
  readonly studioUpstream: () => URL;
};

/** The pages of a cluster. */
export function clusterHandlers({
  targetOf,
  now,
  openStreams,
  requests,
  studioUpstream,
}: ClusterParts): Omit<Pick<Handlers, Extract<keyof Handlers, `cluster.${string}`>>, 'cluster.dashboard'> {
  const serviceRows = keepServiceRows();
  return {
    ...controlPlaneHandlers(targetOf, now),
    ...nodeHandlers(targetOf, now),
    ...namespaceHandlers(targetOf, now),
    ...serviceHandlers(targetOf, now, serviceRows),
    ...networkRouteHandlers(targetOf, now, serviceRows, studioUpstream),
    ...certificateHandlers(targetOf, now),
    ...objectHandlers(targetOf, now),
    ...logHandlers(targetOf, now),
    ...metricsHandlers(targetOf, { openStreams, requests }),
  };
}
