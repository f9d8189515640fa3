import { connect } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { parseStudioEndpoint } from '../../../../src-main/config/index.ts';
import { type Mounted, mount, portOf, SESSION, startUpstream, type Upstream } from './proxy-harness.ts';

const address = 'http://studio.platform.svc:8080';
const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop();
});

/** A connection as a port-forward gives it: a stream that is no socket, with bytes of another connection in it. */
function tunnel(port: number): Duplex {
  const socket = connect(port, '127.0.0.1');
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, encoding, done) => void socket.write(chunk, encoding, () => done()),
    final: (done) => void socket.end(() => done()),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk) => {
    if (!stream.push(chunk)) socket.pause();
  });
  socket.on('end', () => stream.push(null));
  socket.on('error', (error) => stream.destroy(error));
  return stream;
}

async function through(upstream: Upstream): Promise<Mounted & { dials: () => number }> {
  let dials = 0;
  const mounted = await mount(address, {
    dial: async () => {
      dials += 1;
      return tunnel(portOf(upstream.server));
    },
  });
  open.push(mounted, upstream);
  return { ...mounted, dials: () => dials };
}

const get = (mounted: Mounted, path = '/studio/', init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${mounted.port}${path}`, {
    ...init,
    headers: { cookie: SESSION, ...init.headers },
  });

describe('a studio in a cluster, through its API', () => {
  it('is reached on one connection for many requests, under the name of its service', async () => {
    const upstream = await startUpstream((req, res) => res.end(`answer to ${req.url}`));
    const mounted = await through(upstream);
    for (const path of ['a', 'b', 'c'])
      expect(await (await get(mounted, `/studio/${path}`)).text()).toBe(`answer to /${path}`);
    expect(mounted.dials()).toBe(1);
    expect(upstream.seen[0]?.headers.host).toBe('studio.platform.svc:8080');
  });

  it('carries 8 MB each way, whole', async () => {
    const upstream = await startUpstream((req, res) => {
      const pieces: Buffer[] = [];
      req.on('data', (piece: Buffer) => pieces.push(piece));
      req.on('end', () => res.end(Buffer.concat(pieces)));
    });
    const mounted = await through(upstream);
    const body = Buffer.alloc(8 << 20, 'the quick brown fox ');
    const answer = await get(mounted, '/studio/echo', { method: 'POST', body });
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
  });

  it('streams message by message', async () => {
    const upstream = await startUpstream(async (_req, res) => {
      res.write('first');
      await after(300);
      res.end('second');
    });
    const mounted = await through(upstream);
    const reader = (await get(mounted)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('first');
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('second');
  });

  it('upgrades a WebSocket', async () => {
    const upstream = await startUpstream((_req, res) => res.end());
    const sockets = new WebSocketServer({ server: upstream.server });
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`heard ${data}`)));
    const mounted = await through(upstream);
    const socket = new WebSocket(`ws://127.0.0.1:${mounted.port}/studio/live`, {
      headers: { cookie: SESSION },
    });
    const heard = await new Promise<string>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('open', () => socket.send('hello'));
      socket.on('message', (data) => resolve(String(data)));
    });
    expect(heard).toBe('heard hello');
    socket.close();
    sockets.close();
  });

  it('connects anew when the tunnel has broken, and says so while it cannot', async () => {
    const upstream = await startUpstream((_req, res) => res.end('here'));
    let broken = false;
    const tunnels: Duplex[] = [];
    const mounted = await mount(address, {
      dial: async () => {
        if (broken) throw new Error('the API server did not answer');
        const stream = tunnel(portOf(upstream.server));
        tunnels.push(stream);
        return stream;
      },
    });
    open.push(mounted, upstream);
    expect(await (await get(mounted)).text()).toBe('here');
    broken = true;
    for (const stream of tunnels) stream.destroy();
    const refused = await get(mounted);
    expect(refused.status).toBe(502);
    expect(await refused.json()).toEqual({ error: expect.any(String) });
    broken = false;
    expect(await (await get(mounted)).text()).toBe('here');
  });
});

describe('STUDIO_UPSTREAM', () => {
  it('names a service of the default context, or of another', () => {
    expect(parseStudioEndpoint('cluster://platform/studio:8080')).toMatchObject({
      through: { target: undefined, namespace: 'platform', service: 'studio', port: 8080 },
    });
    expect(parseStudioEndpoint('cluster://prod-eu-1@platform/studio:8080').through?.target).toBe('prod-eu-1');
    expect(parseStudioEndpoint('http://studio:8080').through).toBeUndefined();
  });

  it.each([
    'cluster://platform',
    'cluster://platform/studio',
    'cluster://platform/studio:0',
    'cluster:///studio:80',
  ])('refuses %s with the form it must have', (value) => {
    expect(() => parseStudioEndpoint(value)).toThrow(/cluster:\/\/NAMESPACE\/SERVICE:PORT/);
  });
});
