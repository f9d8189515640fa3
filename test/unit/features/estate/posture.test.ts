import { describe, expect, it } from 'vitest';
import {
  type Listing,
  type Named,
  type Resource,
  resources,
} from '../../../../src-main/cluster-model/index.ts';
import { type PostureListings, posturesOf } from '../../../../src-main/features/estate/posture.ts';

const listing = <T extends Named>(
  kind: Resource<T>,
  items: unknown[],
  state: Listing<T>['state'] = 'read',
): Listing<T> => ({
  items: items.map((item) => kind.schema.parse(item)),
  state,
  gaps: [],
  revision: '1',
  readAt: 0,
});
const named = (name: string, namespace?: string, more: object = {}) => ({
  metadata: { name, namespace, ...more },
});
const workload = (namespace: string, serviceAccountName?: string) => ({
  ...named('web', namespace),
  spec: { selector: {}, template: { spec: { serviceAccountName, containers: [] } } },
});

const listings = (more: Partial<PostureListings> = {}): PostureListings => ({
  namespaces: listing(resources.namespaces, [
    named('kube-system'),
    named('shop', undefined, {
      labels: {
        'platform.dev/tenant': 'acme',
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/enforce-version': 'v1.30',
      },
    }),
    named('lab', undefined, { labels: { 'pod-security.kubernetes.io/enforce': 'strict' } }),
  ]),
  quotas: listing(resources.resourceQuotas, [named('q', 'shop')]),
  policies: listing(resources.networkPolicies, [
    { ...named('deny', 'shop'), spec: { podSelector: {} } },
    {
      ...named('one', 'lab'),
      spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] },
    },
    { ...named('out', 'lab'), spec: { podSelector: {}, policyTypes: ['Egress'] } },
  ]),
  deployments: listing(resources.deployments, [
    workload('shop', 'web'),
    workload('shop'),
    workload('lab', 'default'),
  ]),
  statefulSets: listing(resources.statefulSets, []),
  daemonSets: listing(resources.daemonSets, []),
  cronJobs: listing(resources.cronJobs, []),
  ...more,
});

describe('the posture of namespaces (CON-132)', () => {
  it('is judged from quotas, policies, pod security and service accounts, those of people first', () => {
    expect(posturesOf(listings())).toEqual([
      {
        name: 'lab',
        system: false,
        quotas: 0,
        network_policies: { count: 2, default_deny_ingress: false },
        pod_security: { enforce: 'none' },
        workloads: { count: 1, default_service_account: 1 },
      },
      {
        name: 'shop',
        system: false,
        tenant: 'acme',
        quotas: 1,
        network_policies: { count: 1, default_deny_ingress: true },
        pod_security: { enforce: 'restricted', version: 'v1.30' },
        workloads: { count: 2, default_service_account: 1 },
      },
      {
        name: 'kube-system',
        system: true,
        quotas: 0,
        network_policies: { count: 0, default_deny_ingress: false },
        pod_security: { enforce: 'none' },
        workloads: { count: 0, default_service_account: 0 },
      },
    ]);
  });

  it('leaves out what was not read, instead of counting none', () => {
    const [lab] = posturesOf(
      listings({
        quotas: listing(resources.resourceQuotas, [], 'forbidden'),
        policies: listing(
          resources.networkPolicies,
          [named('one', 'lab')].map((each) => ({ ...each, spec: { podSelector: {} } })),
          'partly',
        ),
        cronJobs: listing(resources.cronJobs, [], 'forbidden'),
      }),
    );
    expect(lab).toEqual({ name: 'lab', system: false, pod_security: { enforce: 'none' } });
  });
});
