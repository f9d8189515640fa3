import { randomUUID } from 'node:crypto';
import { setInterval as every } from 'node:timers';
import {
  type ApiUser,
  createFaults,
  type KubeObject,
  memoryWorld,
  startKubeApi,
} from '../../../src-main/kube-api/index.ts';
import { type EstateSize, estate } from '../cluster/estate.ts';

/** Messages of the soak to its Kubernetes API, and the answers. */
export type ToSoakApi =
  | { readonly start: EstateSize; readonly token: string }
  /** Accepts this token beside the last one; the last one is refused 5 s later, and open watches are cut. */
  | { readonly token: string }
  /** Breaks open watches and followed logs, and the next few requests. */
  | { readonly cut: true };
export type FromSoakApi = {
  readonly url: string;
  readonly pod: { readonly namespace: string; readonly name: string };
};

/** Pods replaced, and pods taken away and made anew, each second. */
const churn = { replaced: 10, renewed: 5 };

const users: ApiUser[] = [];
const faults = createFaults();

// Ends with the soak, however that ends.
process.on('disconnect', () => process.exit());
process.on('message', async (message: ToSoakApi) => {
  if ('cut' in message) {
    faults.cutStreams();
    faults.add({ kind: 'reset', times: 3 });
    return;
  }
  users.unshift({ name: 'soak', token: message.token });
  if ('start' in message) process.send?.(await start(message.start));
  else
    setTimeout(() => {
      users.splice(1);
      faults.cutStreams();
    }, 5000);
});

async function start(size: EstateSize): Promise<FromSoakApi> {
  const objects = estate(size);
  const first = objects.find(({ kind }) => kind === 'Pod');
  if (first === undefined) throw new Error('The estate has no pod.');
  const { name, namespace = '' } = first.metadata;
  const containers = (first.spec as { containers: { name: string }[] }).containers;
  const logs = Object.fromEntries(
    containers.map((container) => [
      `${namespace}/${name}/${container.name}`,
      'a line of the log\n'.repeat(1000),
    ]),
  );
  const world = memoryWorld(objects, { logs });
  const api = await startKubeApi({ world, users, faults });
  const pods = world.kinds().find(({ plural, group }) => plural === 'pods' && group === '');
  const { write } = world;
  if (pods === undefined || write === undefined) throw new Error('The world has no pods to change.');
  let at = 0;
  every(async () => {
    const all = await world.list(pods);
    const next = (): KubeObject => {
      at += 1;
      // The first one's log is followed.
      const pod = all[1 + (at % (all.length - 1))];
      if (pod === undefined) throw new Error('The world has lost its pods.');
      return pod;
    };
    for (let index = 0; index < churn.replaced; index += 1) {
      const pod = next();
      await write.replace(pods, {
        ...pod,
        status: { ...(pod.status as object), reason: `Churned${at}`, message: `Change ${at} of the soak.` },
      });
    }
    for (let index = 0; index < churn.renewed; index += 1) {
      const pod = next();
      const { name: old, namespace: room } = pod.metadata;
      await write.remove(pods, old, room);
      const { resourceVersion: _, uid: __, ...metadata } = pod.metadata;
      await write.create(pods, {
        ...pod,
        metadata: { ...metadata, name: `${old.slice(0, 40)}-${randomUUID().slice(0, 5)}` },
      });
    }
  }, 1000);
  return { url: api.url, pod: { namespace, name } };
}
