/** A kind as texts name it. */
export type NamedKind = { readonly kind: string; readonly apiVersion: string; readonly namespaced: boolean };

const rows: readonly (readonly [kind: string, apiVersion: string, names: string, scope?: 'cluster'])[] = [
  ['Pod', 'v1', 'pod pods po'],
  ['Deployment', 'apps/v1', 'deployment deployments deploy deployment.apps deployments.apps'],
  ['ReplicaSet', 'apps/v1', 'replicaset replicasets rs replicaset.apps replicasets.apps'],
  ['StatefulSet', 'apps/v1', 'statefulset statefulsets sts statefulset.apps statefulsets.apps'],
  ['DaemonSet', 'apps/v1', 'daemonset daemonsets ds daemonset.apps daemonsets.apps'],
  ['Job', 'batch/v1', 'job jobs job.batch jobs.batch'],
  ['CronJob', 'batch/v1', 'cronjob cronjobs cj cronjob.batch cronjobs.batch'],
  ['Service', 'v1', 'service services svc'],
  ['Endpoints', 'v1', 'endpoints ep'],
  [
    'EndpointSlice',
    'discovery.k8s.io/v1',
    'endpointslice endpointslices endpointslice.discovery.k8s.io endpointslices.discovery.k8s.io',
  ],
  ['Node', 'v1', 'node nodes no', 'cluster'],
  ['Namespace', 'v1', 'namespace namespaces ns', 'cluster'],
  ['ResourceQuota', 'v1', 'resourcequota resourcequotas quota'],
  ['PersistentVolumeClaim', 'v1', 'persistentvolumeclaim persistentvolumeclaims pvc'],
  ['PersistentVolume', 'v1', 'persistentvolume persistentvolumes pv', 'cluster'],
  [
    'StorageClass',
    'storage.k8s.io/v1',
    'storageclass storageclasses sc storageclass.storage.k8s.io',
    'cluster',
  ],
  [
    'Ingress',
    'networking.k8s.io/v1',
    'ingress ingresses ing ingress.networking.k8s.io ingresses.networking.k8s.io',
  ],
  [
    'HorizontalPodAutoscaler',
    'autoscaling/v2',
    'horizontalpodautoscaler horizontalpodautoscalers hpa horizontalpodautoscaler.autoscaling',
  ],
  ['Secret', 'v1', 'secret secrets'],
  ['ConfigMap', 'v1', 'configmap configmaps cm'],
  ['Event', 'v1', 'event events ev'],
];

const byKind = new Map<string, NamedKind>(
  rows.map(([kind, apiVersion, , scope]) => [kind, { kind, apiVersion, namespaced: scope === undefined }]),
);
const byName = new Map<string, NamedKind>(
  rows.flatMap(([kind, , names]) => names.split(' ').flatMap((name) => [[name, known(kind)] as const])),
);

function known(kind: string): NamedKind {
  return byKind.get(kind) ?? { kind, apiVersion: 'v1', namespaced: true };
}

/** Returns the kind that a resource name of a command or a row stands for, such as `po`; undefined for others. */
export const kindNamed = (name: string): NamedKind | undefined => byName.get(name.toLowerCase());

/** Returns a kind with its API version; of one that is not known the version is unknown, too. */
export const kindOf = (kind: string): NamedKind => known(kind);
