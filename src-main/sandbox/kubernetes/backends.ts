import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BackendLog, Serving } from '../../backends/serving/index.ts';
import { errorMessage } from '../../base/error-message.ts';
import { isProcessEnding } from '../../base/process-end.ts';
import type { Endpoint } from '../listening.ts';
import { openCampaign, openCockpit, type Start } from './backend-processes.ts';
import { type Door, openDoor } from './door.ts';
import type { MeshCa } from './mesh-cas.ts';
import type { WorkloadSeed } from './seed-schema.ts';

/** The backends of this repository behind the sandbox's pods. */
export type Backends = {
  /**
   * Returns the address of a workload's backend; undefined for one without a backend, and for one that could
   * not be started.
   */
  endpointOf(workload: WorkloadSeed): Endpoint | undefined;
  /** Starts the backend of a workload once more, for a pod of its own. Throws `StartupRefused` as the backend does. */
  open(workload: WorkloadSeed, start: Start): Promise<Serving>;
  close(): Promise<void>;
};

export type BackendsOptions = {
  readonly workloads: readonly WorkloadSeed[];
  readonly meshCas: ReadonlyMap<string, MeshCa>;
  /** Address of the models. */
  readonly inference: Endpoint;
  /** Epoch ms: when the sandbox started, and the time. */
  readonly start: number;
  readonly now: () => number;
  /** Variables that a workload's pods have from the start. */
  readonly envOf: (workload: WorkloadSeed) => Start['env'];
  /** Returns the log of a workload's backend. */
  readonly logOf: (workload: WorkloadSeed) => BackendLog;
  /** Log of the sandbox itself. */
  readonly log: BackendLog;
};

/**
 * Opens a port for each workload that the seed says is one of the backends, and that serves. The backend behind it starts at the first connection, as most
 * who start a sandbox never ask it; what it keeps is in a folder that goes at the end.
 */
export async function startBackends(options: BackendsOptions): Promise<Backends> {
  const { workloads, log } = options;
  const doors = new Map<WorkloadSeed, Door>();
  const running: Promise<Serving | undefined>[] = [];
  let folder: Promise<string> | undefined;
  const parts = {
    ...options,
    secret: randomBytes(32),
    folder: (): Promise<string> => {
      folder ??= mkdtemp(join(tmpdir(), 'operator-console-sandbox-'));
      return folder;
    },
    /** Returns the address of a control plane's runner. */
    runnerOf: ({ namespace }: WorkloadSeed): Endpoint | undefined => {
      const runner = workloads.find((each) => each.namespace === namespace && each.backend === 'runner');
      return runner === undefined ? undefined : doors.get(runner)?.endpoint();
    },
  };
  const open: Backends['open'] = (workload, start) => {
    const opening =
      workload.backend === 'campaign'
        ? openCampaign(parts, workload, start)
        : openCockpit(parts, workload, start);
    running.push(opening.catch(() => undefined));
    return opening;
  };
  const start = async (workload: WorkloadSeed): Promise<Endpoint> => {
    try {
      const { port } = await open(workload, {
        env: options.envOf(workload),
        log: options.logOf(workload),
        // When its pods did: a CA that ended since was still good then.
        began: options.start - workload.age,
      });
      return { host: '127.0.0.1', port };
    } catch (error) {
      const reason = errorMessage(error);
      if (!isProcessEnding(error))
        log.warn({ reason }, `the sandbox's ${workload.name} in ${workload.namespace} did not start`);
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all([...doors.values()].map((door) => door.close()));
    const served = await Promise.all(running);
    await Promise.all(served.map((serving) => serving?.close()));
    // One that could not be made is no folder to remove; whoever asked for it was told.
    const made = await folder?.catch(() => undefined);
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  };
  try {
    for (const workload of workloads)
      if (isBackend(workload) && workload.problem?.kind !== 'does_not_start')
        doors.set(workload, await openDoor(() => start(workload)));
  } catch (error) {
    await close();
    throw error;
  }
  return { endpointOf: (workload) => doors.get(workload)?.endpoint(), open, close };
}

/** Returns whether it is one of the backends of this repository that run in the sandbox's pods. */
export function isBackend({ backend }: WorkloadSeed): boolean {
  return backend === 'cockpit' || backend === 'runner' || backend === 'campaign';
}
