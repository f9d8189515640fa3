import type { AnswerOf } from './sources.ts';

type Namespace = AnswerOf<'estate.governance'>['namespaces'][number];

/** Rules that a namespace meets or not; undefined where what they judge was not read. */
export const namespaceRules = {
  hasTenant: ({ tenant }: Namespace): boolean => tenant !== undefined,
  hasQuota: ({ quotas }: Namespace): boolean | undefined => (quotas === undefined ? undefined : quotas > 0),
  deniesIngress: ({ network_policies }: Namespace): boolean | undefined =>
    network_policies?.default_deny_ingress,
  enforcesPodSecurity: ({ pod_security }: Namespace): boolean =>
    pod_security.enforce === 'baseline' || pod_security.enforce === 'restricted',
  usesOwnAccounts: ({ workloads }: Namespace): boolean | undefined =>
    workloads === undefined ? undefined : workloads.default_service_account === 0,
} as const;
