import { type Drift, type ObjectOf, resources, withManagers } from '../../cluster-model/index.ts';
import type { Cluster, ObjectRead } from './types.ts';

type Deployment = ObjectOf<typeof resources.deployments>;

/** Deployments read in full, each once: a listed one is another object after every change. */
const read = new WeakMap<Deployment, Promise<ObjectRead>>();

/**
 * Reads who set each field that drifted, and which variables somebody added by hand beside those of `env`, where the cluster
 * tells and it was not the operator.
 */
export async function readManagers(
  cluster: Cluster,
  deployment: Deployment,
  drift: readonly Drift[],
  env: readonly { readonly name: string }[],
): Promise<Drift[]> {
  const { name, namespace } = deployment.metadata;
  const reading = read.get(deployment) ?? cluster.get(resources.deployments, name, namespace);
  read.set(deployment, reading);
  const whole = await reading;
  if (whole.state === 'unread') read.delete(deployment);
  return withManagers(deployment, drift, env, whole.state === 'read' ? whole.object : undefined);
}
