import type { Handlers } from '#shared/api/handler.ts';
import { ConsoleError } from '#shared/errors.ts';
import { resources } from '../../cluster-model/index.ts';
import { clusterReading } from '../../sources/cluster/index.ts';
import type { OpenTargetOf } from '../targets/index.ts';
import { createYamlWriter } from './yaml-writer.ts';

/** `GET /api/objects/{kind}/{name}`. `now`: epoch ms. */
export function objectHandlers(targetOf: OpenTargetOf, now: () => number): Pick<Handlers, 'cluster.object'> {
  const writer = createYamlWriter();
  return {
    'cluster.object': async ({ params: { kind, name }, query }, call) => {
      const resource = resources.everyKind.find((each) => each.kind === kind);
      if (resource === undefined)
        throw new ConsoleError(
          'NotFound',
          `The console reads no kind ${kind}. It reads ${resources.everyKind.map((each) => each.kind).join(', ')}.`,
        );
      const { namespace } = query;
      if (resource.namespaced && namespace === undefined)
        throw new ConsoleError('BadInput', `A ${kind} is in a namespace: name it with ?namespace=.`);
      const target = await targetOf(query.target, call.caller);
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
