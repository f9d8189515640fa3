import type { BackendLog } from '../../backends/serving/index.ts';
import { errorMessage } from '../../base/error-message.ts';
import { type KubeObject, type MemoryWorld, rfc3339, type WorldChange } from '../../kube-api/index.ts';
import { sameValue } from '../../kube-api/object-fields.ts';
import { type Backends, isBackend } from './backends.ts';
import type { EstateContext } from './context.ts';
import type { Estate } from './estate.ts';
import { eventOf } from './events.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { applyResource, resourceOf, tellResource } from './operator.ts';
import { rollOut } from './rollouts.ts';
import type { WorkloadSeed } from './seed-schema.ts';
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
 * Makes the workloads that are backends of this repository follow what somebody writes through the API: a custom resource is written
 * into its Deployment, a changed Deployment is rolled out, and a pod runs its backend with the environment of its container.
 */
export function startControllers(options: ControllerOptions): Controllers {
  const { world, context, now, log } = options;
  const workloads = context.seed.workloads.filter(
    (workload) => workload.kind === 'Deployment' && isBackend(workload),
  );
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
    kubelet.run(workload, pod).catch((error: unknown) => complain(workload, error));
  const follow = (workload: WorkloadSeed): void =>
    queue(workload, async () => {
      const rolled = await rollOut({ world, context, run, stop: kubelet.stop, now }, workload);
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

  /** Somebody else removed it. */
  const forget = async ({ metadata: { name, namespace = '' } }: KubeObject): Promise<void> => {
    await kubelet.stop(namespace, name);
    await world.write.remove(kindNamed(world, 'PodMetrics'), name, namespace);
  };

  const end = world.write.subscribe((change) => {
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
      await kubelet.close();
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
    (kind.kind === 'Deployment' && name === workload.name) ||
    (kind.kind === resource?.kind && name === resource.name);
  return named && type === 'MODIFIED' && !sameValue(previous?.spec, object.spec);
}

const isPodOf = ({ name }: WorkloadSeed, { metadata }: KubeObject): boolean => metadata.labels?.app === name;
