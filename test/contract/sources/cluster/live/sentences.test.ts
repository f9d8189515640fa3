import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configMaps, namespaces, pods } from '../../../../../src-main/cluster-model/kinds/index.ts';
import { startTestCluster, type TestCluster } from '../../../../support/kube-api.ts';
import { kubeconfigOf, listUntil, liveCluster, pod } from '../../../../support/live-cluster.ts';

const open: { close(): unknown }[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-sentences-'));
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

async function started(
  objects: Parameters<typeof startTestCluster>[0],
  options: Parameters<typeof startTestCluster>[1] = {},
): Promise<TestCluster> {
  const api = await startTestCluster(objects, options);
  open.push(api);
  return api;
}

async function reading(server: string, user: object, options: Parameters<typeof liveCluster>[1] = {}) {
  const cluster = await liveCluster(kubeconfigOf(folder, server, user), options);
  open.push(cluster);
  return cluster;
}

describe('a target', () => {
  it('asks for a sign-in while credentials are refused, although an old watch still talks', async () => {
    const api = await started([pod('web-1')], { users: [{ name: 'anna', token: 'first' }], bookmarkMs: 20 });
    const cluster = await reading(api.url, { token: 'first' });
    expect(await cluster.list(pods)).toMatchObject({ state: 'read' });
    await api.world.put(pod('web-2'));
    await listUntil(cluster, pods, ({ items }) => items.length === 2);
    api.users.splice(0, 1, { name: 'anna', token: 'second' });
    // The watch of pods goes on; a kind that is asked for now is refused.
    await cluster.list(configMaps);
    for (let i = 0; i < 10; i += 1) {
      await api.world.put(pod(`web-${i + 3}`));
      expect(cluster.status()).toMatchObject({ state: 'sign_in' });
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(cluster.status()).toMatchObject({ state: 'sign_in' });
    expect((await cluster.list(pods)).items.length).toBeGreaterThan(5);
  });

  it('is not ready while its kubeconfig says http:// to a server that speaks HTTPS', async () => {
    // As Go's server answers it.
    const server = createServer((_request, response) => {
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.end('Client sent an HTTP request to an HTTPS server.\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push({ close: () => server.close() });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const cluster = await reading(`http://127.0.0.1:${port}`, {});
    const listing = await cluster.list(pods);
    expect(listing.state).toBe('unavailable');
    expect(cluster.status()).toEqual({
      state: 'broken',
      detail: `127.0.0.1:${port} speaks HTTPS: write https:// before it in the kubeconfig (server).`,
      readAt: expect.any(Number),
    });
  });

  it('names the sign-in program that does not end, not the server', async () => {
    const api = await started([pod('web-1')]);
    const command = join(folder, 'kube-login');
    writeFileSync(command, '#!/bin/sh\nsleep 20\n');
    chmodSync(command, 0o755);
    const cluster = await reading(
      api.url,
      { exec: { apiVersion: 'client.authentication.k8s.io/v1', command, args: [] } },
      { timing: { firstAnswer: 300, plugin: 1500 } },
    );
    expect(await cluster.list(pods)).toMatchObject({
      state: 'unavailable',
      gaps: ['The sign-in program kube-login has not ended within 0.3 s: list pods.'],
    });
    expect(cluster.status()).toMatchObject({
      state: 'unread',
      detail: 'The sign-in program kube-login has not ended yet.',
    });
    const ended = await listUntil(cluster, pods, ({ gaps }) => gaps.join().includes('did not end'));
    expect(ended.gaps.join()).toContain('The sign-in program kube-login did not end within 1.5 s');
  });

  it('says in one sentence in which namespaces a kind may not be listed', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `team-${String(i).padStart(2, '0')}`);
    const api = await started(
      names.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
      {
        users: [
          {
            name: 'anna',
            token: 'anna',
            allow: ({ plural, namespace }) =>
              plural === 'namespaces' || (plural === 'pods' && namespace === 'team-00'),
          },
        ],
        served: ['pods'],
      },
    );
    const cluster = await reading(api.url, { token: 'anna' });
    await cluster.list(namespaces);
    expect((await cluster.list(pods)).gaps).toEqual([
      'Forbidden: list pods in team-01, team-02, team-03, team-04, team-05 and 6 more namespaces.',
    ]);
  });
});
