import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import type { Listing, Named, Resource } from '../../src-main/cluster-model/index.ts';
import {
  createContexts,
  type LiveCluster,
  type LiveOptions,
} from '../../src-main/sources/cluster/live/index.ts';
import { defaultTiming } from '../../src-main/sources/cluster/live/timing.ts';

/** Waits short enough for tests. */
const quick: LiveOptions['timing'] = {
  retry: { first: 20, last: 100 },
  again: 100,
  tick: 50,
};

export type LiveClusterOptions = Partial<LiveOptions> & {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly context?: string;
  readonly loginShellPath?: boolean;
};

/** The context `test` of a kubeconfig, with short waits. */
export async function liveCluster(
  kubeconfig: string,
  options: LiveClusterOptions = {},
): Promise<LiveCluster> {
  const {
    env = { PATH: process.env.PATH },
    context = 'test',
    loginShellPath = false,
    timing,
    ...rest
  } = options;
  return createContexts({ files: () => [kubeconfig], env, loginShellPath }).open(context, {
    writable: () => false,
    namespaces: () => [],
    now: Date.now,
    ...rest,
    timing: { ...defaultTiming, ...quick, ...timing },
  });
}

/** Lists until `is` is true of the result, and returns it; rejects with the last result after 10 s. */
export async function listUntil<T extends Named>(
  cluster: LiveCluster,
  resource: Resource<T>,
  is: (listing: Listing<T>) => boolean,
): Promise<Listing<T>> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const listing = await cluster.list(resource);
    if (is(listing)) return listing;
    if (Date.now() > deadline) throw new Error(`It stayed ${JSON.stringify(listing).slice(0, 600)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function pod(name: string, namespace = 'shop', more: object = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: name } },
    spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    ...more,
  };
}

export const namesOf = ({ items }: Listing<Named>): string[] =>
  items.map(({ metadata }) => metadata.name).sort();

/** Writes a kubeconfig whose context `test` leads to `server` as the user `anna`; over the one that was there. */
export function kubeconfigOf(folder: string, server: string, user: object, cluster: object = {}): string {
  const path = join(folder, 'config');
  writeFileSync(
    path,
    dump({
      'current-context': 'test',
      clusters: [{ name: 'c', cluster: { server, ...cluster } }],
      users: [{ name: 'anna', user }],
      contexts: [{ name: 'test', context: { cluster: 'c', user: 'anna' } }],
    }),
  );
  return path;
}
