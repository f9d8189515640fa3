import type { ServiceImpl } from '@connectrpc/connect';
import type { EstateService } from '#shared/gen/estate/v1/estate_pb.js';
import { resources } from '../../cluster-model/index.ts';
import type { RpcGate } from '../../grpc/rpc-gate.ts';
import { clusterReading } from '../../sources/cluster/index.ts';
import type { EstateParts } from './routes.ts';
import { tenantsOf } from './tenants.ts';

/** estate.v1.EstateService: what the platform consists of. */
export function estateService(
  { targetOf, connections }: EstateParts,
  gate: RpcGate,
): ServiceImpl<typeof EstateService> {
  return {
    getEstate: (request, context) =>
      gate.read(context, async ({ caller }) => {
        const target = await targetOf(request.target === '' ? undefined : request.target, caller);
        const [instances, namespaces, kept] = await Promise.all([
          target.cluster.list(resources.clientInstances),
          target.cluster.list(resources.namespaces),
          connections(),
        ]);
        const { source, complete, unmeasured } = clusterReading(target, [instances, namespaces]);
        return {
          tenants: tenantsOf(instances.items, namespaces.items, kept),
          source,
          complete,
          unmeasured: [...unmeasured],
        };
      }),
  };
}
