import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resources } from '../../src-main/cluster-model/index.ts';
import {
  type ApiRequest,
  type ApiUser,
  createFaults,
  type Faults,
  followChanges,
  type KubeApiOptions,
  type KubeKind,
  type KubeObject,
  kubeconfigText,
  loopbackCertificate,
  type MemoryWorld,
  type MemoryWorldOptions,
  memoryWorld,
  startKubeApi,
} from '../../src-main/kube-api/index.ts';

export type TestCluster = {
  readonly url: string;
  /** A file with one context, `test`, which is the current one. */
  readonly kubeconfig: string;
  readonly world: MemoryWorld;
  readonly faults: Faults;
  /** Requests received, oldest first. */
  readonly requests: readonly ApiRequest[];
  /** Called with each request as it comes; may be set while it runs. */
  onRequest: ((request: ApiRequest) => void) | undefined;
  /** Users with access; may be changed while it runs. */
  readonly users: ApiUser[];
  /** Continue tokens and watches of the past answer 410 from now on. */
  compact(): void;
  /** Stops listening, as a server that is killed. */
  stop(): Promise<void>;
  /** Listens again at the same address, on the same world. */
  start(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
};

export type TestClusterOptions = MemoryWorldOptions &
  Pick<KubeApiOptions, 'tls' | 'validate' | 'bookmarkMs'> & {
    /** Default: one who may do everything, whose token is in the kubeconfig. */
    readonly users?: readonly ApiUser[];
    /** HTTPS with a CA of its own, which the kubeconfig names. kubectl sends no token without it. */
    readonly https?: boolean;
    /** PEM, for the kubeconfig of a server with `tls`. */
    readonly ca?: string;
    /** Kinds that are served although there is no object of them; of `resources`, by their plural. */
    readonly served?: readonly string[];
  };

/** The kind of everything the console reads. */
const readKinds: readonly KubeKind[] = resources.everyKind.map(
  ({ group, versions, plural, kind, namespaced }) => ({
    group,
    version: versions[0],
    plural,
    kind,
    namespaced,
  }),
);

/**
 * A cluster of plain objects behind a real HTTP server on loopback. Kinds of custom resources that the console reads are
 * served when there is an object of them; others need their definition (CRD) among the objects, or `kinds`.
 */
export async function startTestCluster(
  objects: readonly KubeObject[] = [],
  options: TestClusterOptions = {},
): Promise<TestCluster> {
  const { served = [] } = options;
  const kinds = readKinds.flatMap((kind) => {
    const own = objects.find(
      ({ kind: name, apiVersion }) => name === kind.kind && groupOf(apiVersion) === kind.group,
    );
    if (own === undefined && !served.includes(kind.plural)) return [];
    return [{ ...kind, version: own?.apiVersion.split('/').at(-1) ?? kind.version }];
  });
  const world = memoryWorld(objects, { ...options, kinds: [...kinds, ...(options.kinds ?? [])] });
  const faults = createFaults();
  const changes = followChanges(world);
  const requests: ApiRequest[] = [];
  const users: ApiUser[] = [...(options.users ?? [{ name: 'tester', token: 'test-token' }])];
  const own = options.https === true ? loopbackCertificate(Date.now()) : undefined;
  const ca = own?.ca ?? options.ca;
  const begin = (port: number) =>
    startKubeApi({
      ...options,
      ...(own === undefined ? {} : { tls: own }),
      world,
      faults,
      changes,
      users,
      listen: { host: '127.0.0.1', port },
      onRequest: (request) => {
        requests.push(request);
        cluster.onRequest?.(request);
      },
    });
  let api = await begin(0);
  const { url } = api;
  const folder = mkdtempSync(join(tmpdir(), 'test-cluster-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const token = users.find((user) => user.token !== undefined)?.token;
  writeFileSync(
    kubeconfig,
    kubeconfigText({
      name: 'test',
      server: url,
      ...(token === undefined ? {} : { token }),
      ...(ca === undefined ? {} : { ca }),
    }),
    { mode: 0o600 },
  );
  const stop = (): Promise<void> => api.close();
  const start = async (): Promise<void> => {
    api = await begin(Number(new URL(url).port));
  };
  const cluster: TestCluster = {
    url,
    kubeconfig,
    onRequest: undefined,
    world,
    faults,
    requests,
    users,
    compact: () => api.compact(),
    stop,
    start,
    async restart() {
      await stop();
      await start();
    },
    async close() {
      faults.resume();
      await api.close();
      changes.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
}
