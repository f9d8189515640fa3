import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { BackendLog } from '../../backends/serving/index.ts';
import { silentLog } from '../../backends/serving/index.ts';
import { closeOnce, openParts } from '../../base/open-parts.ts';
import {
  type KubeKind,
  type KubeObject,
  kubeconfigText,
  loopbackCertificate,
  type MemoryWorld,
  memoryWorld,
  startKubeApi,
} from '../../kube-api/index.ts';
import { listAt } from '../../kube-api/object-fields.ts';
import { commitId } from '../code-host/builders.ts';
import type { Endpoint } from '../listening.ts';
import { startActivity } from './activity.ts';
import { type Backends, startBackends } from './backends.ts';
import { containerLog } from './container-log.ts';
import { literalEnv } from './container-states.ts';
import type { EstateContext } from './context.ts';
import { type Controllers, startControllers } from './controllers.ts';
import { type Engines, startEngines } from './engines.ts';
import { type Estate, estate } from './estate.ts';
import { issueMeshCas } from './mesh-cas.ts';
import { readClusterSeed, resourceFile, type WorkloadSeed } from './seed-schema.ts';

export type SandboxCluster = {
  /** Text of a kubeconfig with one context, `sandbox`. */
  readonly kubeconfig: string;
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Token of the one user, who may do everything. */
  readonly token: string;
  readonly world: MemoryWorld;
  close(): Promise<void>;
};

export type SandboxClusterOptions = {
  /** Address of the sandbox's studio, for port-forward to it. */
  readonly studio?: Endpoint;
  /** Whole name of a repository's image, so many builds behind its newest; default: made up, in no registry. */
  readonly image?: EstateContext['image'] | undefined;
  /** Nothing happens in it by itself. */
  readonly still?: boolean;
  /** Epoch ms. */
  readonly now?: () => number;
  readonly log?: BackendLog;
};

/** Name of the context in its kubeconfig, and so of the target. */
const contextName = 'sandbox';

/**
 * The estate of resources/sandbox/cluster.yaml behind a Kubernetes API on loopback, over HTTPS because kubectl sends no
 * token without it. Token and certificates are new at every start. Things go on happening in it until it is closed, and what somebody
 * changes of a backend there is brought about.
 */
export async function startSandboxCluster(options: SandboxClusterOptions = {}): Promise<SandboxCluster> {
  const { now = Date.now } = options;
  const start = now();
  const seed = readClusterSeed();
  const meshCas = issueMeshCas(seed, start);
  const context: EstateContext = { seed, start, image: options.image ?? madeUpImage, meshCas };
  const made = estate(context);
  const { still = false, log = silentLog } = options;
  return openParts(log, async (opened) => {
    const engines = await startEngines(now, start);
    opened.defer(engines.close);
    const backends = await startBackends({
      workloads: seed.workloads,
      meshCas,
      inference: engines.endpoints.vllm,
      start,
      now,
      envOf: (workload) => envOf(made, workload),
      logOf: (workload) => containerLog((text) => writeLog(world, made, workload, text)),
      log,
    });
    opened.defer(backends.close);
    const fixedPorts = portsOf(made, { backends, engines, studio: options.studio });
    let controllers: Controllers | undefined;
    const world = memoryWorld([...definitions(), ...made.objects], {
      kinds: foreignKinds,
      logs: made.logs,
      portOf: (namespace, pod, port) =>
        controllers?.endpointOf(namespace, pod) ?? fixedPorts(namespace, pod, port),
      now,
    });
    controllers = startControllers({ world, context, made, backends, now, still, log });
    opened.defer(controllers.close);
    const token = randomBytes(32).toString('base64url');
    const tls = loopbackCertificate(start);
    const api = await startKubeApi({ world, tls, users: [{ name: 'sandbox-operator', token }], now });
    opened.defer(api.close);
    // What goes on by itself goes on behind whoever waits for the sandbox.
    if (still) await controllers.settled;
    if (!still) opened.defer(startActivity(world, context, made, now));
    return {
      url: api.url,
      token,
      world,
      kubeconfig: kubeconfigText({ name: contextName, server: api.url, token, ca: tls.ca }),
      close: closeOnce(opened, log),
    };
  });
}

function writeLog(world: MemoryWorld, { workloads }: Estate, about: WorkloadSeed, text: string): void {
  const pods = workloads.find(({ workload }) => workload === about)?.pods ?? [];
  for (const { metadata } of pods)
    world.containerLogs.append(`${about.namespace}/${metadata.name}/${about.name}`, text);
}

function envOf({ workloads }: Estate, about: WorkloadSeed): Readonly<Record<string, string>> {
  const pod = workloads.find(({ workload }) => workload === about)?.pods[0];
  return literalEnv(listAt(pod, 'spec', 'containers')[0]);
}

/** Kinds of others, whose definitions the sandbox does not carry. */
const foreignKinds: readonly KubeKind[] = [
  {
    group: 'argoproj.io',
    version: 'v1alpha1',
    plural: 'applications',
    kind: 'Application',
    namespaced: true,
    shortNames: ['app', 'apps'],
  },
  {
    group: 'gateway.networking.k8s.io',
    version: 'v1',
    plural: 'gateways',
    kind: 'Gateway',
    namespaced: true,
    shortNames: ['gtw'],
  },
  {
    group: 'gateway.networking.k8s.io',
    version: 'v1',
    plural: 'httproutes',
    kind: 'HTTPRoute',
    namespaced: true,
  },
];

/** The platform's own definitions, as they are applied to a real cluster. */
function definitions(): KubeObject[] {
  const folder = resourceFile('crds');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file): KubeObject => parse(readFileSync(join(folder, file), 'utf8')));
}

function madeUpImage(repository: string, behind: number): string {
  return `registry.northgate.example/northgate/${repository}:${commitId('northgate', repository, behind)}`;
}

type Behind = {
  readonly backends: Backends;
  readonly engines: Engines;
  readonly studio: SandboxClusterOptions['studio'];
};

function portsOf(
  { workloads }: Estate,
  { backends, engines, studio }: Behind,
): NonNullable<MemoryWorld['portOf']> {
  return (namespace, pod, port) => {
    const named = workloads.find(({ pods }) =>
      pods.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace),
    );
    // A pod that took the place of one of the seed is served by the same program.
    const workload = (
      named ??
      workloads.find(({ workload: each }) => each.namespace === namespace && pod.startsWith(`${each.name}-`))
    )?.workload;
    if (workload?.backend === undefined || workload.port !== port) return undefined;
    switch (workload.backend) {
      case 'studio':
        return studio;
      case 'vllm':
      case 'llama':
      case 'tgi':
        return engines.endpoints[workload.backend];
      default:
        return backends.endpointOf(workload);
    }
  };
}
