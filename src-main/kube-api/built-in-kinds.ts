import type { KubeKind } from './world.ts';

type Options = {
  readonly short?: readonly string[];
  readonly clusterWide?: boolean;
  readonly status?: boolean;
  /** Member of kubectl's category `all`. */
  readonly all?: boolean;
};

/** A kind that every API server has. */
export type BuiltInKind = KubeKind & {
  /** Whether `status` is written through its own subresource only. */
  readonly hasStatus: boolean;
  readonly inAll: boolean;
};

function kind(apiVersion: string, plural: string, name: string, options: Options = {}): BuiltInKind {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const { short, clusterWide = false, status = false, all = false } = options;
  return {
    group,
    version,
    plural,
    kind: name,
    namespaced: !clusterWide,
    ...(short === undefined ? {} : { shortNames: short }),
    hasStatus: status,
    inAll: all,
  };
}

/** The kinds of Kubernetes 1.36 that are kept as objects, by the newest version of each (recorded discovery). */
export const builtInKinds: readonly BuiltInKind[] = [
  kind('v1', 'configmaps', 'ConfigMap', { short: ['cm'] }),
  kind('v1', 'endpoints', 'Endpoints', { short: ['ep'] }),
  kind('v1', 'events', 'Event', { short: ['ev'] }),
  kind('v1', 'limitranges', 'LimitRange', { short: ['limits'] }),
  kind('v1', 'namespaces', 'Namespace', { short: ['ns'], clusterWide: true, status: true }),
  kind('v1', 'nodes', 'Node', { short: ['no'], clusterWide: true, status: true }),
  kind('v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', { short: ['pvc'], status: true }),
  kind('v1', 'persistentvolumes', 'PersistentVolume', { short: ['pv'], clusterWide: true, status: true }),
  kind('v1', 'pods', 'Pod', { short: ['po'], status: true, all: true }),
  kind('v1', 'podtemplates', 'PodTemplate'),
  kind('v1', 'replicationcontrollers', 'ReplicationController', { short: ['rc'], status: true, all: true }),
  kind('v1', 'resourcequotas', 'ResourceQuota', { short: ['quota'], status: true }),
  kind('v1', 'secrets', 'Secret'),
  kind('v1', 'serviceaccounts', 'ServiceAccount', { short: ['sa'] }),
  kind('v1', 'services', 'Service', { short: ['svc'], status: true, all: true }),
  kind('admissionregistration.k8s.io/v1', 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', {
    clusterWide: true,
  }),
  kind(
    'admissionregistration.k8s.io/v1',
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    { clusterWide: true },
  ),
  kind('apiextensions.k8s.io/v1', 'customresourcedefinitions', 'CustomResourceDefinition', {
    short: ['crd', 'crds'],
    clusterWide: true,
    status: true,
  }),
  kind('apps/v1', 'controllerrevisions', 'ControllerRevision'),
  kind('apps/v1', 'daemonsets', 'DaemonSet', { short: ['ds'], status: true, all: true }),
  kind('apps/v1', 'deployments', 'Deployment', { short: ['deploy'], status: true, all: true }),
  kind('apps/v1', 'replicasets', 'ReplicaSet', { short: ['rs'], status: true, all: true }),
  kind('apps/v1', 'statefulsets', 'StatefulSet', { short: ['sts'], status: true, all: true }),
  kind('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    short: ['hpa'],
    status: true,
    all: true,
  }),
  kind('batch/v1', 'cronjobs', 'CronJob', { short: ['cj'], status: true, all: true }),
  kind('batch/v1', 'jobs', 'Job', { status: true, all: true }),
  kind('certificates.k8s.io/v1', 'certificatesigningrequests', 'CertificateSigningRequest', {
    short: ['csr'],
    clusterWide: true,
    status: true,
  }),
  kind('coordination.k8s.io/v1', 'leases', 'Lease'),
  kind('discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice'),
  kind('networking.k8s.io/v1', 'ingressclasses', 'IngressClass', { clusterWide: true }),
  kind('networking.k8s.io/v1', 'ingresses', 'Ingress', { short: ['ing'], status: true }),
  kind('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy', { short: ['netpol'] }),
  kind('policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget', { short: ['pdb'], status: true }),
  kind('rbac.authorization.k8s.io/v1', 'clusterrolebindings', 'ClusterRoleBinding', { clusterWide: true }),
  kind('rbac.authorization.k8s.io/v1', 'clusterroles', 'ClusterRole', { clusterWide: true }),
  kind('rbac.authorization.k8s.io/v1', 'rolebindings', 'RoleBinding'),
  kind('rbac.authorization.k8s.io/v1', 'roles', 'Role'),
  kind('scheduling.k8s.io/v1', 'priorityclasses', 'PriorityClass', { short: ['pc'], clusterWide: true }),
  kind('storage.k8s.io/v1', 'csidrivers', 'CSIDriver', { clusterWide: true }),
  kind('storage.k8s.io/v1', 'csinodes', 'CSINode', { clusterWide: true }),
  kind('storage.k8s.io/v1', 'storageclasses', 'StorageClass', { short: ['sc'], clusterWide: true }),
  kind('storage.k8s.io/v1', 'volumeattachments', 'VolumeAttachment', { clusterWide: true, status: true }),
];

/** Group of what is only measured, never kept: it is listed and not watched. */
export const metricsGroup = 'metrics.k8s.io';

/** Kinds that metrics-server adds. */
export const metricsKinds: readonly KubeKind[] = [
  { group: metricsGroup, version: 'v1beta1', plural: 'pods', kind: 'PodMetrics', namespaced: true },
  { group: metricsGroup, version: 'v1beta1', plural: 'nodes', kind: 'NodeMetrics', namespaced: false },
];

/** The built-in kind behind a kind; undefined for a custom or measured one. */
export function builtInOf({ group, plural }: Pick<KubeKind, 'group' | 'plural'>): BuiltInKind | undefined {
  return byName.get(`${group}/${plural}`);
}

const byName = new Map(builtInKinds.map((each) => [`${each.group}/${each.plural}`, each]));
