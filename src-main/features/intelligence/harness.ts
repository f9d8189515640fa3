import { createHash } from 'node:crypto';
import type { RouteOf } from '#shared/api/index.ts';
import type { Judged } from '#shared/api/intelligence.ts';
import type { JsonAnswer } from '#shared/api/route.ts';
import { compliance } from './compliance.ts';
import { measures } from './measures.ts';
import { type Asked, type IntelligenceParts, readingOf } from './sources.ts';

type Harness = JsonAnswer<RouteOf<'intelligence.harness'>>;
type Finding = Harness['items'][number];

/** Controls that a category judges too: one finding of both. */
const sameAs: Readonly<Record<string, string>> = { isolation: 'default-deny' };

/** Worst first. */
const severities = ['critical', 'warning', 'info'] as const satisfies readonly Finding['severity'][];

/** Findings that leave the console or its trail open. */
const critical = new Set(['sign-in', 'audit-chain', 'store-encryption', 'transport']);

/** Next step for each control that no category judges. */
const steps: Readonly<Record<string, string>> = {
  'allowlist-console-session-admins': 'Name the session admins on the Access page.',
  'allowlist-console-agent-admins': 'Set CONSOLE_AGENT_ADMINS to the people who may arm and disarm agents.',
  'allowlist-console-connection-admins':
    'Set CONSOLE_CONNECTION_ADMINS to the people who may change connections.',
  'audit-head': 'Open the Audit page: it says why the head is not kept.',
  'store-encryption': 'Start the console with a store key.',
  'store-key': 'Move the key with `operator-console keys protect`, or set CONSOLE_STORE_KEY.',
  transport: 'Serve the console by https and set CONSOLE_PUBLIC_URL to that address.',
  quotas: 'Add a ResourceQuota to the namespaces that are named.',
  'pod-security': 'Label the namespaces that are named with pod-security.kubernetes.io/enforce.',
  'service-accounts': 'Give the workloads of the namespaces that are named a service account of their own.',
};

/** `GET /api/harness`: what fails among measures and controls, each once. */
export async function harness(parts: IntelligenceParts, asked: Asked): Promise<Harness> {
  const [measured, controlled] = await Promise.all([measures(parts, asked), compliance(parts, asked)]);
  const joined = new Map<string, { of: Finding['of']; judged: Judged; remediation: string }>();
  for (const { remediation = '', ...judged } of measured.categories)
    joined.set(sameAs[judged.id] ?? judged.id, { of: ['measures'], judged, remediation });
  for (const judged of controlled.controls) {
    const known = joined.get(judged.id);
    joined.set(judged.id, {
      of: [...(known?.of ?? []), 'compliance'],
      judged,
      remediation: known?.remediation ?? steps[judged.id] ?? '',
    });
  }
  const items = [...joined]
    .filter(([, { judged }]) => judged.outcome === 'fail')
    .map(
      ([id, { of, judged, remediation }]): Finding => ({
        id,
        of,
        title: judged.title,
        severity: critical.has(id) ? 'critical' : id.startsWith('allowlist-') ? 'info' : 'warning',
        finding: judged.finding,
        remediation,
        evidence: judged.evidence,
        revision: revisionOf(judged),
      }),
    );
  const rank = ({ severity }: Finding) => severities.indexOf(severity);
  return {
    items: items.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1)),
    ...readingOf(parts, [measured, controlled]),
  };
}

/** Changes with what was found, and with nothing else. */
function revisionOf({ outcome, finding, evidence }: Judged): string {
  return createHash('sha256')
    .update(JSON.stringify([outcome, finding, evidence]))
    .digest('hex')
    .slice(0, 16);
}
