import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resources } from '../../../../../src-main/cluster-model/index.ts';
import type { LiveCluster } from '../../../../../src-main/sources/cluster/live/index.ts';
import { liveCluster } from '../../../../support/live-cluster.ts';
import { rawRequest } from '../../../../support/raw-request.ts';
import { type TestConsole, testConsole } from '../../../../support/test-console.ts';

const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify({ kind: 'Any', gitVersion: 'v1.36.2', metadata: { name: 'any' }, items: [], groups: [] }),
  );
});
let folder: string;
let cluster: LiveCluster;
let console_: TestConsole;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'names-'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'test', cluster: { server: address } }],
      users: [{ name: 'test', user: {} }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    }),
  );
  cluster = await liveCluster(kubeconfig);
  console_ = await testConsole({}, { cluster });
});
afterEach(async () => {
  await console_.close();
  cluster.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
  asked.length = 0;
});

/** What the API server was asked beside its version and its groups. */
const askedFor = () => asked.filter((path) => path !== '/version' && !path.startsWith('/apis'));

describe('a name that is none of Kubernetes', () => {
  it.each([
    '/api/objects/Secret/..?namespace=default',
    '/api/objects/Secret/%2e%2e?namespace=default',
    '/api/objects/Secret/.?namespace=default',
    '/api/objects/Node/..%2f..%2fversion',
    '/api/objects/Node/a%2Fproxy',
    '/api/objects/Node/%252e%252e',
    '/api/objects/Pod/one?namespace=..%2f..',
    '/api/objects/Pod/one?namespace=a.b',
    '/api/pods/..%2fx/one/logs',
    '/api/pods/shop/..%2f..%2fsecrets/logs',
    '/api/pods/shop/one..two/logs',
    '/api/pods/shop/one/logs?container=..%2fx',
    '/api/namespaces/..%2f..',
    '/api/nodes/..%2f..',
    '/api/services?namespace=%2e%2e',
  ])('in an address is refused with 400, and nothing is asked of the API server: %s', async (path) => {
    const cookie = await console_.cookie();
    const answer = await rawRequest(
      console_.url,
      `GET ${path} HTTP/1.1\r\nHost: ${console_.host}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(askedFor()).toEqual([]);
  });

  it.each(['..', '.', '../../version', 'a/b', '%2e%2e', '%2F', 'a\\b', 'a\u0000'])(
    'is not sent by any read of the client: %j',
    async (name) => {
      const signal = AbortSignal.timeout(5000);
      expect(await cluster.get(resources.nodes, name)).toMatchObject({ state: 'unread' });
      expect(await cluster.get(resources.pods, name, 'shop')).toMatchObject({ state: 'unread' });
      expect(await cluster.get(resources.pods, 'one', name)).toMatchObject({ state: 'unread' });
      expect(await cluster.logs({ namespace: 'shop', pod: name, container: 'c', signal })).toMatchObject({
        state: 'unread',
      });
      expect(
        await cluster.httpGet(`/api/v1/namespaces/shop/services/${name}:80/proxy/../x`, signal),
      ).toMatchObject({ state: 'unread' });
      expect(askedFor()).toEqual([]);
    },
  );

  it('is not one that a role may have', async () => {
    const { status } = await fetch(`${console_.url}/api/objects/Node/system:node`, {
      headers: { cookie: await console_.cookie() },
    });
    expect(status).toBe(200);
    expect(askedFor()).toEqual(['/api/v1/nodes/system%3Anode']);
  });
});
