import type { Duplex } from 'node:stream';
import type { Handlers } from '#shared/api/handler.ts';
import type { RouteId } from '#shared/api/index.ts';
import type { Target } from '#shared/api/targets.ts';
import type { ForwardRequest, LiveCluster } from '../../sources/cluster/live/index.ts';
import { type BundlesOptions, createBundles, type EarlyBundle } from './bundles.ts';
import type { OpenTargetOf } from './open-target.ts';
import { targetHandlers } from './routes.ts';
import { createTargetRegistry, type TargetRegistryOptions } from './targets.ts';

export type { EarlyBundle } from './bundles.ts';
export type { OpenTargetOf } from './open-target.ts';
export { type TargetTables, targetMigrations } from './store.ts';
export { sandboxTarget } from './targets.ts';

/** Longest time a connection through a cluster may take to open, in ms. */
const forwardWithin = 10_000;

export type EarlyBundleOf = (id: string) => EarlyBundle | undefined;

export type Targets = {
  readonly targetOf: OpenTargetOf;
  /** Returns whether the console may change anything in a target. */
  isWritable(target: string): boolean;
  /**
   * Returns the readable part of a bundle that is open or being opened; undefined when there is none of that
   * ID.
   */
  readonly earlyBundleOf: EarlyBundleOf;
  /** A connection to a port of a service, through the API server of a live target; the default one when none is named. */
  forward(service: ForwardRequest & { readonly target: string | undefined }): Promise<Duplex>;
  /**
   * Returns a live target's cluster, for what goes beyond reading it. Throws NotFound for a name that is no target, and
   * BadInput for a bundle.
   */
  live(target: string): Promise<LiveCluster>;
  /** Closes a context's cluster, for one that is gone or another of the same name. */
  forget(context: string): void;
  /** Returns every target, without a person's choice; none is contacted. */
  list(): Promise<readonly Target[]>;
  handlers(
    isSessionAdmin: (email: string) => Promise<boolean>,
  ): Handlers<Extract<RouteId, `targets.${string}` | `bundles.${string}`>>;
  close(): Promise<void>;
};

type TargetsOptions = Omit<TargetRegistryOptions, 'bundles'> & {
  readonly bundles: Omit<BundlesOptions, 'now'>;
  /** Email that may name paths on this machine, besides the desktop window. */
  readonly pathsFor: string | undefined;
};

/** Creates the targets: what can be read, and how it is opened and chosen. */
export function createTargets(options: TargetsOptions): Targets {
  const { now } = options;
  const bundles = createBundles({ ...options.bundles, now });
  const registry = createTargetRegistry({ ...options, bundles });
  return {
    targetOf: registry.targetOf,
    isWritable: registry.isWritable,
    earlyBundleOf: (id) => bundles.early(id),
    async forward({ target, ...request }) {
      const name = target ?? (await options.contexts.current());
      if (name === undefined) throw new Error('No cluster is attached to reach the studio through.');
      return (await registry.live(name)).forward(request, AbortSignal.timeout(forwardWithin));
    },
    live: (target) => registry.live(target),
    forget: registry.forget,
    list: async () => (await registry.list(undefined)).items,
    handlers: (isSessionAdmin) =>
      targetHandlers({ registry, bundles, isSessionAdmin, pathsFor: options.pathsFor, now }),
    async close() {
      registry.close();
      await bundles.closeAll();
    },
  };
}
