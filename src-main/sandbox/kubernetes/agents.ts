import { annotations, labels } from '#shared/platform/labels.ts';
import type { KubeObject } from '../../kube-api/index.ts';
import { ago, type EstateContext, logText, type Made, suffix } from './context.ts';
import { uidOf } from './pods.ts';
import type { AgentSeed } from './seed-schema.ts';

/** Namespace of the agents. */
export const agentNamespace = 'agents';

/** The state of an agent's run. */
export type RunState = 'running' | 'complete' | 'failed';

/** An agent: its CronJob, the Jobs of its last runs and their pods. */
export function agentObjects(context: EstateContext, agent: AgentSeed): Made {
  const period = periodOf(agent.schedule);
  // The newest run began when the schedule last said so.
  const sinceLast = period === undefined ? 3 * 86_400_000 : (context.start % period) + 30_000;
  const runs = agent.runs.map((state, index) =>
    runObjects(context, agent, { state, began: sinceLast + index * (period ?? 7 * 86_400_000) }),
  );
  return {
    objects: [cronJob(context, agent, sinceLast), ...runs.flatMap(({ objects }) => objects)],
    logs: Object.assign({}, ...runs.map(({ logs }) => logs)),
  };
}

/** Between two runs, in ms; undefined for a schedule by day of the week. */
function periodOf(schedule: string): number | undefined {
  const minutes = /^\*\/(\d+) \* \* \* \*$/.exec(schedule)?.[1];
  if (minutes !== undefined) return Number(minutes) * 60_000;
  if (schedule === '* * * * *') return 60_000;
  if (/^\d+ \* \* \* \*$/.test(schedule)) return 3_600_000;
  const hours = /^0 \*\/(\d+) \* \* \*$/.exec(schedule)?.[1];
  return hours === undefined ? undefined : Number(hours) * 3_600_000;
}

function cronJob(context: EstateContext, agent: AgentSeed, sinceLast: number): KubeObject {
  const { name, schedule, suspended } = agent;
  const good = agent.runs.indexOf('complete');
  const period = periodOf(schedule) ?? 7 * 86_400_000;
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: {
      name,
      namespace: agentNamespace,
      uid: uidOf({ kind: 'CronJob', name }, agentNamespace),
      creationTimestamp: ago(context, 60 * 86_400_000),
      labels: agentLabels(agent),
      ...(agent.repository === undefined
        ? {}
        : { annotations: { [annotations.repository]: agent.repository } }),
    },
    spec: {
      schedule,
      suspend: suspended,
      concurrencyPolicy: 'Forbid',
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          template: { metadata: { labels: agentLabels(agent) }, spec: podSpec(context, agent) },
        },
      },
    },
    status: {
      lastScheduleTime: ago(context, sinceLast),
      ...(good === -1 ? {} : { lastSuccessfulTime: ago(context, sinceLast + good * period - agent.took) }),
    },
  };
}

function agentLabels({ agent, kind, name }: AgentSeed): Record<string, string> {
  return { app: name, [labels.agent]: agent, [labels.agentKind]: kind };
}

function podSpec(context: EstateContext, { name, image }: AgentSeed) {
  return {
    restartPolicy: 'Never',
    serviceAccountName: 'agents',
    containers: [
      {
        name,
        image: context.image(image, 0),
        args: ['agent', name],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
      },
    ],
  };
}

/** A run of an agent: its Job and its pod, so long before the start. */
export function runObjects(
  context: EstateContext,
  agent: AgentSeed,
  { state, began }: { readonly state: RunState; readonly began: number },
): Made {
  const { name, took } = agent;
  const jobName = `${name}-${Math.floor((context.start - began) / 60_000)}`;
  const podName = `${jobName}-${suffix(5, jobName)}`;
  const startTime = ago(context, began);
  const finishedAt = ago(context, began - took);
  const labelled = { ...agentLabels(agent), 'batch.kubernetes.io/job-name': jobName };
  const exitCode = state === 'failed' ? 1 : 0;
  const lines = state === 'failed' ? (agent.log ?? []) : [`${name}: started`, `${name}: nothing to report`];
  const container = podSpec(context, agent).containers[0];
  const controlledBy = (kind: string, owner: string) => [
    {
      apiVersion: 'batch/v1',
      kind,
      name: owner,
      uid: uidOf({ kind, name: owner }, agentNamespace),
      controller: true,
    },
  ];
  return {
    objects: [
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: {
          name: jobName,
          namespace: agentNamespace,
          uid: uidOf({ kind: 'Job', name: jobName }, agentNamespace),
          creationTimestamp: startTime,
          labels: labelled,
          ownerReferences: controlledBy('CronJob', name),
        },
        spec: {
          parallelism: 1,
          completions: 1,
          backoffLimit: 0,
          template: { metadata: { labels: labelled }, spec: podSpec(context, agent) },
        },
        status: jobStatus(state, startTime, finishedAt),
      },
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: podName,
          namespace: agentNamespace,
          creationTimestamp: startTime,
          labels: labelled,
          ownerReferences: controlledBy('Job', jobName),
        },
        spec: { ...podSpec(context, agent), nodeName: 'worker-1' },
        status: {
          phase: state === 'running' ? 'Running' : state === 'failed' ? 'Failed' : 'Succeeded',
          startTime,
          podIP: '10.42.9.9',
          conditions: [
            { type: 'PodScheduled', status: 'True', lastTransitionTime: startTime },
            { type: 'Ready', status: state === 'running' ? 'True' : 'False', lastTransitionTime: startTime },
          ],
          containerStatuses: [
            {
              name,
              image: container?.image ?? '',
              imageID: '',
              ready: state === 'running',
              started: state === 'running',
              restartCount: 0,
              state:
                state === 'running'
                  ? { running: { startedAt: startTime } }
                  : {
                      terminated: {
                        reason: state === 'failed' ? 'Error' : 'Completed',
                        exitCode,
                        startedAt: startTime,
                        finishedAt,
                      },
                    },
              lastState: {},
            },
          ],
        },
      },
    ],
    logs: {
      [`${agentNamespace}/${podName}/${name}`]: logText(context, lines, {
        ended: state === 'running' ? began : began - took,
      }),
    },
  };
}

function jobStatus(state: RunState, startTime: string, finishedAt: string): object {
  if (state === 'running') return { active: 1, startTime };
  const condition = (type: string, reason: string, message: string) => ({
    conditions: [
      { type, status: 'True', reason, message, lastProbeTime: finishedAt, lastTransitionTime: finishedAt },
    ],
  });
  return state === 'failed'
    ? {
        failed: 1,
        startTime,
        ...condition('Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'),
      }
    : {
        succeeded: 1,
        startTime,
        completionTime: finishedAt,
        ...condition('Complete', 'CompletionsReached', 'Reached expected number of succeeded pods'),
      };
}
