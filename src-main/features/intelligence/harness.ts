import { createHash } from 'node:crypto';
import type { RouteOf } from '#shared/api/index.ts';
import type { HarnessFinding, Judged } from '#shared/api/intelligence.ts';
import { type Allowlist, allowlists, type JsonAnswer } from '#shared/api/route.ts';
import { actionOf } from './actions.ts';
import { allowlistControl, compliance } from './compliance.ts';
import { measures } from './measures.ts';
import { type Asked, type IntelligenceParts, readAgents, readingOf } from './sources.ts';
import type { HarnessActRow } from './store.ts';

type Harness = JsonAnswer<RouteOf<'intelligence.harness'>>;
type Finding = HarnessFinding;

/** Controls that a category judges too: one finding of both. */
const sameAs: Readonly<Record<string, string>> = { isolation: 'default-deny' };

/** Worst first. */
const severities = ['critical', 'warning', 'info'] as const satisfies readonly Finding['severity'][];

/** Findings that leave the console or its trail open. */
const critical = new Set(['sign-in', 'audit-chain', 'store-encryption', 'transport']);

/** Next step for each allowlist that is not set. */
const toSet: Readonly<Record<Allowlist, string>> = {
  CONSOLE_SESSION_ADMINS: 'Name the session admins on the Access page.',
  CONSOLE_AGENT_ADMINS: 'Set CONSOLE_AGENT_ADMINS to the people who may arm and disarm agents.',
  CONSOLE_CONNECTION_ADMINS: 'Set CONSOLE_CONNECTION_ADMINS to the people who may change connections.',
  CONSOLE_CLUSTER_ADMINS: 'Set CONSOLE_CLUSTER_ADMINS to the people who may change objects of clusters.',
};

function allowlistSteps(): Readonly<Record<string, string>> {
  return Object.fromEntries(allowlists.map((name) => [allowlistControl(name), toSet[name]]));
}

/** Next step for each control that no category judges. */
const steps: Readonly<Record<string, string>> = {
  ...allowlistSteps(),
  'audit-head': 'Open the Audit page: it says why the head is not kept.',
  'store-encryption': 'Start the console with a store key.',
  'store-key': 'Move the key with `operator-console keys protect`, or set CONSOLE_STORE_KEY.',
  transport: 'Serve the console by https and set CONSOLE_PUBLIC_URL to that address.',
  quotas: 'Add a ResourceQuota to the namespaces that are named.',
  'pod-security': 'Label the namespaces that are named with pod-security.kubernetes.io/enforce.',
  'service-accounts': 'Give the workloads of the namespaces that are named a service account of their own.',
};

/** What findings are read with, beside their evidence. */
export type HarnessParts = IntelligenceParts & {
  /** Reads the newest attempt to act on each of these revisions. */
  readonly lastAttempts: (revisions: readonly string[]) => Promise<ReadonlyMap<string, HarnessActRow>>;
  /** Absent where no object of a cluster can be changed. */
  readonly acts?: object | undefined;
};

/** `GET /api/harness`: what fails among measures and controls, each once, with what can be done and what was. */
export async function harness(parts: HarnessParts, asked: Asked): Promise<Harness> {
  const [measured, controlled, agents] = await Promise.all([
    measures(parts, asked),
    compliance(parts, asked),
    readAgents(parts, asked),
  ]);
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
  const found = [...joined]
    .filter(([, { judged }]) => judged.outcome === 'fail')
    .map(
      ([id, { of, judged, remediation }]): Finding => ({
        id,
        of,
        title: judged.title,
        severity: critical.has(id) ? 'critical' : id.startsWith('allowlist-') ? 'info' : 'warning',
        finding: judged.finding,
        remediation,
        counted: judged.counted,
        evidence: judged.evidence,
        revision: revisionOf(id, judged, agents.target),
        ...actionField(actionOf(id, judged, agents, parts.acts !== undefined)),
      }),
    );
  const attempts = await parts.lastAttempts(found.map(({ revision }) => revision));
  const items = found.map((finding) => ({ ...finding, ...actedField(attempts.get(finding.revision)) }));
  const rank = ({ severity }: Finding) => severities.indexOf(severity);
  return {
    items: items.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1)),
    ...readingOf(parts, [measured, controlled]),
  };
}

const actionField = (action: Finding['action']) => (action === undefined ? {} : { action });

function actedField(row: HarnessActRow | undefined): Pick<Finding, 'acted'> {
  if (row === undefined) return {};
  const { state, sentence, by, begun_at, attempt, ref } = row;
  const at = new Date(begun_at).toISOString();
  return { acted: { state, sentence, by, at, attempt, ...(ref === null ? {} : { ref }) } };
}

/** Changes with what was found and where, and with nothing else. */
function revisionOf(id: string, { outcome, finding, evidence }: Judged, target: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([id, target, outcome, finding, evidence]))
    .digest('hex')
    .slice(0, 16);
}
