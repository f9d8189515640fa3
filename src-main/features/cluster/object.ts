import type { Handlers } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { type Resource, resources } from '../../cluster-model/index.ts';
import { type Cluster, clusterReading, findKind, resourceOf } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { createYamlWriter } from './yaml-writer.ts';

/** `GET /api/objects/{kind}/{name}`. `now`: epoch ms. */
export function objectHandlers(targetOf: OpenTargetOf, now: () => number): Pick<Handlers, 'cluster.object'> {
  const writer = createYamlWriter();
  return {
    'cluster.object': async ({ params: { kind, name }, query }, call) => {
      const { namespace, group } = query;
      const target = await targetOf(query.target, call.caller);
      const resource = await resourceNamed(target.cluster, { kind, group }, call.signal);
      if (resource.namespaced && namespace === undefined)
        throw new ConsoleError('BadInput', `A ${kind} is in a namespace: name it with ?namespace=.`);
      const read = await target.cluster.get(resource, name, resource.namespaced ? namespace : undefined);
      if (read.state === 'missing')
        throw new ConsoleError(
          'NotFound',
          `There is no ${kind} ${name}${resource.namespaced ? ` in ${namespace}` : ''}.`,
        );
      if (read.state === 'unread')
        return clusterReading(target, [{ state: 'unavailable', gaps: [read.reason], readAt: now() }]);
      const { yaml, reason } = await writer.write(read.object, call.signal);
      return {
        ...(yaml === undefined ? {} : { yaml }),
        ...clusterReading(
          target,
          [{ state: 'read', gaps: [], readAt: read.readAt }],
          reason === undefined ? [] : [reason],
        ),
      };
    },
  };
}

/** A kind that pages read, or any other that the cluster has. Throws NotFound. */
async function resourceNamed(
  cluster: Cluster,
  { kind, group }: { readonly kind: string; readonly group: string | undefined },
  signal: AbortSignal,
): Promise<Resource> {
  const known = resources.everyKind.find(
    (each) => each.kind === kind && (group === undefined || each.group === group),
  );
  if (known !== undefined) return known;
  const { kinds = [], gaps = [] } = (await cluster.kinds?.(signal)) ?? {};
  const found = findKind(kinds, { kind, group });
  if (found !== undefined) return resourceOf(found);
  throw new ConsoleError('NotFound', [`There is no kind ${kind} here.`, ...gaps].join(' '));
}
