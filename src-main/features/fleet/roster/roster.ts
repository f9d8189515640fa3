import type { Kysely } from 'kysely';
import type { Workload } from '#shared/api/cluster.ts';
import type { Agent } from '#shared/api/fleet.ts';
import { labels } from '#shared/platform/labels.ts';
import { keyOf, wasRead } from '../../../cluster-model/index.ts';
import { storeTrouble } from '../../../store/index.ts';
import { type AgentHealthRow, type AgentTables, readHealth } from '../../agents/index.ts';
import { podsByJob } from '../../runs/index.ts';
import { agentName, type CronJob, isEnabled, jobsByCronJob } from '../agent-workloads.ts';
import type { RunningRead } from '../running.ts';
import { nextRun } from '../schedules/next-run.ts';
import { type LastRun, lastRunOf, scheduleHealth } from '../schedules/schedule-health.ts';
import { worstOf } from '../worst-verdict.ts';

/** Most reports of health that are joined to the roster: the newest. */
const reportsRead = 1000;

/** The roster: every CronJob and Deployment that is labelled as an agent, by name. `at`: epoch ms. */
export async function readRoster({ listings, judged }: RunningRead, db: Kysely<AgentTables>, at: number) {
  const reports = await lastReports(db);
  const { cronJobs, deployments, jobs, pods, replicaSets } = listings;
  const jobsOf = jobsByCronJob(jobs.items);
  const podsHere = podsByJob(pods.items);
  const rows = new Map(judged.workloads.map(({ row }) => [keyOf(row), row]));
  const items = [
    ...cronJobs.items.flatMap((cronJob) => {
      const name = agentName(cronJob);
      if (name === undefined) return [];
      const lastRun = wasRead(jobs) ? lastRunOf(cronJob, jobsOf(cronJob)[0], podsHere, at) : undefined;
      return [scheduled(name, cronJob, lastRun, wasRead(jobs), at)];
    }),
    ...deployments.items.flatMap(({ metadata }) => {
      const name = agentName({ metadata });
      const row = rows.get(keyOf({ kind: 'Deployment', ...metadata }));
      return name === undefined || row === undefined ? [] : [steady(name, metadata.labels, row)];
    }),
  ];
  return {
    items: items
      .map((agent) => withReport(agent, reports.byAgent.get(agent.name)))
      .toSorted(
        (a, b) => a.name.localeCompare(b.name) || a.workload.namespace.localeCompare(b.workload.namespace),
      ),
    listings: [cronJobs, deployments, jobs, pods, replicaSets],
    unmeasured: reports.unmeasured,
  };
}

/** The newest report of each agent, whichever app it came from. */
async function lastReports(
  db: Kysely<AgentTables>,
): Promise<{ byAgent: ReadonlyMap<string, AgentHealthRow>; unmeasured: readonly string[] }> {
  try {
    const rows = await readHealth(db, reportsRead);
    return { byAgent: new Map(rows.toReversed().map((row) => [row.agent, row])), unmeasured: [] };
  } catch (error) {
    const trouble = storeTrouble(error);
    if (trouble === undefined) throw error;
    return {
      byAgent: new Map(),
      unmeasured: [`What apps reported of their agents was not read. ${trouble}`],
    };
  }
}

function scheduled(
  name: string,
  cronJob: CronJob,
  lastRun: LastRun | undefined,
  jobsRead: boolean,
  now: number,
): Agent {
  const { metadata, spec } = cronJob;
  const enabled = isEnabled(cronJob);
  const next = enabled ? nextRun(spec.schedule, spec.timeZone, now) : undefined;
  return {
    name,
    ...kindOf(metadata.labels),
    workload: { kind: 'CronJob', name: metadata.name, namespace: metadata.namespace ?? '' },
    schedule: spec.schedule,
    ...(spec.timeZone === undefined ? {} : { time_zone: spec.timeZone }),
    enabled,
    ...(lastRun === undefined ? {} : { last_run: lastRun }),
    ...(next === undefined ? {} : { next_run: next }),
    ...(jobsRead
      ? scheduleHealth(cronJob, lastRun)
      : { state: 'not_read', reason: 'its Jobs were not read' }),
  };
}

function steady(name: string, own: Readonly<Record<string, string>>, row: Workload): Agent {
  const { state, reason, desired = 0 } = row;
  return {
    name,
    ...kindOf(own),
    workload: { kind: 'Deployment', name: row.name, namespace: row.namespace },
    enabled: desired > 0,
    state,
    ...(reason === undefined ? {} : { reason }),
  };
}

function kindOf(own: Readonly<Record<string, string>>): Pick<Agent, 'agent_kind'> {
  const kind = own[labels.agentKind];
  return kind === undefined || kind === '' ? {} : { agent_kind: kind };
}

/** Applies an app's report to its agent; the report counts until a later run contradicts it. */
function withReport(agent: Agent, report: AgentHealthRow | undefined): Agent {
  if (report === undefined) return agent;
  const reported = {
    app: report.app,
    state: report.state,
    at: new Date(report.received_at).toISOString(),
  };
  const { state, reason } = agent;
  const outdated = agent.last_run !== undefined && agent.last_run.started > reported.at;
  const grave = report.state === 'failing' || report.state === 'degraded';
  if (!grave || outdated || !agent.enabled) return { ...agent, reported };
  const why = `${report.app} reports it as ${report.state}${report.detail === null ? '' : `: ${report.detail}`}`;
  const worst = worstOf([
    { state, ...(reason === undefined ? {} : { reason }) },
    { state: report.state, reason: why },
  ]);
  return { ...agent, ...worst, reported };
}
