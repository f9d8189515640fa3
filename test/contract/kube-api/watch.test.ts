import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../../support/kube-api.ts';

let cluster: TestCluster | undefined;
const ended = new Set<AbortController>();
afterEach(async () => {
  for (const each of ended) each.abort();
  ended.clear();
  await cluster?.close();
  cluster = undefined;
});

const config = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'rec', labels },
});
const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

const event = z.object({
  type: z.string(),
  object: z.looseObject({
    code: z.number().optional(),
    metadata: z.looseObject({ name: z.string().optional(), resourceVersion: z.string().optional() }),
  }),
});

async function start(objects: readonly KubeObject[], options?: TestClusterOptions): Promise<TestCluster> {
  cluster = await startTestCluster(objects, options);
  return cluster;
}

/** Opens a watch of the namespace's ConfigMaps; `next` gives its events one by one, undefined at its end. */
async function watch(query: string) {
  const abort = new AbortController();
  ended.add(abort);
  const response = await fetch(`${cluster?.url}/api/v1/namespaces/rec/configmaps?watch=1&${query}`, {
    headers: { authorization: 'Bearer test-token' },
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const lines: string[] = [];
  let rest = '';
  const next = async () => {
    while (lines.length === 0) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return undefined;
      const parts = (rest + piece.value).split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts);
    }
    return event.parse(JSON.parse(lines.shift() ?? ''));
  };
  const told = async () => {
    const { type = 'end', object } = (await next()) ?? {};
    return `${type} ${object?.metadata.name ?? ''}`.trim();
  };
  return { status: response.status, next, told };
}

describe('watches', () => {
  it('tells what is added, changed and deleted after a revision', async () => {
    const { world } = await start([config('a')]);
    const { told } = await watch(`resourceVersion=${world.revision()}`);
    await world.put(config('b'));
    await world.put(config('b', { changed: 'yes' }));
    await world.write.remove(configMaps, 'b', 'rec');
    expect([await told(), await told(), await told()]).toEqual(['ADDED b', 'MODIFIED b', 'DELETED b']);
  });

  it('catches up on what happened between the list and the watch', async () => {
    const { world } = await start([config('a')]);
    const revision = world.revision();
    await world.put(config('b'));
    const { told } = await watch(`resourceVersion=${revision}`);
    expect(await told()).toBe('ADDED b');
  });

  it('begins with what is there without a revision', async () => {
    const { world } = await start([config('a'), config('b')]);
    const { told } = await watch('');
    expect([await told(), await told()]).toEqual(['ADDED a', 'ADDED b']);
    await world.put(config('c'));
    expect(await told()).toBe('ADDED c');
  });

  it('says where the initial events end', async () => {
    await start([config('a')]);
    const { told, next } = await watch(
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    );
    expect(await told()).toBe('ADDED a');
    expect(await next()).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
  });

  it('bookmarks the revision of other kinds, too', async () => {
    const { world } = await start([config('a')], { bookmarkMs: 20 });
    const { next } = await watch(`resourceVersion=${world.revision()}&allowWatchBookmarks=true`);
    await world.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } });
    let bookmark = await next();
    while (bookmark?.object.metadata.resourceVersion !== String(world.revision())) bookmark = await next();
    expect(bookmark.type).toBe('BOOKMARK');
  });

  it('shows an object that leaves the selection as deleted, and one that enters it as added', async () => {
    const { world } = await start([config('a', { app: 'x' }), config('b')]);
    const { told } = await watch(`resourceVersion=${world.revision()}&labelSelector=app%3Dx`);
    await world.put(config('a', { app: 'y' }));
    await world.put(config('b', { app: 'x' }));
    expect([await told(), await told()]).toEqual(['DELETED a', 'ADDED b']);
  });

  it('ends with one ERROR of code 410 when the revision is not kept any more', async () => {
    const { world } = await start([config('a')]);
    const old = world.revision();
    await world.put(config('b'));
    cluster?.compact();
    const { status, next } = await watch(`resourceVersion=${old}`);
    expect(status).toBe(200);
    expect(await next()).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired' },
    });
    expect(await next()).toBeUndefined();
  });

  it('ends by itself when its time is over', async () => {
    const { world } = await start([config('a')]);
    const { next } = await watch(`resourceVersion=${world.revision()}&timeoutSeconds=1`);
    expect(await next()).toBeUndefined();
  });

  it('breaks off when its connection is cut, and goes on where it was after a restart', async () => {
    const { world, faults } = await start([config('a')]);
    const revision = world.revision();
    const first = await watch(`resourceVersion=${revision}`);
    faults.cutStreams();
    await expect(first.next()).rejects.toThrow('terminated');
    await cluster?.stop();
    await world.put(config('b'));
    await cluster?.start();
    const second = await watch(`resourceVersion=${revision}`);
    expect(await second.told()).toBe('ADDED b');
  });

  it('tells nothing while it is paused, and all of it after', async () => {
    const { world, faults } = await start([config('a')]);
    const { told } = await watch(`resourceVersion=${world.revision()}`);
    faults.pause();
    await world.put(config('b'));
    await world.put(config('c'));
    faults.resume();
    expect([await told(), await told()]).toEqual(['ADDED b', 'ADDED c']);
  });
});
