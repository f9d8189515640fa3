import { startKubeApi } from '../../../src-main/kube-api/index.ts';
import { memoryWorld } from '../../../src-main/kube-api/memory-world.ts';
import type { KubeObject } from '../../../src-main/kube-api/world.ts';
import { type EstateSize, estate } from './estate.ts';

/** Messages from the bench to this process, and its answers. */
export type ToApi = { readonly start: EstateSize } | { readonly touch: string };
export type FromApi =
  | { readonly url: string; readonly requests: number }
  | { readonly touched: string; readonly namespace: string };

// The Kubernetes API of the bench, in a process of its own so that its work is not the console's.
let world: ReturnType<typeof memoryWorld>;

// Ends with the bench, however that ends.
process.on('disconnect', () => process.exit());
process.on('message', async (message: ToApi) => {
  if ('start' in message) {
    world = memoryWorld(estate(message.start));
    const api = await startKubeApi({ world });
    process.send?.({ url: api.url, requests: 0 } satisfies FromApi);
    return;
  }
  const pods = world.kinds().find(({ plural, group }) => plural === 'pods' && group === '');
  if (pods === undefined || world.write === undefined) throw new Error('The world has no pods to change.');
  const [pod] = await world.list(pods);
  if (pod === undefined) throw new Error('The world has no pods.');
  const changed: KubeObject = {
    ...pod,
    status: { phase: 'Failed', reason: message.touch, message: 'Touched by the bench.' },
  };
  await world.write.replace(pods, changed);
  process.send?.({ touched: pod.metadata.name, namespace: pod.metadata.namespace ?? '' } satisfies FromApi);
});
