import type { Handlers } from '#shared/api/handler.ts';
import type { OpenTargetOf } from '../targets/open-target.ts';

export type ClusterParts = {
  readonly targetOf: OpenTargetOf;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Of this process. */
  readonly openStreams: () => number;
  readonly requests: () => number;
  /** Address of the studio, for the trace of `/studio/`. */
  readonly studioUpstream: URL;
};

/** The pages of a cluster. */
export function clusterHandlers(
  _parts: ClusterParts,
): Pick<Handlers, Extract<keyof Handlers, `cluster.${string}`>> {
  throw new Error('not built yet');
}
