import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FromApi, ToApi } from './api.ts';
import type { EstateSize } from './estate.ts';

/** A Kubernetes API over a made-up estate, in a process of its own. */
export type BenchApi = {
  readonly url: string;
  /** A kubeconfig, as text, whose only context leads to it. */
  readonly kubeconfig: string;
  ask(message: ToApi): Promise<FromApi>;
  stop(): void;
};

export async function startApi(size: EstateSize): Promise<BenchApi> {
  const child = fork(join(import.meta.dirname, 'api.ts'));
  const ask = async (message: ToApi): Promise<FromApi> => {
    child.send(message);
    const [answer] = (await once(child, 'message')) as [FromApi];
    return answer;
  };
  const started = await ask({ start: size });
  if (!('url' in started)) throw new Error('The API did not start.');
  return { url: started.url, kubeconfig: kubeconfigOf(started.url), ask, stop: () => void child.kill() };
}

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bench',
    // Without it the peer speaks to no server by http.
    clusters: [{ name: 'bench', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'bench', user: { token: 'bench' } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
  });
}
