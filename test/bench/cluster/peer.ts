import { readFileSync } from 'node:fs';
import { clientNode, noClientNode } from '../../support/client-node.ts';

// The peer of the bench, in a process of its own: the informer of `@kubernetes/client-node`, for pods and for events. Tells
// how long both took until their first list was there, and what is resident then.
const library = clientNode();
if (library === undefined) throw new Error(noClientNode);
const { CoreV1Api, KubeConfig, makeInformer } = library;
const config = new KubeConfig();
config.loadFromFile(process.argv[2] ?? '');
const core = config.makeApiClient(CoreV1Api);
const from = performance.now();
const informers = [
  makeInformer(config, '/api/v1/pods', () => core.listPodForAllNamespaces()),
  makeInformer(config, '/api/v1/events', () => core.listEventForAllNamespaces()),
];
await Promise.all(
  informers.map(async (informer) => {
    informer.on('error', (error) => {
      throw error;
    });
    await informer.start();
  }),
);
const counts = informers.map((informer) => informer.list().length);
process.send?.({ ms: performance.now() - from, rss: residentOf('self'), counts } satisfies FromPeer);

export type FromPeer = { readonly ms: number; readonly rss: number; readonly counts: readonly number[] };

function residentOf(pid: string): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
