import { type NamespacePosture, podSecurityLevel } from '#shared/api/estate.ts';
import { labels } from '#shared/platform/labels.ts';
import type { Listing, ObjectOf, resources } from '../../cluster-model/index.ts';

type Of<Kind extends keyof typeof resources> = Listing<ObjectOf<(typeof resources)[Kind]>>;

/** The listings from which namespaces are judged. */
export type PostureListings = {
  readonly namespaces: Of<'namespaces'>;
  readonly quotas: Of<'resourceQuotas'>;
  readonly policies: Of<'networkPolicies'>;
  readonly deployments: Of<'deployments'>;
  readonly statefulSets: Of<'statefulSets'>;
  readonly daemonSets: Of<'daemonSets'>;
  readonly cronJobs: Of<'cronJobs'>;
};

/** Returns the posture of each namespace, those of people first, by name. What was not read is absent, never zero. */
export function posturesOf(listings: PostureListings): NamespacePosture[] {
  const quotas = byNamespace(listings.quotas);
  const policies = byNamespace(listings.policies);
  const templates = [
    byNamespace(listings.deployments),
    byNamespace(listings.statefulSets),
    byNamespace(listings.daemonSets),
  ];
  const cronJobs = byNamespace(listings.cronJobs);
  return listings.namespaces.items
    .map(({ metadata: { name, labels: own = {} } }): NamespacePosture => {
      const accounts = all([
        ...templates.map((each) => each?.(name)?.map(({ spec }) => spec.template?.spec?.serviceAccountName)),
        cronJobs?.(name)?.map(({ spec }) => spec.jobTemplate?.spec?.template?.spec?.serviceAccountName),
      ]);
      const quotaCount = quotas?.(name)?.length;
      const networkPolicies = policies?.(name);
      const tenant = own[labels.tenant];
      const initiative = own[labels.initiative];
      return {
        name,
        system: isSystem(name),
        ...(tenant === undefined ? {} : { tenant }),
        ...(initiative === undefined ? {} : { initiative }),
        ...(quotaCount === undefined ? {} : { quotas: quotaCount }),
        ...(networkPolicies === undefined
          ? {}
          : {
              network_policies: {
                count: networkPolicies.length,
                default_deny_ingress: networkPolicies.some(selectsEveryPod),
              },
            }),
        pod_security: podSecurityOf(own),
        ...(accounts === undefined
          ? {}
          : {
              workloads: {
                count: accounts.length,
                // Kubernetes runs a pod as `default` where its template names nothing else.
                default_service_account: accounts.filter((account = 'default') => account === 'default')
                  .length,
              },
            }),
      };
    })
    .sort((a, b) => Number(a.system) - Number(b.system) || (a.name < b.name ? -1 : 1));
}

/** Whether a namespace is the cluster's own, by the names Kubernetes and OpenShift reserve. */
const isSystem = (name: string): boolean => /^(kube|openshift)-|^openshift$/.test(name);

function podSecurityOf(own: Readonly<Record<string, string>>): NamespacePosture['pod_security'] {
  const enforce = podSecurityLevel.safeParse(own['pod-security.kubernetes.io/enforce']);
  const version = own['pod-security.kubernetes.io/enforce-version'];
  return { enforce: enforce.success ? enforce.data : 'none', ...(version === undefined ? {} : { version }) };
}

function selectsEveryPod({ spec }: PostureListings['policies']['items'][number]): boolean {
  const { podSelector, policyTypes } = spec;
  const selectsAll =
    Object.keys(podSelector.matchLabels ?? {}).length === 0 &&
    (podSelector.matchExpressions ?? []).length === 0;
  // A policy that names no type is one for ingress (networking.k8s.io/v1).
  return selectsAll && (policyTypes.length === 0 || policyTypes.includes('Ingress'));
}

/** Looks up the objects of a namespace; undefined where any might be missing. */
function byNamespace<T extends { metadata: { namespace?: string | undefined } }>(
  listing: Listing<T>,
): ((namespace: string) => readonly T[]) | undefined {
  if (listing.state !== 'read') return undefined;
  const groups = Map.groupBy(listing.items, ({ metadata }) => metadata.namespace);
  return (namespace) => groups.get(namespace) ?? [];
}

/** All lists in one; undefined where one of them is. */
function all<T>(lists: readonly (readonly T[] | undefined)[]): T[] | undefined {
  const joined: T[] = [];
  for (const list of lists) {
    if (list === undefined) return undefined;
    joined.push(...list);
  }
  return joined;
}
