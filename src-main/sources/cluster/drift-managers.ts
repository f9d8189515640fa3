import { type Drift, type ObjectOf, resources, withManagers } from '../../cluster-model/index.ts';
import type { Cluster } from './types.ts';

/** Reads who set each field that drifted, where the cluster tells and it was not the operator. */
export async function readManagers(
  cluster: Cluster,
  deployment: ObjectOf<typeof resources.deployments>,
  drift: readonly Drift[],
): Promise<Drift[]> {
  if (drift.length === 0) return [];
  const { name, namespace } = deployment.metadata;
  const read = await cluster.get(resources.deployments, name, namespace);
  return withManagers(deployment, drift, read.state === 'read' ? read.object : undefined);
}
