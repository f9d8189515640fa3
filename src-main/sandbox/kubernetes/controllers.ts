import type { BackendLog } from '../../backends/serving/index.ts';
import { errorMessage } from '../../base/error-message.ts';
import { type KubeObject, type MemoryWorld, rfc3339, type WorldChange } from '../../kube-api/index.ts';
import { objectAt, sameValue } from '../../kube-api/object-fields.ts';
import { type Backends, isBackend } from './backends.ts';
import { startBudgets } from './budgets.ts';
import type { EstateContext } from './context.ts';
import type { Estate } from './estate.ts';
import { eventOf } from './events.ts';
import { startJobs } from './jobs.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { applyResource, resourceOf, tellResource } from './operator.ts';
import { startPlainKubelet } from './plain-kubelet.ts';
import { rollOut } from './rollouts.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { rollOutSet } from './set-rollouts.ts';
import { kindNamed } from './world-kinds.ts';

export type ControllerOptions = {
  readonly world: MemoryWorld;
  readonly context: EstateContext;
  readonly made: Estate;
  readonly backends: Pick<Backends, 'open'>;
  /** Epoch ms. */
  readonly now: () => number;
  /** True when nothing that ended is started again. */
  readonly still: boolean;
  /** Log of the sandbox itself. */
  readonly log: BackendLog;
};

export type Controllers = Pick<Kubelet, 'endpointOf'> & {
  /** Once what the seed says does not start was tried. */
  readonly settled: Promise<void>;
  close(): Promise<void>;
};

/**
 * Makes workloads follow what somebody writes through the API: a custom resource is written into its Deployment, a changed workload is
 * rolled out, and a pod of a backend of this repository runs it with the environment of its container.
 */
export function startControllers(options: ControllerOptions): Controllers {
  const { world, context, now, log } = options;
  const { workloads } = context.seed;
  const queues = new Map<WorkloadSeed, Promise<void>>();
  let closed = false;

  /** One thing at a time of a workload, in order. */
  const queue = (workload: WorkloadSeed, work: () => Promise<void>): void => {
    const next = (queues.get(workload) ?? Promise.resolve())
      .then(() => (closed ? undefined : work()))
      .catch((error: unknown) => complain(workload, error));
    queues.set(workload, next);
  };
  const complain = ({ name, namespace }: WorkloadSeed, error: unknown): void => {
    const reason = errorMessage(error);
    log.warn({ reason }, `the sandbox did not follow what is wanted of ${name} in ${namespace}`);
  };
  const run: Kubelet['run'] = (workload, pod) =>
    (isRun(workload) ? kubelet : plain)
      .run(workload, pod)
      .catch((error: unknown) => complain(workload, error));
  const follow = (workload: WorkloadSeed): void =>
    queue(workload, async () => {
      const options = { world, context, run, stop: kubelet.stop, now };
      if (workload.kind !== 'Deployment') return rollOutSet(options, workload);
      const rolled = await rollOut(options, workload);
      if (rolled !== undefined) await tellResource(world, workload, { ...rolled, at: rfc3339(now()) });
    });
  const kubelet = startKubelet({
    world,
    backends: options.backends,
    now,
    still: options.still,
    onReady: follow,
    async tell(pod, { reason, message, count }) {
      const event = { type: 'Warning', component: 'kubelet', last: context.start - now() } as const;
      await world.put(eventOf(context, pod, { ...event, reason, message, count }));
    },
  });

  const plain = startPlainKubelet({ world, context, now, onReady: follow, still: options.still });
  const stopJobs = startJobs(world, now);
  const stopBudgets = startBudgets(world);

  /** A node takes pods again: those that none took find one. */
  const retryWaiting = async (): Promise<void> => {
    const pods = await world.list(kindNamed(world, 'Pod'));
    const waiting = pods.filter((pod) => objectAt(pod, 'spec').nodeName === undefined);
    for (const workload of workloads)
      if (
        workload.problem?.kind !== 'unschedulable' &&
        waiting.some((pod) => pod.metadata.namespace === workload.namespace && isPodOf(workload, pod))
      )
        follow(workload);
  };

  /** Somebody else removed it. */
  const forget = async ({ metadata: { name, namespace = '' } }: KubeObject): Promise<void> => {
    await kubelet.stop(namespace, name);
    await world.write.remove(kindNamed(world, 'PodMetrics'), name, namespace);
  };

  const end = world.write.subscribe((change) => {
    if (change.kind.kind === 'Node' && !sameValue(change.previous?.spec, change.object.spec))
      void retryWaiting();
    const workload = workloads.find((each) => concerns(each, change));
    if (workload === undefined) return;
    const { object } = change;
    if (object.kind === 'Pod') queue(workload, () => forget(object));
    if (change.kind.kind === resourceOf(workload)?.kind)
      queue(workload, () => applyResource(world, workload, object));
    follow(workload);
  });
  const broken = options.made.workloads.filter(({ workload }) => workload.problem?.kind === 'does_not_start');
  const tried = broken.flatMap(({ workload, pods }) => pods.map((pod) => run(workload, pod)));
  return {
    endpointOf: kubelet.endpointOf,
    settled: Promise.all(tried).then(() => undefined),
    async close() {
      closed = true;
      end();
      stopJobs();
      stopBudgets();
      await Promise.all([kubelet.close(), plain.close()]);
      await Promise.all(queues.values());
    },
  };
}

/** Returns whether a change asks for something of a workload: what is wanted of it, or one of its pods that is gone. */
function concerns(workload: WorkloadSeed, { type, kind, object, previous }: WorldChange): boolean {
  const { name, namespace } = object.metadata;
  if (namespace !== workload.namespace) return false;
  if (kind.kind === 'Pod') return type === 'DELETED' && isPodOf(workload, object);
  const resource = resourceOf(workload);
  const named =
    (kind.kind === workload.kind && kind.group === 'apps' && name === workload.name) ||
    (kind.kind === resource?.kind && name === resource.name);
  return named && type === 'MODIFIED' && !sameValue(previous?.spec, object.spec);
}

/** Whether its pods run a program of this repository. */
const isRun = (workload: WorkloadSeed): boolean => workload.kind === 'Deployment' && isBackend(workload);

const isPodOf = ({ name }: WorkloadSeed, { metadata }: KubeObject): boolean => metadata.labels?.app === name;
