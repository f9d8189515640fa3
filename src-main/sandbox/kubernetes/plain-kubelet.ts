import { type KubeObject, type MemoryWorld, rfc3339 } from '../../kube-api/index.ts';
import { type JsonObject, listAt, objectAt, textAt } from '../../kube-api/object-fields.ts';
import { pause } from './container-probes.ts';
import { withContainer } from './container-states.ts';
import { type EstateContext, imageOf, quantity } from './context.ts';
import type { Kubelet } from './kubelet.ts';
import { podObject } from './pods.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { kindNamed } from './world-kinds.ts';

/** Time a container takes to start, in ms. */
const startsWithin = 1200;

export type PlainKubeletOptions = {
  readonly world: MemoryWorld;
  readonly context: EstateContext;
  /** Epoch ms. */
  readonly now: () => number;
  readonly onReady: (workload: WorkloadSeed) => void;
  /** Starts everything at once. */
  readonly still: boolean;
};

/** Plays a node for pods without a program of this repository: they run, or fail the way the seed says while its cause is there. */
export function startPlainKubelet({
  world,
  context,
  now,
  onReady,
  still,
}: PlainKubeletOptions): Pick<Kubelet, 'run' | 'close'> {
  const ending = new AbortController();
  return {
    async run(workload, { metadata: { name, namespace = '', uid } }) {
      if (!still) await pause(startsWithin, ending.signal);
      const pod = await world.get(kindNamed(world, 'Pod'), name, namespace);
      if (ending.signal.aborted || pod === undefined || pod.metadata.uid !== uid) return;
      if (textAt(objectAt(pod, 'spec'), 'nodeName') === '') return;
      const problem = problemOf(context, workload, pod);
      const at = rfc3339(now());
      if (problem === undefined) {
        await world.put(
          withContainer(pod, { state: { running: { startedAt: at } }, started: true, ready: true }, at),
        );
        world.containerLogs.append(
          `${namespace}/${name}/${workload.name}`,
          `level=info msg="started" service=${workload.name}\n`,
        );
      } else
        await world.put({ ...pod, status: failing({ ...context, start: now() }, workload, pod, problem) });
      onReady(workload);
    },
    async close() {
      ending.abort();
    },
  };
}

/** What is wrong with a pod of a template: what the seed says, unless somebody put its cause right. */
function problemOf(context: EstateContext, workload: WorkloadSeed, pod: KubeObject): WorkloadSeed['problem'] {
  const { problem, secret } = workload;
  const [container] = listAt(pod, 'spec', 'containers');
  switch (problem?.kind) {
    case 'crash_loop': {
      const variable = listAt(container, 'env').find(({ name }) => name === secret?.variable);
      return textAt(variable, 'value') === '' ? problem : undefined;
    }
    case 'image_pull':
    case 'rollout_stuck':
      return textAt(container, 'image') === imageOf(context, workload) ? problem : undefined;
    case 'unschedulable':
      return quantity(textAt(container, 'resources', 'requests', 'cpu') || '0') >= quantity(workload.cpu)
        ? problem
        : undefined;
    default:
      // Memory runs out later, and a backend that does not start is run by its program.
      return undefined;
  }
}

function failing(
  context: EstateContext,
  workload: WorkloadSeed,
  pod: KubeObject,
  problem: WorkloadSeed['problem'],
): JsonObject {
  const [owner] = listAt(pod, 'metadata', 'ownerReferences');
  const made = podObject(context, workload, {
    name: pod.metadata.name,
    owner: {
      kind: textAt(owner, 'kind'),
      name: textAt(owner, 'name'),
      apiVersion: textAt(owner, 'apiVersion'),
    },
    node: textAt(objectAt(pod, 'spec'), 'nodeName'),
    ip: textAt(objectAt(pod, 'status'), 'podIP'),
    problem,
    age: 1000,
  });
  return objectAt(made, 'status');
}
