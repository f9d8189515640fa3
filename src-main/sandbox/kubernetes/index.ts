import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  type KubeKind,
  type KubeObject,
  kubeconfigText,
  loopbackCertificate,
  type MemoryWorld,
  memoryWorld,
  startKubeApi,
} from '../../kube-api/index.ts';
import { commitId } from '../code-host/builders.ts';
import { startActivity } from './activity.ts';
import { type Backends, startBackends } from './backends.ts';
import type { EstateContext } from './context.ts';
import { type Estate, estate } from './estate.ts';
import { readClusterSeed, resourceFile } from './seed-schema.ts';

export type SandboxCluster = {
  /** Text of a kubeconfig with one context, `sandbox`. */
  readonly kubeconfig: string;
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  /** Of the one user, who may do everything. */
  readonly token: string;
  readonly world: MemoryWorld;
  close(): Promise<void>;
};

export type SandboxClusterOptions = {
  /** Where the sandbox's studio listens, for port-forward to it. */
  readonly studio?: { readonly host: string; readonly port: number };
  /** Whole name of a repository's image, so many builds behind its newest; default: made up, in no registry. */
  readonly image?: EstateContext['image'] | undefined;
  /** Nothing happens in it by itself. */
  readonly still?: boolean;
  /** Epoch ms. */
  readonly now?: () => number;
};

/** Name of the context in its kubeconfig, and so of the target. */
const contextName = 'sandbox';

/**
 * The estate of resources/sandbox/cluster.yaml behind a Kubernetes API on loopback, over HTTPS because kubectl sends no
 * token without it. Token and certificates are new at every start. Things go on happening in it until it is closed.
 */
export async function startSandboxCluster(options: SandboxClusterOptions = {}): Promise<SandboxCluster> {
  const { now = Date.now } = options;
  const start = now();
  const context: EstateContext = {
    seed: readClusterSeed(),
    start,
    image: options.image ?? madeUpImage,
  };
  const made = estate(context);
  const backends = await startBackends(now, start);
  const world = memoryWorld([...definitions(), ...made.objects], {
    kinds: foreignKinds,
    logs: made.logs,
    portOf: portsOf(made, backends, options.studio),
    now,
  });
  const token = randomBytes(32).toString('base64url');
  const tls = loopbackCertificate(start);
  try {
    const api = await startKubeApi({ world, tls, users: [{ name: 'sandbox-operator', token }], now });
    const stop = options.still === true ? () => undefined : startActivity(world, context, made, now);
    return {
      url: api.url,
      token,
      world,
      kubeconfig: kubeconfigText({ name: contextName, server: api.url, token, ca: tls.ca }),
      async close() {
        stop();
        await Promise.all([api.close(), backends.close()]);
      },
    };
  } catch (error) {
    await backends.close();
    throw error;
  }
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

function portsOf(
  { workloads }: Estate,
  { places }: Backends,
  studio: SandboxClusterOptions['studio'],
): NonNullable<MemoryWorld['portOf']> {
  return (namespace, pod, port) => {
    const workload = workloads.find(({ pods }) =>
      pods.some(({ metadata }) => metadata.name === pod && metadata.namespace === namespace),
    )?.workload;
    if (workload?.backend === undefined || workload.port !== port) return undefined;
    return workload.backend === 'studio' ? studio : places[workload.backend];
  };
}
