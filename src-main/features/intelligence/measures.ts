import type { RouteOf } from '#shared/api/index.ts';
import type { Judged } from '#shared/api/intelligence.ts';
import type { JsonAnswer } from '#shared/api/route.ts';
import { auditControls, notMeasured, ownership, signIn } from './compliance.ts';
import { countNamespaces, judgeEvery, judgeShare, outcomesOf, unmeasured } from './judge.ts';
import { deliveredShare, runDays, succeededShare } from './maturity.ts';
import { namespaceRules } from './namespace-rules.ts';
import {
  type AnswerOf,
  type Asked,
  type IntelligenceParts,
  readAgents,
  readDelivery,
  readGovernance,
  readingOf,
  readRuns,
} from './sources.ts';
import { gapOf, isComplete } from './swarm.ts';

type Measures = JsonAnswer<RouteOf<'intelligence.measures'>>;

/** Least share of ended runs that succeed. */
const leastSucceeding = 0.9;
/** Least share of deliveries that do not fail. */
const leastDelivered = 0.85;

/** Next step for each category that fails. */
const remediations: Readonly<Record<string, string>> = {
  'sign-in': 'Set up sign-in in Settings, Set-up.',
  'audit-chain': 'Verify the whole chain on the Audit page and compare it with a backup of the store.',
  agents: 'Open Roster and start with the first agent that is named.',
  runs: 'Open Runs, filter by failure and read the log of the newest.',
  delivery: 'Open DevEx, find the day with most failed deliveries and read its runs.',
  credentials: 'Complete the credentials of the connections that are named.',
  ownership: 'Label the namespaces that are named with their tenant.',
  isolation: 'Add a NetworkPolicy that selects every pod to the namespaces that are named.',
};

/** `GET /api/measures`. */
export async function measures(parts: IntelligenceParts, asked: Asked): Promise<Measures> {
  const [agents, list, delivery, governance, audit] = await Promise.all([
    readAgents(parts, asked),
    readRuns(parts, asked, runDays),
    readDelivery(parts, asked),
    readGovernance(parts, asked),
    auditControls(parts),
  ]);
  const judged = [
    signIn(parts),
    ...audit.filter(({ id }) => id === 'audit-chain'),
    agentsHealthy(agents),
    judgeShare(
      {
        id: 'runs',
        title: 'Agent runs succeed',
        counted: `Runs that started in the last ${runDays} days and ended: at least ${leastSucceeding * 100} % succeed.`,
      },
      '/api/runs',
      'ended runs succeeded',
      { ...succeededShare(list), complete: isComplete(list) },
      leastSucceeding,
    ),
    deliveries(delivery),
    credentials(governance),
    ownership(governance),
    judgeEvery(
      {
        id: 'isolation',
        title: 'Namespaces refuse traffic by default',
        counted:
          'Namespaces that are not of the cluster itself: those with a policy that selects every pod for ingress.',
      },
      '/api/governance',
      { noun: 'namespaces', met: 'refuse ingress by default' },
      countNamespaces(governance, namespaceRules.deniesIngress),
    ),
  ];
  return {
    categories: judged.map((category) => {
      const remediation = category.outcome === 'fail' ? remediations[category.id] : undefined;
      return { ...category, ...(remediation === undefined ? {} : { remediation }) };
    }),
    outcomes: outcomesOf(judged),
    ...readingOf(parts, [agents, list, delivery, governance], [...gapOf(list), ...notMeasured(judged)]),
  };
}

function agentsHealthy({ items, source, complete }: AnswerOf<'fleet.agents'>): Judged {
  const enabled = items.filter((agent) => agent.enabled);
  const read = enabled.filter(({ state }) => state !== 'not_read');
  return judgeEvery(
    {
      id: 'agents',
      title: 'Enabled agents work',
      counted: 'Enabled agents of the roster: those that are neither degraded nor failing.',
    },
    '/api/agents',
    { noun: 'enabled agents', met: 'work' },
    {
      whole: source === 'unavailable' ? undefined : read.length,
      without: read
        .filter(({ state }) => state === 'degraded' || state === 'failing')
        .map(({ name }) => name),
      complete: complete && read.length === enabled.length,
    },
  );
}

function deliveries(delivery: AnswerOf<'delivery.devex'>): Judged {
  const subject = {
    id: 'delivery',
    title: 'Deliveries succeed',
    counted: `Deliveries of the last ${delivery.window_days} days: at least ${leastDelivered * 100} % do not fail.`,
  };
  const share = deliveredShare(delivery);
  if (share === undefined) return unmeasured(subject, 'Too few deliveries ended to say.');
  return judgeShare(
    subject,
    '/api/devex',
    'deliveries did not fail',
    { ...share, complete: delivery.complete },
    leastDelivered,
  );
}

function credentials({ credentials: { connections, incomplete } }: AnswerOf<'estate.governance'>): Judged {
  return judgeEvery(
    {
      id: 'credentials',
      title: 'Connections have their credentials',
      counted: 'Connections: those that have every credential their type requires.',
    },
    '/api/governance',
    { noun: 'connections', met: 'have their credentials' },
    { whole: connections, without: incomplete.map(({ connection }) => connection), complete: true },
  );
}
