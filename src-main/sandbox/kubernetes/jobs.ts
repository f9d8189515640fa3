import { type KubeObject, type MemoryWorld, rfc3339 } from '../../kube-api/index.ts';
import { listAt, objectAt, textAt, valueAt } from '../../kube-api/object-fields.ts';
import { pause } from './container-probes.ts';
import { suffix } from './context.ts';
import { kindNamed } from './world-kinds.ts';

/** Time a Job of the sandbox runs, in ms. */
const runsFor = 4000;

/** Runs Jobs that somebody makes: one pod each, which writes two lines and completes. Returns how to stop. */
export function startJobs(world: MemoryWorld, now: () => number): () => void {
  const ending = new AbortController();
  const end = world.write.subscribe(({ type, kind, object }) => {
    // A Job of the seed, or of what happens by itself, comes with its status.
    if (kind.kind !== 'Job' || type === 'DELETED' || object.status !== undefined) return;
    if (valueAt(object, 'spec', 'suspend') === true) return;
    void run(world, object, now, ending.signal);
  });
  return () => {
    ending.abort();
    end();
  };
}

async function run(
  world: MemoryWorld,
  job: KubeObject,
  now: () => number,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace = '', uid } = job.metadata;
  const startTime = rfc3339(now());
  const template = objectAt(job, 'spec', 'template');
  const [container] = listAt(template, 'spec', 'containers');
  const jobs = kindNamed(world, 'Job');
  const started = await world.write.replace(jobs, { ...job, status: { active: 1, startTime } });
  const status = (phase: 'Running' | 'Succeeded') => ({
    phase,
    startTime,
    podIP: '10.42.9.10',
    conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: startTime }],
    containerStatuses: [
      {
        name: container?.name,
        image: container?.image,
        imageID: '',
        ready: phase === 'Running',
        started: phase === 'Running',
        restartCount: 0,
        lastState: {},
        state:
          phase === 'Running'
            ? { running: { startedAt: startTime } }
            : {
                terminated: {
                  reason: 'Completed',
                  exitCode: 0,
                  startedAt: startTime,
                  finishedAt: rfc3339(now()),
                },
              },
      },
    ],
  });
  const pod = await world.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${name}-${suffix(5, name, uid ?? '')}`,
      namespace,
      labels: { ...objectAt(template, 'metadata', 'labels'), 'batch.kubernetes.io/job-name': name },
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name, uid, controller: true }],
    },
    spec: { ...objectAt(template, 'spec'), nodeName: 'worker-1' },
    status: status('Running'),
  });
  const log = `${namespace}/${pod.metadata.name}/${textAt(container, 'name')}`;
  world.containerLogs.append(log, `${name}: started by hand\n`);
  await pause(runsFor, signal);
  if (signal.aborted || (await world.get(jobs, name, namespace))?.metadata.uid !== started.metadata.uid)
    return;
  world.containerLogs.append(log, `${name}: done\n`);
  const completionTime = rfc3339(now());
  await world.put({ ...pod, status: status('Succeeded') });
  await world.write.replace(jobs, {
    ...started,
    status: {
      succeeded: 1,
      startTime,
      completionTime,
      conditions: [
        {
          type: 'Complete',
          status: 'True',
          reason: 'CompletionsReached',
          message: 'Reached expected number of succeeded pods',
          lastProbeTime: completionTime,
          lastTransitionTime: completionTime,
        },
      ],
    },
  });
}
