import type { Handlers } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { sinceOf } from '../../base/duration-before.ts';
import { timeOf } from '../../cluster-model/index.ts';
import { type Cluster, clusterReading, nowOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { mergedLogs } from './merged-logs.ts';
import { type LogsOf, type PodsNow, selectPods } from './select-pods.ts';

type Asked = {
  readonly namespace: string;
  readonly kind?: Extract<LogsOf, { kind: string }>['kind'] | undefined;
  readonly name?: string | undefined;
  readonly selector?: string | undefined;
};

/** `GET /api/log-sources` and `GET /api/logs`. `now`: epoch ms. */
export function workloadLogHandlers(
  targetOf: OpenTargetOf,
  now: () => number,
): Pick<Handlers, 'logs.sources' | 'logs.merged'> {
  return {
    'logs.sources': async ({ query }, { caller }) => {
      const target = await targetOf(query.target, caller);
      const podsNow = await podsOf(target.cluster, query);
      const { pods, listing } = await podsNow();
      return {
        items: pods
          .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
          .map(({ metadata, spec, status }) => ({
            pod: metadata.name,
            phase: status?.phase,
            containers: [...spec.initContainers, ...spec.containers].map(({ name }) => name),
            created_at: timeOf(metadata.creationTimestamp),
          })),
        ...clusterReading(target, [listing]),
      };
    },
    'logs.merged': async ({ query }, { caller, signal }) => {
      const { cluster } = await targetOf(query.target, caller);
      const podsNow = await podsOf(cluster, query);
      return {
        type: 'text/plain',
        pieces: mergedLogs({
          cluster,
          namespace: query.namespace,
          podsNow,
          container: query.container,
          without: new Set((query.without ?? '').split(',').filter(Boolean)),
          previous: query.previous === 'true',
          // A bundle has an end: nothing follows.
          follow: query.follow === 'true' && query.previous !== 'true' && cluster.source === 'kubernetes',
          tail: query.tail,
          since: query.since === undefined ? undefined : sinceOf(query.since, nowOf(cluster, now)),
          signal,
          now,
        }),
      };
    },
  };
}

/** Finds the pods that are asked for. Throws the error the request is answered with. */
async function podsOf(cluster: Cluster, { namespace, kind, name, selector }: Asked): Promise<PodsNow> {
  if ((selector === undefined) === (kind === undefined || name === undefined))
    throw new ConsoleError('BadInput', 'Name either kind and name, or a label selector.');
  const of: LogsOf =
    selector !== undefined
      ? { namespace, selector }
      : { namespace, kind: kind ?? 'Deployment', name: name ?? '' };
  const found = await selectPods(cluster, of);
  if (found.state === 'found') return found.podsNow;
  const name_ =
    found.state === 'missing' ? 'NotFound' : found.state === 'unread' ? 'Unavailable' : 'BadInput';
  throw new ConsoleError(name_, found.reason);
}
