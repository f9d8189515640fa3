import type { Serving } from '../../backends/serving/index.ts';
import { errorMessage } from '../../base/error-message.ts';
import { type KubeObject, type MemoryWorld, rfc3339 } from '../../kube-api/index.ts';
import { type JsonObject, listAt, numberAt } from '../../kube-api/object-fields.ts';
import type { Endpoint } from '../listening.ts';
import type { Backends } from './backends.ts';
import { containerLog } from './container-log.ts';
import { pause, probesPass } from './container-probes.ts';
import { literalEnv, withContainer } from './container-states.ts';
import type { WorkloadSeed } from './seed-schema.ts';
import { kindNamed } from './world-kinds.ts';

/** Runs the backends of pods as a node does: starts them, asks their probes, and starts again what ended. */
export type Kubelet = {
  /** Starts the container of a pod; resolves when it is ready, or when it first waits to be started again. */
  run(workload: WorkloadSeed, pod: KubeObject): Promise<void>;
  /** Ends what runs in a pod; nothing for one that it does not run. */
  stop(namespace: string, pod: string): Promise<void>;
  /**
   * Returns the address of a pod's backend; undefined for one that it does not run, and for one that is not
   * up.
   */
  endpointOf(namespace: string, pod: string): Endpoint | undefined;
  close(): Promise<void>;
};

export type KubeletOptions = {
  readonly world: MemoryWorld;
  readonly backends: Pick<Backends, 'open'>;
  /** Epoch ms. */
  readonly now: () => number;
  /** Makes an Event of a pod; `count` is how often it happened. */
  readonly tell: (pod: KubeObject, event: PodEvent) => Promise<void>;
  /** Called when a pod became ready. */
  readonly onReady: (workload: WorkloadSeed) => void;
  /** Does not start again what ended. */
  readonly still: boolean;
};

export type PodEvent = { readonly reason: string; readonly message: string; readonly count: number };

type Run = {
  readonly workload: WorkloadSeed;
  readonly namespace: string;
  readonly pod: string;
  /** As the pod's spec has it. */
  readonly container: JsonObject | undefined;
  /** Before it was run here. */
  readonly restarts: number;
  readonly ending: AbortController;
  /** Its newest start. */
  opening: Promise<Serving> | undefined;
  serving: Serving | undefined;
};

/** The outcome of a start. */
type Ended = { readonly startedAt: string; readonly log: readonly string[] };

/** A container that ended is started again after 10 s, twice as long each time, 5 min at most (kubelet, MaxContainerBackOff). */
const firstWait = 10_000;
const longestWait = 300_000;

export function startKubelet(options: KubeletOptions): Kubelet {
  const { world, backends, now } = options;
  const runs = new Map<string, Run>();

  const podOf = ({ namespace, pod }: Run): Promise<KubeObject | undefined> =>
    world.get(kindNamed(world, 'Pod'), pod, namespace);
  const set = async (run: Run, change: JsonObject): Promise<void> => {
    const pod = await podOf(run);
    if (pod !== undefined && !run.ending.signal.aborted)
      await world.put(withContainer(pod, change, rfc3339(now())));
  };

  /** Undefined when it serves. */
  const begin = async (run: Run): Promise<Ended | undefined> => {
    const { workload, container, ending } = run;
    const startedAt = rfc3339(now());
    await set(run, { state: { running: { startedAt } }, started: false, ready: false });
    if (ending.signal.aborted) return undefined;
    const written: string[] = [];
    const log = containerLog((text) => {
      written.push(text);
      world.containerLogs.append(logKey(run), text);
    });
    try {
      run.opening = backends.open(workload, { env: literalEnv(container), log, began: now() });
      run.serving = await run.opening;
    } catch (error) {
      // The last line of its log, in the words of the refusal, as its program writes it (commands/run-backend.ts).
      log.error({}, errorMessage(error));
      return { startedAt, log: written };
    }
    return undefined;
  };

  const becomeReady = async (run: Run, { url }: Serving): Promise<void> => {
    const { container, ending, workload } = run;
    const onStarted = (): Promise<void> => set(run, { started: true });
    // What serves is not taken out again: what the sandbox shows of that stands in its seed.
    if (!(await probesPass(container, { url, signal: ending.signal, onStarted }))) return;
    await set(run, { ready: true });
    options.onReady(workload);
  };

  const waitAgain = async (run: Run, wait: number, lastState: JsonObject, count: number): Promise<void> => {
    await set(run, { state: backOff(run, wait), lastState, started: false, restartCount: count });
    const pod = await podOf(run);
    if (pod === undefined) return;
    await options.tell(pod, {
      reason: 'BackOff',
      message: `Back-off restarting failed container ${run.workload.name} in pod ${run.pod}_${run.namespace}`,
      count: Math.max(count, 1),
    });
  };

  const live = async (run: Run, settled: () => void): Promise<void> => {
    const { signal } = run.ending;
    for (let { restarts } = run; !signal.aborted; restarts++) {
      const ended = await begin(run);
      if (signal.aborted) return;
      if (ended === undefined) {
        if (run.serving !== undefined) await becomeReady(run, run.serving);
        return;
      }
      const { startedAt, log } = ended;
      const state = { terminated: { reason: 'Error', exitCode: 1, startedAt, finishedAt: rfc3339(now()) } };
      world.containerLogs.append(`${logKey(run)}/previous`, log.join(''));
      if (restarts === 0) {
        // The first time it is started again at once.
        await set(run, { state, lastState: {} });
        await set(run, { lastState: state, restartCount: 1 });
        continue;
      }
      const wait = Math.min(firstWait * 2 ** Math.min(restarts - 1, 10), longestWait);
      await waitAgain(run, wait, state, restarts);
      settled();
      if (options.still) return;
      await pause(wait, signal);
    }
  };

  const stop = async (key: string): Promise<void> => {
    const run = runs.get(key);
    runs.delete(key);
    run?.ending.abort();
    // Also one that is only being opened: nothing of it may come about after this.
    await run?.opening?.then(
      (serving) => serving.close(),
      () => undefined,
    );
  };

  return {
    run(workload, pod) {
      const { name, namespace = '' } = pod.metadata;
      const [container] = listAt(pod, 'spec', 'containers');
      const run: Run = {
        workload,
        namespace,
        pod: name,
        container,
        restarts: numberAt(listAt(pod, 'status', 'containerStatuses')[0], 'restartCount'),
        ending: new AbortController(),
        opening: undefined,
        serving: undefined,
      };
      runs.set(`${namespace}/${name}`, run);
      return new Promise((resolve, reject) => {
        live(run, resolve).then(resolve, reject);
      });
    },
    stop: (namespace, pod) => stop(`${namespace}/${pod}`),
    endpointOf(namespace, pod) {
      const port = runs.get(`${namespace}/${pod}`)?.serving?.port;
      return port === undefined ? undefined : { host: '127.0.0.1', port };
    },
    async close() {
      await Promise.all([...runs.keys()].map(stop));
    },
  };
}

const logKey = ({ namespace, pod, workload }: Run): string => `${namespace}/${pod}/${workload.name}`;

/** As the kubelet words it (pkg/kubelet/kuberuntime, doBackOff), its times as Go prints them. */
function backOff({ namespace, pod, workload }: Run, wait: number): JsonObject {
  const [minutes, seconds] = [Math.floor(wait / 60_000), (wait % 60_000) / 1000];
  const duration = minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
  return {
    waiting: {
      reason: 'CrashLoopBackOff',
      message: `back-off ${duration} restarting failed container=${workload.name} pod=${pod}_${namespace}`,
    },
  };
}
