import * as consoleResources from '../../../../cluster-model/kinds/index.ts';
import { kindKey } from './kind-key.ts';

/** A kind as discovery names it. */
export type KnownKind = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
};

const builtIn = (
  group: string,
  version: string,
  namespaced: boolean,
  names: Readonly<Record<string, string>>,
): KnownKind[] =>
  Object.entries(names).map(([plural, kind]) => ({ group, version, plural, kind, namespaced }));

/** Kinds of Kubernetes itself, and those the console reads: a bundle may come without its discovery. */
export const commonKinds: readonly KnownKind[] = [
  ...builtIn('', 'v1', true, {
    limitranges: 'LimitRange',
    podtemplates: 'PodTemplate',
    replicationcontrollers: 'ReplicationController',
    serviceaccounts: 'ServiceAccount',
  }),
  ...builtIn('', 'v1', false, {
    persistentvolumes: 'PersistentVolume',
    componentstatuses: 'ComponentStatus',
  }),
  ...builtIn('apps', 'v1', true, { controllerrevisions: 'ControllerRevision' }),
  ...builtIn('autoscaling', 'v2', true, { horizontalpodautoscalers: 'HorizontalPodAutoscaler' }),
  ...builtIn('policy', 'v1', true, { poddisruptionbudgets: 'PodDisruptionBudget' }),
  ...builtIn('networking.k8s.io', 'v1', true, { networkpolicies: 'NetworkPolicy' }),
  ...builtIn('networking.k8s.io', 'v1', false, { ingressclasses: 'IngressClass' }),
  ...builtIn('coordination.k8s.io', 'v1', true, { leases: 'Lease' }),
  ...builtIn('rbac.authorization.k8s.io', 'v1', true, { roles: 'Role', rolebindings: 'RoleBinding' }),
  ...builtIn('rbac.authorization.k8s.io', 'v1', false, {
    clusterroles: 'ClusterRole',
    clusterrolebindings: 'ClusterRoleBinding',
  }),
  ...builtIn('storage.k8s.io', 'v1', false, {
    storageclasses: 'StorageClass',
    volumeattachments: 'VolumeAttachment',
    csinodes: 'CSINode',
    csidrivers: 'CSIDriver',
  }),
  ...builtIn('scheduling.k8s.io', 'v1', false, { priorityclasses: 'PriorityClass' }),
  ...builtIn('certificates.k8s.io', 'v1', false, { certificatesigningrequests: 'CertificateSigningRequest' }),
  ...builtIn('admissionregistration.k8s.io', 'v1', false, {
    validatingwebhookconfigurations: 'ValidatingWebhookConfiguration',
    mutatingwebhookconfigurations: 'MutatingWebhookConfiguration',
  }),
  ...builtIn('apiregistration.k8s.io', 'v1', false, { apiservices: 'APIService' }),
  ...builtIn('apiextensions.k8s.io', 'v1', false, {
    customresourcedefinitions: 'CustomResourceDefinition',
  }),
  ...builtIn('metrics.k8s.io', 'v1beta1', false, { nodes: 'NodeMetrics' }),
  ...consoleResources.everyKind.map(({ group, versions, plural, kind, namespaced }) => ({
    group,
    version: versions[0],
    plural,
    kind,
    namespaced,
  })),
];

/** The kinds a bundle knows: Kubernetes' own, its discovery, its CRDs, and its file names. */
export type KindNames = {
  /** Records a kind; the first record wins. */
  tell(known: KnownKind): void;
  byKind(group: string, kind: string): KnownKind | undefined;
  byPlural(group: string, plural: string): KnownKind | undefined;
};

export function createKindNames(): KindNames {
  const byKind = new Map<string, KnownKind>();
  const byPlural = new Map<string, KnownKind>();
  const tell = (known: KnownKind): void => {
    const kind = `${known.kind}.${known.group}`;
    const plural = kindKey(known.group, known.plural);
    if (!byKind.has(kind)) byKind.set(kind, known);
    if (!byPlural.has(plural)) byPlural.set(plural, known);
  };
  for (const known of commonKinds) tell(known);
  return {
    tell,
    byKind: (group, kind) => byKind.get(`${kind}.${group}`),
    byPlural: (group, plural) => byPlural.get(kindKey(group, plural)),
  };
}

/** The plural that English and most CRDs have, for a kind that nothing else is known of. */
export function likelyPlural(kind: string): string {
  const lower = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}
