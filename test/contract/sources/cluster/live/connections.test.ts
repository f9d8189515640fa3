import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { finished } from 'node:stream/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { configMaps, pods } from '../../../../../src-main/cluster-model/kinds/index.ts';
import type { KubeObject, World } from '../../../../../src-main/kube-api/index.ts';
import { dialThrough } from '../../../../../src-main/sources/cluster/live/connector.ts';
import { proxyFor } from '../../../../../src-main/sources/cluster/live/proxies.ts';
import { startTestCluster, type TestClusterOptions } from '../../../../support/kube-api.ts';
import { type LiveClusterOptions, listUntil, liveCluster, pod } from '../../../../support/live-cluster.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function both(
  objects: readonly KubeObject[],
  options: LiveClusterOptions = {},
  server: TestClusterOptions = {},
) {
  const api = await startTestCluster(objects, server);
  const cluster = await liveCluster(api.kubeconfig, options);
  open.push(api, cluster);
  return { api, cluster };
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bytes) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const log = { namespace: 'shop', pod: 'web-1', container: 'app' };

describe('logs', () => {
  const logs = { 'shop/web-1/app': 'one\ntwo\nthree\n', 'shop/web-1/app/previous': 'before\n' };

  it('reads the newest lines, and those of the run before', async () => {
    const { cluster } = await both([pod('web-1')], {}, { logs });
    const { signal } = new AbortController();
    const newest = await cluster.logs({ ...log, tail: 2, signal });
    expect(newest.state === 'read' ? await textOf(newest.bytes) : newest).toBe('two\nthree\n');
    const previous = await cluster.logs({ ...log, previous: true, signal });
    expect(previous.state === 'read' ? await textOf(previous.bytes) : previous).toBe('before\n');
    expect(await cluster.logs({ ...log, pod: 'web-9', signal })).toMatchObject({ state: 'missing' });
  });

  it('follows a log, and ends quietly when its reader has had enough', async () => {
    const { api, cluster } = await both([pod('web-1')], {}, { logs });
    const reader = new AbortController();
    const read = await cluster.logs({ ...log, follow: true, tail: 1, signal: reader.signal });
    if (read.state !== 'read') throw new Error(read.reason);
    const seen: string[] = [];
    for await (const piece of read.bytes) {
      seen.push(Buffer.from(piece).toString('utf8'));
      if (seen.join('').endsWith('three\n')) api.world.containerLogs.append('shop/web-1/app', 'four\n');
      if (seen.join('').endsWith('four\n')) reader.abort();
    }
    expect(seen.join('')).toBe('three\nfour\n');
    // Whatever an abort leaves behind would be thrown by now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await cluster.list(pods)).toMatchObject({ state: 'read' });
  });

  it('says that the cluster broke off a followed log', async () => {
    const { api, cluster } = await both([pod('web-1')], {}, { logs });
    const read = await cluster.logs({ ...log, follow: true, signal: new AbortController().signal });
    if (read.state !== 'read') throw new Error(read.reason);
    const reading = (async () => {
      for await (const _ of read.bytes) api.faults.cutStreams();
    })();
    await expect(reading).rejects.toThrow(/^127\.0\.0\.1:\d+ broke off the connection\.$/);
  });
});

describe('patches', () => {
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'limits', namespace: 'shop' },
    data: { a: '1' },
  };
  const ask = { name: 'limits', namespace: 'shop', patch: { data: { a: '2' } } };

  it('are refused by a target that is not marked writable, before anything is sent', async () => {
    const { api, cluster } = await both([settings]);
    expect(await cluster.patch(configMaps, ask)).toMatchObject({
      state: 'read_only',
      reason: expect.stringContaining('CONSOLE_WRITABLE_TARGETS'),
    });
    expect(api.requests).toHaveLength(0);
  });

  it('change an object, unless somebody changed it meanwhile', async () => {
    const { cluster } = await both([settings], { writable: () => true });
    const before = await cluster.get(configMaps, 'limits', 'shop');
    const metadata = before.state === 'read' ? before.object.metadata : undefined;
    const seen = String(Reflect.get(Object(metadata), 'resourceVersion'));
    const done = await cluster.patch(configMaps, { ...ask, resourceVersion: seen });
    expect(done).toMatchObject({ state: 'done', object: { data: { a: '2' } } });
    expect(await cluster.patch(configMaps, { ...ask, resourceVersion: seen })).toMatchObject({
      state: 'conflict',
    });
    expect(await cluster.patch(configMaps, { ...ask, name: 'none' })).toMatchObject({ state: 'missing' });
  });

  it('say when they are forbidden', async () => {
    const users = [{ name: 'reader', token: 't', allow: ({ verb }: { verb: string }) => verb !== 'patch' }];
    const { cluster } = await both([settings], { writable: () => true }, { users });
    expect(await cluster.patch(configMaps, ask)).toEqual({
      state: 'forbidden',
      reason: 'Forbidden: patch configmaps limits in shop.',
    });
  });
});

describe('port-forward', () => {
  const service = (targetPort: number) => [
    pod('web-1'),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { selector: { app: 'web-1' }, ports: [{ name: 'http', port: 80, targetPort }] },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'web-x', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['10.0.0.2'], conditions: { ready: false }, targetRef: { kind: 'Pod', name: 'web-0' } },
        { addresses: ['10.0.0.1'], conditions: { ready: true }, targetRef: { kind: 'Pod', name: 'web-1' } },
      ],
      ports: [{ name: 'http', port: targetPort }],
    },
  ];

  it('reaches a web server behind a service, by number and by name of its port', async () => {
    const web = createServer((incoming, response) => {
      let size = 0;
      incoming.on('data', (piece: Buffer) => {
        size += piece.length;
      });
      incoming.on('end', () => response.end(`got ${size}`.padEnd(300_000, '.')));
    });
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    open.push({ close: () => web.close() });
    const { port } = web.address() as AddressInfo;
    const portOf: World['portOf'] = (_namespace, name, asked) =>
      name === 'web-1' && asked === 8080 ? { host: '127.0.0.1', port } : undefined;
    const { cluster } = await both(service(8080), {}, { portOf });
    for (const asked of [80, 'http']) {
      const { signal } = new AbortController();
      const stream = await cluster.forward({ namespace: 'shop', service: 'web', port: asked }, signal);
      const sent = request({ method: 'POST', path: '/', createConnection: () => stream });
      sent.end('x'.repeat(200_000));
      const [response] = await once(sent, 'response');
      const body = await textOf(response);
      expect(body.slice(0, 10)).toBe('got 200000');
      expect(body).toHaveLength(300_000);
      stream.destroy();
    }
  });

  it('says what is missing: the service, its port, a ready pod, or somebody who listens', async () => {
    const { cluster } = await both(service(8080).slice(0, 2), {}, {});
    const { signal } = new AbortController();
    const forward = (name: string, port: number) =>
      cluster.forward({ namespace: 'shop', service: name, port }, signal);
    await expect(forward('none', 80)).rejects.toThrow('The service none in shop does not exist.');
    await expect(forward('web', 81)).rejects.toThrow('The service web in shop has no port 81.');
    await expect(forward('web', 80)).rejects.toThrow(
      'The service web in shop has no ready pod for its port 80.',
    );
    const { cluster: deaf } = await both(service(8080));
    const ended = deaf
      .forward({ namespace: 'shop', service: 'web', port: 80 }, signal)
      .then((stream) => finished(stream));
    await expect(ended).rejects.toThrow('error forwarding port 8080 to pod web-1: connection refused');
  });

  it('is forbidden by name', async () => {
    const users = [
      {
        name: 'reader',
        token: 't',
        allow: ({ plural }: { plural: string }) => plural !== 'pods/portforward',
      },
    ];
    const { cluster } = await both(service(8080), {}, { users });
    const asked = cluster.forward(
      { namespace: 'shop', service: 'web', port: 80 },
      new AbortController().signal,
    );
    await expect(asked).rejects.toThrow('Forbidden: forward port 8080 of the pod web-1 in shop.');
  });
});

describe('the way to the server', () => {
  it('reads a path of the API server with its status, whatever that is', async () => {
    const { api, cluster } = await both([]);
    const { signal } = new AbortController();
    expect(await cluster.httpGet('/version', signal)).toMatchObject({ state: 'read', status: 200 });
    expect(await cluster.httpGet('/no/such/path', signal)).toMatchObject({ state: 'read', status: 404 });
    await api.stop();
    expect(await cluster.httpGet('/version', signal)).toMatchObject({ state: 'unread' });
    await api.start();
  });

  it('leads through the proxy of the kubeconfig even to this machine itself, as kubectl does', () => {
    const server = new URL('https://127.0.0.1:6443');
    expect(proxyFor(server, 'http://proxy.example:3128', {})?.host).toBe('proxy.example:3128');
    expect(proxyFor(server, undefined, { HTTPS_PROXY: 'http://proxy.example:3128' })).toBeUndefined();
  });

  it('never leads through a proxy of the environment to this machine itself', async () => {
    const nobody = 'http://127.0.0.1:9';
    const env = { HTTP_PROXY: nobody, HTTPS_PROXY: nobody, http_proxy: nobody, https_proxy: nobody };
    const { cluster } = await both([pod('web-1')], { env });
    expect(await cluster.list(pods)).toMatchObject({ state: 'read' });
    await listUntil(cluster, pods, ({ items }) => items.length === 1);
  });

  it('leads through the proxy that the kubeconfig or the environment names, unless NO_PROXY exempts the server', () => {
    const to = (server: string, noProxy = '', proxyUrl?: string) =>
      proxyFor(new URL(server), proxyUrl, { HTTPS_PROXY: 'proxy.example:3128', NO_PROXY: noProxy })?.host;
    expect(to('https://api.example')).toBe('proxy.example:3128');
    expect(to('https://api.example', '', 'socks5://jump.example:1080')).toBe('jump.example:1080');
    expect(to('https://localhost:6443')).toBeUndefined();
    expect(to('http://api.example')).toBeUndefined();
    for (const exempt of ['api.example', '.example', 'example', '*.example', '*', 'other, api.example:443'])
      expect(to('https://api.example', exempt), exempt).toBeUndefined();
    for (const other of ['i.example', 'api.example:6443', '10.0.0.0/8'])
      expect(to('https://api.example', other), other).toBeDefined();
    expect(to('https://10.1.2.3', '10.0.0.0/8')).toBeUndefined();
    expect(to('https://11.1.2.3', '10.0.0.0/8')).toBeDefined();
  });

  it('tunnels through an HTTP proxy and through a SOCKS one', async () => {
    const { api } = await both([]);
    const target = new URL(api.url);
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (incoming, socket) => {
      asked.push(`${incoming.url} ${incoming.headers['proxy-authorization'] ?? ''}`);
      const upstream = connect(Number(target.port), target.hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(upstream).pipe(socket);
      });
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    });
    const socks = createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', (ask) => {
          asked.push(ask.subarray(5, 5 + (ask[4] ?? 0)).toString());
          const upstream = connect(Number(target.port), target.hostname, () => {
            socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
            socket.pipe(upstream).pipe(socket);
          });
          upstream.on('error', () => socket.destroy());
          socket.on('error', () => upstream.destroy());
        });
      });
    });
    for (const [server, scheme] of [
      [proxy, 'http'],
      [socks, 'socks5'],
    ] as const) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      open.push({ close: () => server.close() });
      const { port } = server.address() as AddressInfo;
      const dial = dialThrough({}, new URL(`${scheme}://anna:secret@127.0.0.1:${port}`), 5_000);
      const socket = await dial(new URL('http://api.example:6443'));
      socket.write(
        'GET /version HTTP/1.1\r\nhost: x\r\nauthorization: Bearer test-token\r\nconnection: close\r\n\r\n',
      );
      expect(await textOf(socket)).toContain('HTTP/1.1 200 OK');
    }
    expect(asked).toEqual([
      `api.example:6443 Basic ${Buffer.from('anna:secret').toString('base64')}`,
      'api.example',
    ]);
    const nobody = dialThrough({}, new URL('http://127.0.0.1:9'), 5_000);
    await expect(nobody(new URL('https://api.example'))).rejects.toThrow(
      'The proxy 127.0.0.1:9 cannot be reached',
    );
  });
});
