import type { Handlers } from '#shared/api/handler.ts';
import type { Cluster } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from './open-target.ts';

export type { OpenTargetOf } from './open-target.ts';

export type Targets = {
  readonly targetOf: OpenTargetOf;
  readonly handlers: Pick<Handlers, Extract<keyof Handlers, `targets.${string}` | `bundles.${string}`>>;
  close(): Promise<void>;
};

/** The one cluster of a test. */
export function oneTarget(cluster: Cluster): Targets {
  const refuse = (): never => {
    throw new Error('not built yet');
  };
  return {
    targetOf: async (asked) => ({ id: asked ?? 'test', cluster }),
    handlers: {
      'targets.list': refuse,
      'targets.select': refuse,
      'targets.retry': refuse,
      'targets.changes': refuse,
      'bundles.open': refuse,
      'bundles.list': refuse,
      'bundles.progress': refuse,
      'bundles.close': refuse,
    },
    close: async () => undefined,
  };
}
