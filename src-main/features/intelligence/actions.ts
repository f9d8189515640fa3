import type { HarnessAction, Judged } from '#shared/api/intelligence.ts';
import type { AnswerOf } from './sources.ts';

/** Findings that an agent session can work on, with what it is asked to do; the others are for people alone. */
const dispatched: Readonly<Record<string, string>> = {
  runs: 'Read the logs of the newest failed agent runs, name what they have in common and propose a fix as a pull request.',
  delivery:
    'Read the failed deliveries of the last 28 days, name what they have in common and propose a fix as a pull request.',
  ownership: 'Find out whose the namespaces are and propose their tenant labels as a pull request.',
  'default-deny':
    'Propose a NetworkPolicy that refuses ingress by default, and those that admit the traffic there is, as a pull request.',
  quotas: 'Propose a ResourceQuota for each namespace from what its workloads request, as a pull request.',
  'pod-security':
    'Propose the strictest pod security standard that the workloads of each namespace meet, as a pull request.',
  'service-accounts':
    'Propose a service account for each workload that runs as "default", with the rights it uses, as a pull request.',
};

/**
 * Returns what can be done about a finding from here; undefined where people have to decide how. `finding` has the ID and
 * sentence of what failed; acts on objects are offered where the registry of acts is there and the target is known.
 */
export function actionOf(
  id: string,
  judged: Judged,
  agents: AnswerOf<'fleet.agents'>,
  offersActs: boolean,
): HarnessAction | undefined {
  if (id === 'agents') return offersActs ? agentAction(agents) : undefined;
  const work = dispatched[id];
  if (work === undefined) return undefined;
  return {
    kind: 'dispatch',
    title: 'Send to my agent session',
    class: 'agents',
    command: `${work}\n\nFinding "${id}": ${judged.title}. ${judged.finding}`,
  };
}

/** The act on the first agent that fails: a scheduled one runs again, a steady one restarts. */
function agentAction({ items, target }: AnswerOf<'fleet.agents'>): HarnessAction | undefined {
  const failing =
    items.find(({ enabled, state }) => enabled && state === 'failing') ??
    items.find(({ enabled, state }) => enabled && state === 'degraded');
  if (failing === undefined || target === undefined) return undefined;
  const { kind, name, namespace } = failing.workload;
  const isScheduled = kind === 'CronJob';
  return {
    kind: 'act',
    title: isScheduled ? `Run ${failing.name} now` : `Restart ${failing.name}`,
    class: 'workloads',
    request: {
      target,
      act: isScheduled ? 'run_cron_job' : 'restart',
      object: { group: isScheduled ? 'batch' : 'apps', version: 'v1', kind, namespace, name },
      args: {},
    },
  };
}
