/**
 * Names of the files in `cluster-resources/` of a support bundle (troubleshoot, pkg/collect/cluster_resources.go), old
 * ones beside today's, and those that only our own capture writes. Read and written from these.
 */

/** `<name>.json`: a kind without namespaces. The first name of a kind is the one that is written. */
export const clusterFiles: readonly (readonly [name: string, key: string])[] = [
  ['namespaces', 'namespaces'],
  ['nodes', 'nodes'],
  ['pvs', 'persistentvolumes'],
  ['storage-classes', 'storageclasses.storage.k8s.io'],
  ['ingress-classes', 'ingressclasses.networking.k8s.io'],
  ['priorityclasses', 'priorityclasses.scheduling.k8s.io'],
  ['custom-resource-definitions', 'customresourcedefinitions.apiextensions.k8s.io'],
  ['clusterroles', 'clusterroles.rbac.authorization.k8s.io'],
  ['clusterrolebindings', 'clusterrolebindings.rbac.authorization.k8s.io'],
  ['clusterRoleBindings', 'clusterrolebindings.rbac.authorization.k8s.io'],
  ['volumeattachments', 'volumeattachments.storage.k8s.io'],
  ['certificatesigningrequests', 'certificatesigningrequests.certificates.k8s.io'],
  ['validating-webhook-configurations', 'validatingwebhookconfigurations.admissionregistration.k8s.io'],
  ['mutating-webhook-configurations', 'mutatingwebhookconfigurations.admissionregistration.k8s.io'],
];

/** `<name>/<namespace>.json`. */
export const namespacedFolders: readonly (readonly [name: string, key: string])[] = [
  ['pods', 'pods'],
  ['services', 'services'],
  ['deployments', 'deployments.apps'],
  ['statefulsets', 'statefulsets.apps'],
  ['daemonsets', 'daemonsets.apps'],
  ['replicasets', 'replicasets.apps'],
  ['jobs', 'jobs.batch'],
  ['cronjobs', 'cronjobs.batch'],
  ['ingress', 'ingresses.networking.k8s.io'],
  ['network-policy', 'networkpolicies.networking.k8s.io'],
  ['resource-quota', 'resourcequotas'],
  ['resource-quotas', 'resourcequotas'],
  ['limitranges', 'limitranges'],
  ['events', 'events'],
  ['pvcs', 'persistentvolumeclaims'],
  ['roles', 'roles.rbac.authorization.k8s.io'],
  ['rolebindings', 'rolebindings.rbac.authorization.k8s.io'],
  ['endpoints', 'endpoints'],
  ['endpointslices', 'endpointslices.discovery.k8s.io'],
  ['serviceaccounts', 'serviceaccounts'],
  ['leases', 'leases.coordination.k8s.io'],
  ['configmaps', 'configmaps'],
  ['pod-disruption-budgets', 'poddisruptionbudgets.policy'],
  // Only our own capture writes these.
  ['secrets', 'secrets'],
  ['pod-metrics', 'pods.metrics.k8s.io'],
  ['horizontalpodautoscalers', 'horizontalpodautoscalers.autoscaling'],
];

/** Files our own capture writes beside those of troubleshoot. */
export const captureFiles = {
  /** Time and version of the capture, and the outcome of reading each of the console's own kinds. */
  record: 'operator-console/capture.json',
  /** Answers of the backends' health endpoints. */
  answers: 'operator-console/answers.json',
} as const;
