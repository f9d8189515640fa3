import type { Handlers } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { sinceOf } from '../../base/duration-before.ts';
import { resources } from '../../cluster-model/index.ts';
import { type Cluster, nowOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { openPodLog } from './pod-log.ts';

/** `GET /api/pods/{namespace}/{name}/logs`. */
export function logHandlers(targetOf: OpenTargetOf, now: () => number): Pick<Handlers, 'cluster.logs'> {
  return {
    'cluster.logs': async ({ params: { namespace, name }, query }, call) => {
      const { cluster } = await targetOf(query.target, call.caller);
      const containers =
        query.container === undefined ? await containersOf(cluster, namespace, name) : [query.container];
      const log = await openPodLog(cluster, {
        namespace,
        pod: name,
        containers,
        previous: query.previous === 'true',
        follow: query.follow === 'true',
        tail: query.tail,
        since: query.since === undefined ? undefined : sinceOf(query.since, nowOf(cluster, now)),
        timestamps: query.timestamps === 'true',
        signal: call.signal,
      });
      // A stream has no place to say what was not read.
      if (log.state !== 'read')
        throw new ConsoleError(log.state === 'missing' ? 'NotFound' : 'Unavailable', log.reason);
      return { type: 'text/plain', pieces: log.pieces };
    },
  };
}

/** Names of a pod's containers in the order they start. */
async function containersOf(cluster: Cluster, namespace: string, name: string): Promise<string[]> {
  const read = await cluster.get(resources.pods, name, namespace);
  if (read.state === 'missing') throw new ConsoleError('NotFound', read.reason);
  if (read.state === 'unread') throw new ConsoleError('Unavailable', read.reason);
  const pod = resources.pods.schema.safeParse(read.object);
  if (!pod.success)
    throw new ConsoleError(
      'Unavailable',
      `Pod ${name} in ${namespace} could not be understood: name one of its containers.`,
    );
  return [...pod.data.spec.initContainers, ...pod.data.spec.containers].map((container) => container.name);
}
