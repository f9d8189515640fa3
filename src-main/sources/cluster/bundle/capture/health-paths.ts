import { labels } from '#shared/platform/labels.ts';
import * as resources from '../../../../cluster-model/kinds/index.ts';
import type { Cluster } from '../../types.ts';

/** Health endpoints of the platform's backends, and the metrics of its engines. */
const backendPaths = ['/livez', '/readyz', '/auth/config', '/health'] as const;
const enginePath = '/metrics';

/** As many addresses as are asked: each may take seconds. */
const mostPaths = 400;

/**
 * Addresses of health endpoints through the API server's proxy: of services before the workloads of the platform's
 * custom resources, and of services and pods of workloads that serve an inference tier.
 */
export async function healthPaths(cluster: Cluster): Promise<readonly string[]> {
  const [services, pods, deployments, statefulSets] = await Promise.all([
    cluster.list(resources.services),
    cluster.list(resources.pods),
    cluster.list(resources.deployments),
    cluster.list(resources.statefulSets),
  ]);
  const platform = await Promise.all(
    [resources.cockpitControlPlanes, resources.campaignControlPlanes, resources.clientInstances].map((kind) =>
      cluster.list(kind),
    ),
  );
  const backends = new Set(platform.flatMap(({ items }) => items.map(({ metadata }) => keyOf(metadata))));
  const paths = new Set<string>();
  for (const { metadata, spec } of [...deployments.items, ...statefulSets.items]) {
    const podLabels = spec.template.metadata?.labels ?? {};
    const isBackend =
      backends.has(keyOf(metadata)) ||
      metadata.ownerReferences.some(({ kind }) => platformKinds.includes(kind));
    const isEngine = (metadata.labels[labels.tier] ?? podLabels[labels.tier]) !== undefined;
    if (!isBackend && !isEngine) continue;
    const isOf = (wanted: Readonly<Record<string, string>>, has: Readonly<Record<string, string>>): boolean =>
      Object.keys(wanted).length > 0 && Object.entries(wanted).every(([key, value]) => has[key] === value);
    const requested = [...(isBackend ? backendPaths : []), ...(isEngine ? [enginePath] : [])];
    for (const service of services.items) {
      if (service.metadata.namespace !== metadata.namespace || !isOf(service.spec.selector, podLabels))
        continue;
      for (const { port } of service.spec.ports)
        for (const path of requested)
          paths.add(
            `/api/v1/namespaces/${metadata.namespace}/services/${service.metadata.name}:${port}/proxy${path}`,
          );
    }
    if (!isEngine) continue;
    for (const pod of pods.items) {
      if (pod.metadata.namespace !== metadata.namespace) continue;
      if (!isOf(spec.selector?.matchLabels ?? {}, pod.metadata.labels)) continue;
      for (const { containerPort } of pod.spec.containers.flatMap(({ ports }) => ports))
        paths.add(
          `/api/v1/namespaces/${metadata.namespace}/pods/${pod.metadata.name}:${containerPort}/proxy${enginePath}`,
        );
    }
  }
  return [...paths].slice(0, mostPaths);
}

const platformKinds: readonly string[] = [
  resources.cockpitControlPlanes,
  resources.campaignControlPlanes,
  resources.clientInstances,
].map(({ kind }) => kind);
const keyOf = ({
  namespace,
  name,
}: {
  readonly namespace?: string | undefined;
  readonly name: string;
}): string => `${namespace ?? ''}/${name}`;
