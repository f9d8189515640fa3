import { type KubeObject, type MemoryWorld, rfc3339 } from '../../kube-api/index.ts';
import { agentNamespace, runObjects } from './agents.ts';
import type { EstateContext } from './context.ts';
import type { Estate, MadeWorkload } from './estate.ts';
import { podMetrics } from './measures.ts';
import type { AgentSeed } from './seed-schema.ts';

/** Between two things that happen, in ms. */
const beat = 15_000;
/** Finished runs that are kept of an agent that runs all the time, as its CronJob's history limit. */
const keptRuns = 3;

/**
 * Lets the sandbox live: an agent runs every minute, a failing container restarts, measured use changes, logs grow.
 * `now` in epoch ms. Returns how to stop it.
 */
export function startActivity(
  world: MemoryWorld,
  context: EstateContext,
  { workloads }: Estate,
  now: () => number,
): () => void {
  const pulse = context.seed.agents.find(({ schedule }) => schedule === '* * * * *');
  let beats = 0;
  const timer = setInterval(() => {
    beats += 1;
    void Promise.all([
      ...(pulse === undefined ? [] : [runAgent(world, { ...context, start: now() }, pulse, beats)]),
      ...(beats % 4 === 0 ? [restart(world, workloads, now())] : []),
      measure(world, context, workloads, beats),
    ]);
    talk(world, workloads, beats);
  }, beat);
  timer.unref();
  return () => clearInterval(timer);
}

/** A run begins every fourth beat, and ends with the next one. */
async function runAgent(
  world: MemoryWorld,
  context: EstateContext,
  agent: AgentSeed,
  beats: number,
): Promise<void> {
  if (beats % 4 > 1) return;
  const began = beats % 4 === 0 ? 0 : beat;
  const { objects, logs } = runObjects(context, agent, {
    state: began === 0 ? 'running' : 'complete',
    began,
  });
  for (const object of objects) await world.put(object);
  for (const [container, text] of Object.entries(logs)) world.containerLogs.append(container, text);
  await scheduled(world, agent, context.start - began);
  if (began > 0) await forgetOldRuns(world, agent);
}

/** The CronJob says when it last began a run. */
async function scheduled(world: MemoryWorld, { name }: AgentSeed, at: number): Promise<void> {
  const cronJob = await world.get(kindOf(world, 'CronJob'), name, agentNamespace);
  if (cronJob === undefined || typeof cronJob.status !== 'object') return;
  await world.put({ ...cronJob, status: { ...cronJob.status, lastScheduleTime: rfc3339(at) } });
}

async function forgetOldRuns(world: MemoryWorld, { name }: AgentSeed): Promise<void> {
  const jobs = kindOf(world, 'Job');
  const pods = kindOf(world, 'Pod');
  const own = (await world.list(jobs, agentNamespace)).filter(
    ({ metadata }) => metadata.labels?.app === name,
  );
  const oldest = own
    .toSorted((a, b) =>
      String(a.metadata.creationTimestamp).localeCompare(String(b.metadata.creationTimestamp)),
    )
    .slice(0, -keptRuns);
  for (const { metadata } of oldest) {
    for (const pod of await world.list(pods, agentNamespace))
      if (pod.metadata.labels?.['batch.kubernetes.io/job-name'] === metadata.name)
        await world.write.remove(pods, pod.metadata.name, agentNamespace);
    await world.write.remove(jobs, metadata.name, agentNamespace);
  }
}

function kindOf(world: MemoryWorld, name: string) {
  const found = world.kinds().find(({ kind, group }) => kind === name && group !== 'metrics.k8s.io');
  if (found === undefined) throw new Error(`the sandbox does not serve ${name}`);
  return found;
}

/** The container that fails at its start fails once more. */
async function restart(world: MemoryWorld, workloads: readonly MadeWorkload[], now: number): Promise<void> {
  for (const { workload, pods } of workloads) {
    if (workload.problem?.kind !== 'crash_loop') continue;
    for (const { metadata } of pods) {
      const pod = await world.get(kindOf(world, 'Pod'), metadata.name, metadata.namespace);
      if (pod !== undefined) await world.put(restarted(pod, now));
    }
  }
}

function restarted(pod: KubeObject, now: number): KubeObject {
  const [status] = containerStatuses(pod);
  if (status === undefined || typeof pod.status !== 'object') return pod;
  const count = typeof status.restartCount === 'number' ? status.restartCount : 0;
  return {
    ...pod,
    status: {
      ...pod.status,
      containerStatuses: [
        {
          ...status,
          restartCount: count + 1,
          lastState: {
            terminated: {
              reason: 'Error',
              exitCode: 1,
              startedAt: rfc3339(now - 9000),
              finishedAt: rfc3339(now - 1000),
            },
          },
        },
      ],
    },
  };
}

function containerStatuses({ status }: KubeObject): readonly Readonly<Record<string, unknown>>[] {
  return typeof status === 'object' &&
    status !== null &&
    'containerStatuses' in status &&
    Array.isArray(status.containerStatuses)
    ? status.containerStatuses
    : [];
}

async function measure(
  world: MemoryWorld,
  context: EstateContext,
  workloads: readonly MadeWorkload[],
  beats: number,
): Promise<void> {
  const metrics = kindOfMetrics(world);
  if (metrics === undefined) return;
  for (const { workload, pods } of workloads)
    for (const pod of pods)
      if ((await world.get(metrics, pod.metadata.name, pod.metadata.namespace)) !== undefined)
        await world.put(podMetrics(context, workload, pod, beats));
}

function kindOfMetrics(world: MemoryWorld) {
  return world.kinds().find(({ kind }) => kind === 'PodMetrics');
}

/** A line more from whoever serves something. */
function talk(world: MemoryWorld, workloads: readonly MadeWorkload[], beats: number): void {
  for (const { workload, pods } of workloads) {
    if (workload.port === undefined || workload.problem !== undefined) continue;
    const pod = pods[beats % Math.max(pods.length, 1)];
    if (pod !== undefined)
      world.containerLogs.append(
        `${workload.namespace}/${pod.metadata.name}/${workload.name}`,
        `level=info msg="served" requests=${100 + beats * 7}\n`,
      );
  }
}
