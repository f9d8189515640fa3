import type { NamespacePosture } from '#shared/api/estate.ts';

/** One rule that namespaces of people should meet, and who does; names of namespaces. */
export type Policy = {
  readonly id: string;
  readonly rule: string;
  readonly metBy: string[];
  readonly notMetBy: string[];
  readonly notReadOf: string[];
};

type Rule = {
  readonly id: string;
  readonly rule: string;
  /** Whether a namespace meets it; undefined where that was not read. */
  holds(posture: NamespacePosture): boolean | undefined;
};

const rules: readonly Rule[] = [
  {
    id: 'owner',
    rule: 'A namespace names its tenant.',
    holds: ({ tenant }) => tenant !== undefined,
  },
  {
    id: 'default-deny-ingress',
    rule: 'A NetworkPolicy selects every pod, so that what no policy admits is refused.',
    holds: ({ network_policies }) => network_policies?.default_deny_ingress,
  },
  {
    id: 'pod-security',
    rule: 'Pod Security is enforced at level baseline or restricted.',
    holds: ({ pod_security: { enforce } }) => enforce === 'baseline' || enforce === 'restricted',
  },
  {
    id: 'quota',
    rule: 'A ResourceQuota bounds the namespace.',
    holds: ({ quotas }) => (quotas === undefined ? undefined : quotas > 0),
  },
  {
    id: 'own-service-accounts',
    rule: 'No workload runs as the service account "default".',
    holds: ({ workloads }) => (workloads === undefined ? undefined : workloads.default_service_account === 0),
  },
];

/** Returns every rule with the namespaces of people that meet it, that do not, and of which it was not read. */
export function policiesOf(postures: readonly NamespacePosture[]): Policy[] {
  const ofPeople = postures.filter(({ system }) => !system);
  return rules.map(({ id, rule, holds }) => {
    const named = (verdict: boolean | undefined) =>
      ofPeople.filter((posture) => holds(posture) === verdict).map(({ name }) => name);
    return { id, rule, metBy: named(true), notMetBy: named(false), notReadOf: named(undefined) };
  });
}
