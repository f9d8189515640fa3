import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Forward } from '../../../../src-shared/api/forwards.ts';
import { startTestCluster, type TestCluster } from '../../../support/kube-api.ts';
import { liveCluster } from '../../../support/live-cluster.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const pod = (name: string, ready = true) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop', labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1', ports: [{ name: 'http', containerPort: 8080 }] }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});
const selector = { matchLabels: { app: 'web' } };
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
};
const objects = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: { app: 'web' }, ports: [{ name: 'front', port: 80, targetPort: 'http' }] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector, template },
  },
  pod('web-1'),
  pod('web-2'),
];

/** A web server for each pod, which says whose it is. */
async function webServer(name: string): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/slow') setTimeout(() => response.end(name), 300);
    else request.pipe(response.writeHead(200, { 'x-pod': name }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

type Rig = { cluster: TestCluster; console: TestConsole; servers: Map<string, Server> };

async function rig(env: Record<string, string> = {}): Promise<Rig> {
  const servers = new Map([
    ['web-1', await webServer('web-1')],
    ['web-2', await webServer('web-2')],
  ]);
  const cluster = await startTestCluster(objects, {
    portOf: (_namespace, name, port) => {
      const server = port === 8080 ? servers.get(name) : undefined;
      return server === undefined
        ? undefined
        : { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
    },
  });
  open.push(() => cluster.close());
  const live = await liveCluster(cluster.kubeconfig);
  open.push(() => live.close());
  const console = await testConsole(env, { cluster: live });
  open.push(() => console.close());
  return { cluster, console, servers };
}

async function call(console: TestConsole, method: string, path: string, body?: object) {
  const answer = await fetch(`${console.url}${path}`, {
    method,
    headers: {
      cookie: await console.cookie(),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as Forward & { error: string; items: Forward[] },
  };
}

async function deletePod({ url }: TestCluster, name: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/namespaces/shop/pods/${name}?gracePeriodSeconds=0`, {
    method: 'DELETE',
    headers: { authorization: 'Bearer test-token' },
  });
  expect(answer.ok).toBe(true);
}

const toService = {
  name: 'web',
  target: 'test',
  namespace: 'shop',
  kind: 'Service',
  object: 'web',
  port: 80,
};
const listed = async (console: TestConsole) => (await call(console, 'GET', '/api/forwards')).body.items;

describe('a port forward', () => {
  it.each([
    ['a Service, by its number', { kind: 'Service', object: 'web', port: 80 }],
    ['a Service, by the name of its port', { kind: 'Service', object: 'web', port: 'front' }],
    ['a Deployment, by the name of a container port', { kind: 'Deployment', object: 'web', port: 'http' }],
    ['a pod', { kind: 'Pod', object: 'web-2', port: 8080 }],
  ])('leads to %s, and counts what it carried', async (_what, to) => {
    const { console } = await rig();
    const { status, body } = await call(console, 'POST', '/api/forwards', { ...toService, ...to });
    expect(status).toBe(200);
    const answer = await fetch(`http://${body.address}/`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect((await answer.text()).length).toBe(100_000);
    expect(answer.headers.get('x-pod')).toMatch(/^web-\d$/);
    const [forward] = await listed(console);
    expect(forward).toMatchObject({ state: 'listening', opened: 1, pod: answer.headers.get('x-pod') });
    expect(forward?.bytes_sent).toBeGreaterThan(100_000);
    expect(forward?.bytes_received).toBeGreaterThan(100_000);
  });

  it('goes on to another pod when its own goes, at the same local port', async () => {
    const { console, cluster, servers } = await rig();
    const { body } = await call(console, 'POST', '/api/forwards', toService);
    const ask = async () => {
      const headers = { connection: 'close' };
      return (await fetch(`http://${body.address}/`, { headers })).headers.get('x-pod') ?? '';
    };
    const first = await ask();
    expect(await ask()).toBe(first);
    await deletePod(cluster, first);
    servers.get(first)?.closeAllConnections();
    servers.delete(first);
    expect(await ask()).toBe(first === 'web-1' ? 'web-2' : 'web-1');
  });

  it('keeps a connection that is made while no pod is ready until one is', async () => {
    const { console, cluster } = await rig();
    for (const name of ['web-1', 'web-2']) await cluster.world.put(pod(name, false));
    const { body } = await call(console, 'POST', '/api/forwards', toService);
    const asked = fetch(`http://${body.address}/`);
    await expect.poll(async () => (await listed(console))[0]?.open).toBe(1);
    await cluster.world.put(pod('web-2'));
    expect((await asked).headers.get('x-pod')).toBe('web-2');
  });

  it('resets a connection whose pod dies in the middle: a client never takes half an answer for a whole one', async () => {
    const { console, servers } = await rig();
    const { body } = await call(console, 'POST', '/api/forwards', {
      ...toService,
      kind: 'Pod',
      object: 'web-1',
      port: 8080,
    });
    const asked = fetch(`http://${body.address}/slow`);
    asked.catch(() => undefined);
    await expect.poll(async () => (await listed(console))[0]?.pod).toBe('web-1');
    servers.get('web-1')?.closeAllConnections();
    await expect(asked).rejects.toThrow();
  });

  it('answers a client that has ended its side, and waits for the answer', async () => {
    const { console } = await rig();
    const { body } = await call(console, 'POST', '/api/forwards', toService);
    const socket = connect(Number(body.address?.split(':')[1]), '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    let text = '';
    for await (const bytes of socket) text += String(bytes);
    expect(text).toContain('HTTP/1.1 200');
  });

  it('is kept over a stop with its local port, started by hand, and forgotten when it is deleted', async () => {
    const { console } = await rig();
    const { body } = await call(console, 'POST', '/api/forwards', toService);
    const port = Number(body.address?.split(':')[1]);
    expect((await call(console, 'POST', '/api/forwards/web/stop')).body).toMatchObject({ state: 'stopped' });
    await expect(fetch(`http://${body.address}/`)).rejects.toThrow();
    expect(await listed(console)).toMatchObject([{ state: 'stopped', local_port: port }]);
    expect((await call(console, 'POST', '/api/forwards/web/start')).body).toMatchObject({
      state: 'listening',
      address: `127.0.0.1:${port}`,
    });
    expect((await call(console, 'DELETE', '/api/forwards/web')).status).toBe(200);
    expect(await listed(console)).toEqual([]);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('says which port is in use, and keeps nothing', async () => {
    const { console } = await rig();
    const taken = createTcp().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    open.push(() => taken.close());
    const { port } = taken.address() as AddressInfo;
    const answer = await call(console, 'POST', '/api/forwards', { ...toService, local_port: port });
    expect(answer).toMatchObject({ status: 422 });
    expect(answer.body.error).toContain(`Port ${port} of this machine is in use`);
    expect(await listed(console)).toEqual([]);
  });

  it.each([
    [{ object: 'none' }, 'There is no Service none in shop.'],
    [{ port: 81 }, 'The Service web in shop has no port 81.'],
  ])('says why a connection leads nowhere: %o', async (to, reason) => {
    const { console } = await rig();
    const { body } = await call(console, 'POST', '/api/forwards', { ...toService, ...to });
    await expect(fetch(`http://${body.address}/`)).rejects.toThrow();
    expect((await listed(console))[0]?.last_failure?.reason).toBe(reason);
  });

  it('listens on loopback only, on no port below 1024, and once for a name', async () => {
    const { console } = await rig();
    const { body } = await call(console, 'POST', '/api/forwards', toService);
    expect(body.address).toMatch(/^127\.0\.0\.1:\d+$/);
    const low = await call(console, 'POST', '/api/forwards', { ...toService, name: 'low', local_port: 80 });
    expect(low.status).toBe(400);
    const again = await call(console, 'POST', '/api/forwards', toService);
    expect(again.status).toBe(409);
  });

  it('is refused by a console that others reach: its port would be open to everybody on that machine', async () => {
    const { console } = await rig({ CONSOLE_PUBLIC_URL: 'https://console.northgate.example' });
    const answer = await fetch(`${console.url}/api/forwards`, {
      headers: { cookie: await console.cookie() },
    });
    expect(await answer.json()).toMatchObject({
      items: [],
      unavailable: expect.stringContaining('its own machine'),
    });
    expect((await call(console, 'POST', '/api/forwards', toService)).status).toBe(422);
  });

  it('loses no request at 20 deletions of its pod under a client that never stops asking', async () => {
    const { console, cluster, servers } = await rig();
    const { body } = await call(console, 'POST', '/api/forwards', toService);
    let done = false;
    const results = { answered: 0, lost: 0 };
    const client = (async () => {
      while (!done) {
        try {
          const headers = { connection: 'close' };
          await (await fetch(`http://${body.address}/`, { headers })).text();
          results.answered += 1;
        } catch {
          results.lost += 1;
        }
      }
    })();
    for (let turn = 0; turn < 20; turn += 1) {
      const before = results.answered;
      await expect.poll(() => results.answered).toBeGreaterThan(before + 2);
      const gone = turn % 2 === 0 ? 'web-1' : 'web-2';
      const other = turn % 2 === 0 ? 'web-2' : 'web-1';
      await cluster.world.put(pod(other));
      await deletePod(cluster, gone);
      const server = servers.get(gone);
      servers.delete(gone);
      await expect.poll(async () => (await listed(console))[0]?.pod).toBe(other);
      if (server !== undefined) servers.set(gone, server);
    }
    done = true;
    await client;
    expect(results.lost / (results.lost + results.answered)).toBeLessThan(0.02);
  });
});
