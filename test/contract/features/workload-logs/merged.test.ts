import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { Cluster } from '../../../../src-main/sources/cluster/index.ts';
import { createLogWriters, readMerged } from '../../../support/log-writers.ts';
import { objectCluster } from '../../../support/object-cluster.ts';
import { opened } from '../../../support/opened-bundle.ts';
import { testConsole } from '../../../support/test-console.ts';

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function consoleOf(cluster: Cluster) {
  const console_ = await testConsole({}, { cluster });
  closers.push(() => console_.close());
  const cookie = await console_.cookie();
  return {
    async get(path: string) {
      const { statusCode, body } = await request(`${console_.url}${path}`, { headers: { cookie } });
      return { status: statusCode, text: await body.text() };
    },
    /** Follows a path; what came so far, and how to leave. */
    async follow(path: string) {
      const leaving = new AbortController();
      const { statusCode, body } = await request(`${console_.url}${path}`, {
        headers: { cookie },
        signal: leaving.signal,
      });
      expect(statusCode).toBe(200);
      let text = '';
      const reading = (async () => {
        for await (const piece of body) text += String(piece);
      })().catch(() => undefined);
      return {
        text: () => text,
        async leave() {
          leaving.abort();
          await reading;
        },
      };
    },
  };
}

const of = '/api/logs?namespace=shop&kind=Deployment&name=web';

describe('the logs of a workload', () => {
  it('are merged by time, with the pod and container before each line', async () => {
    const writers = createLogWriters(['main', 'proxy']);
    for (const pod of ['web-1', 'web-2']) writers.start(pod);
    for (let turn = 0; turn < 300; turn += 1)
      writers.write(`web-${(turn % 2) + 1}`, turn % 3 === 0 ? 'proxy' : 'main', `line ${turn}`);
    const { get } = await consoleOf(writers.cluster);
    const { status, text } = await get(of);
    expect(status).toBe(200);
    expect(readMerged(text).lines).toEqual(writers.truth);
    expect(readMerged((await get('/api/logs?namespace=shop&selector=app%3Dweb')).text).lines).toEqual(
      writers.truth,
    );
  });

  it('leave out the pods and containers that are named, and keep the newest lines of each', async () => {
    const writers = createLogWriters(['main', 'proxy']);
    for (const pod of ['web-1', 'web-2', 'web-3']) writers.start(pod);
    for (const pod of ['web-1', 'web-2', 'web-3'])
      for (const container of ['main', 'proxy'])
        for (const turn of [1, 2, 3]) writers.write(pod, container, `line ${turn}`);
    const { get } = await consoleOf(writers.cluster);
    const { lines } = readMerged((await get(`${of}&without=web-1,web-2/proxy&tail=1`)).text);
    expect(lines.map(({ line }) => line)).toEqual([
      'web-2/main line 3',
      'web-3/main line 3',
      'web-3/proxy line 3',
    ]);
    const one = readMerged((await get(`${of}&container=proxy&tail=1`)).text);
    expect(one.lines.map(({ line }) => line)).toEqual([
      'web-1/proxy line 3',
      'web-2/proxy line 3',
      'web-3/proxy line 3',
    ]);
  });

  it('followed lose and double no line, over cuts of the connection, pods that come and pods that go', async () => {
    const writers = createLogWriters(['main', 'proxy']);
    const pods = ['web-1', 'web-2', 'web-3', 'web-4', 'web-5'];
    for (const pod of pods) writers.start(pod);
    for (let turn = 0; turn < 200; turn += 1)
      writers.write(pods[turn % 5] ?? '', turn % 2 === 0 ? 'main' : 'proxy', `before ${turn}`);
    const { follow } = await consoleOf(writers.cluster);
    const followed = await follow(`${of}&follow=true`);
    await expect.poll(() => writers.open(), { timeout: 5_000 }).toBe(10);
    let turn = 0;
    const burst = (count: number, names: readonly string[]) => {
      for (let index = 0; index < count; index += 1, turn += 1)
        writers.write(
          names[turn % names.length] ?? '',
          turn % 2 === 0 ? 'main' : 'proxy',
          `after ${turn} ${'x'.repeat(turn % 90)}`,
        );
    };
    const caughtUp = () =>
      expect
        .poll(() => readMerged(followed.text()).lines.length, { timeout: 10_000 })
        .toBe(writers.truth.length);
    burst(500, pods);
    await caughtUp();
    writers.cut();
    burst(300, pods);
    await expect.poll(() => writers.open(), { timeout: 5_000 }).toBe(10);
    burst(100, pods);
    await caughtUp();
    writers.start('web-6');
    burst(200, ['web-6', 'web-1']);
    writers.write('web-2', 'main', 'farewell');
    writers.stop('web-2');
    burst(100, ['web-6', 'web-3']);
    await caughtUp();
    await expect
      .poll(() => readMerged(followed.text()).remarks.join(), { timeout: 10_000 })
      .toContain('[Pod web-2 is gone.]');
    const { lines, remarks } = readMerged(followed.text());
    expect(remarks.join()).toContain('[Pod web-6 joined.]');
    const sorted = (some: typeof lines) => some.map(({ at, line }) => `${at} ${line}`).toSorted();
    expect(sorted(lines)).toEqual(sorted(writers.truth.slice()));
    for (const [index, { at }] of lines.entries()) {
      const before = lines[index - 1]?.at ?? at;
      // What a cut connection brings late may stand behind newer lines of others, no more than its pause of a second.
      expect(Date.parse(before) - Date.parse(at)).toBeLessThan(2_500);
    }
    await followed.leave();
    await expect.poll(() => writers.open(), { timeout: 5_000 }).toBe(0);
  });

  it('say so when nothing matches, and refuse what names no pods', async () => {
    const { get } = await consoleOf(
      objectCluster([
        { apiVersion: 'v1', kind: 'Service', metadata: { name: 'bare', namespace: 'shop' }, spec: {} },
      ]),
    );
    expect((await get('/api/logs?namespace=shop&selector=app%3Dnone')).text).toContain('[No pods match.]');
    expect((await get('/api/logs?namespace=shop&kind=Service&name=bare')).status).toBe(400);
    expect((await get('/api/logs?namespace=shop&kind=Deployment&name=none')).status).toBe(404);
    expect((await get('/api/logs?namespace=shop')).status).toBe(400);
  });

  it('of a bundle are merged by the times in it, a container without times in one piece', async () => {
    const pod = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: 'shop', labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'i' }] },
      status: { phase: 'Running' },
    });
    const { cluster } = await opened({
      'must-gather.log': 'x',
      timestamp: '2026-11-21 10:00:00.0 +0000 UTC m=+0.1\n2026-11-21 10:05:00.0 +0000 UTC m=+300\n',
      'namespaces/shop/core/pods.yaml': {
        apiVersion: 'v1',
        kind: 'PodList',
        items: [pod('web-1'), pod('web-2')],
      },
      'namespaces/shop/pods/web-1/main/main/logs/current.log':
        '2026-11-21T10:00:01.000000000Z one\n2026-11-21T10:00:03.000000000Z three\n',
      'namespaces/shop/pods/web-2/main/main/logs/current.log':
        '2026-11-21T10:00:02.000000000Z two\n2026-11-21T10:00:04.000000000Z four\n',
    });
    const { get } = await consoleOf(cluster);
    const { text } = await get('/api/logs?namespace=shop&selector=app%3Dweb&follow=true');
    expect(readMerged(text).lines.map(({ line }) => line)).toEqual([
      'web-1/main one',
      'web-2/main two',
      'web-1/main three',
      'web-2/main four',
    ]);
  });
});
