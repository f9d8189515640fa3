import type { KubeKind, World } from '../../kube-api/index.ts';

/** The kind of this name; the measures of metrics.k8s.io are `PodMetrics`. Throws an Error for one that is not served. */
export function kindNamed(world: Pick<World, 'kinds'>, name: string): KubeKind {
  const found = world.kinds().find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`the sandbox does not serve ${name}`);
  return found;
}
