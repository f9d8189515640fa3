import type { AgentSchedule } from '#shared/api/fleet.ts';
import type { Call } from '#shared/api/handler.ts';
import type { RouteOf } from '#shared/api/index.ts';
import type { RouteAnswer } from '#shared/api/route.ts';
import { inParallel } from '../../../base/in-parallel.ts';
import { resources, timeOf } from '../../../cluster-model/index.ts';
import { clusterReading, nowOf, type OpenTarget } from '../../../sources/cluster/index.ts';
import type { Allowlists } from '../../access/index.ts';
import { agentName, type CronJob, isEnabled } from '../agent-workloads.ts';
import { nextRun } from './next-run.ts';

/** The parts that decide whether a schedule may be changed. */
export type ScheduleParts = {
  readonly allowlists: Allowlists;
  /** Returns whether the console may change anything in a live target. */
  readonly isWritable: (target: string) => boolean;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/** `GET /api/agent-schedules`: every CronJob that is an agent, and whether this caller may arm and disarm it. */
export async function schedules(
  parts: ScheduleParts,
  target: OpenTarget,
  { caller }: Pick<Call, 'caller'>,
): Promise<RouteAnswer<RouteOf<'fleet.schedules'>>> {
  const { cluster } = target;
  const [cronJobs, fixed] = await Promise.all([
    cluster.list(resources.cronJobs),
    notEditableBecause(parts, target, caller.email),
  ]);
  const agents = cronJobs.items.flatMap((cronJob) => {
    const agent = agentName(cronJob);
    return agent === undefined ? [] : [{ agent, cronJob }];
  });
  const items = await inParallel(agents, reviewsAtOnce, async ({ agent, cronJob }) =>
    scheduleOf(agent, cronJob, fixed ?? (await forbiddenBecause(target, cronJob)), nowOf(cluster, parts.now)),
  );
  return {
    items: items.toSorted((a, b) => a.agent.localeCompare(b.agent) || a.namespace.localeCompare(b.namespace)),
    ...clusterReading(target, [cronJobs]),
  };
}

/** Rights that are asked for at a time. */
const reviewsAtOnce = 4;

/** Returns why the cluster does not let the console change this one, a sentence; undefined when it does, or did not say. */
async function forbiddenBecause(
  { cluster }: OpenTarget,
  { metadata: { name, namespace } }: CronJob,
): Promise<string | undefined> {
  const { group, plural: resource } = resources.cronJobs;
  const allowed = await cluster.may?.({ verb: 'patch', group, resource, namespace, name });
  return allowed === false
    ? `The cluster does not let the console change it: grant its identity there "patch" on ${resource}.${group}${namespace === undefined ? '' : ` in ${namespace}`}.`
    : undefined;
}

/** Returns why this caller may not change schedules there, a sentence; undefined when they may. */
async function notEditableBecause(
  { allowlists, isWritable }: ScheduleParts,
  { id, cluster }: OpenTarget,
  email: string | undefined,
): Promise<string | undefined> {
  if (cluster.source === 'bundle') return bundleIsFixed;
  if (email === undefined) return 'You are not signed in: sign in to arm and disarm agents.';
  if (!(await allowlists.admits('CONSOLE_AGENT_ADMINS', email)))
    return 'You may not arm and disarm agents: it needs membership of CONSOLE_AGENT_ADMINS.';
  return id === undefined || isWritable(id) ? undefined : targetIsReadOnly(id);
}

/** Reason nothing in a bundle can be changed, a sentence. */
export const bundleIsFixed =
  'This is a bundle: it shows a cluster as it was, and nothing in it can be changed.';

/** Returns why a target's agents are not changed, and what would allow it, a sentence. */
export function targetIsReadOnly(target: string | undefined): string {
  return `The target ${target ?? 'of this console'} is read only: name it in CONSOLE_WRITABLE_TARGETS to change its agents from here.`;
}

/** One schedule. `fixed`: why it cannot be changed, a sentence; `now` in epoch ms. */
export function scheduleOf(
  agent: string,
  cronJob: CronJob,
  fixed: string | undefined,
  now: number,
): AgentSchedule {
  const { metadata, spec, status } = cronJob;
  const enabled = isEnabled(cronJob);
  const last = timeOf(status?.lastScheduleTime);
  const next = enabled ? nextRun(spec.schedule, spec.timeZone, now) : undefined;
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    agent,
    schedule: spec.schedule,
    ...(spec.timeZone === undefined ? {} : { time_zone: spec.timeZone }),
    enabled,
    editable: fixed === undefined,
    ...(fixed === undefined ? {} : { not_editable_because: fixed }),
    ...(last === undefined ? {} : { last_run: last }),
    ...(next === undefined ? {} : { next_run: next }),
  };
}
