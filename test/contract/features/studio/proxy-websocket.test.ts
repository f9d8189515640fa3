import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { head, listen, type Mounted, mount, SESSION, sendRaw, stopServer, until } from './proxy-harness.ts';

const studio = createServer((_req, res) => res.end('plain'));
const sockets = new WebSocketServer({ noServer: true });
let mounted: Mounted;
let identity: unknown;
let cookie: unknown;

beforeAll(async () => {
  studio.on('upgrade', (req, socket, first) => {
    identity = req.headers['x-console-identity'];
    cookie = req.headers.cookie;
    if (req.url === '/refuse') {
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\nSet-Cookie: console_session=x\r\n\r\nno');
      return;
    }
    sockets.handleUpgrade(req, socket, first, (ws) => {
      ws.on('message', (data, binary) => ws.send(data, { binary }));
      ws.on('error', () => {});
    });
  });
  mounted = await mount(`http://127.0.0.1:${await listen(studio)}`);
});
afterAll(async () => {
  await mounted.stop();
  await stopServer(studio);
});

const dial = (path: string, headers: Record<string, string> = { cookie: `a=1; ${SESSION}` }): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${mounted.port}${path}`, { headers });

test('a WebSocket echoes through the proxy, with the identity and without the session', async () => {
  const ws = dial('/studio/ws', { cookie: `a=1; ${SESSION}`, 'x-console-identity': 'planted' });
  await new Promise((done, fail) => ws.on('open', done).on('error', fail));
  expect(mounted.proxy.openStreams()).toBe(1);
  const echoed: string[] = [];
  ws.on('message', (data) => echoed.push(String(data)));
  const large = 'x'.repeat(300_000);
  for (const text of ['one', 'two', large]) ws.send(text);
  await until(() => echoed.length === 3);
  expect(echoed).toEqual(['one', 'two', large]);
  expect(String(identity)).toMatch(/^eyJ/);
  expect(cookie).toBe('a=1');
  ws.close();
  await until(() => mounted.proxy.openStreams() === 0 && sockets.clients.size === 0);
});

test('a WebSocket client that vanishes leaves nothing at the studio, and the other way round', async () => {
  const vanishing = dial('/studio/ws');
  await new Promise((done) => vanishing.on('open', done));
  vanishing.terminate();
  await until(() => mounted.proxy.openStreams() === 0);
  const left = dial('/studio/ws');
  await new Promise((done) => left.on('open', done));
  const closed = new Promise((done) => left.on('close', done));
  for (const ws of sockets.clients) ws.terminate();
  await closed;
  await until(() => mounted.proxy.openStreams() === 0);
});

test('a WebSocket without a session is refused with 401 and never reaches the studio', async () => {
  identity = undefined;
  const status = await new Promise((done) => {
    const ws = dial('/studio/ws', {});
    ws.on('error', () => {});
    ws.on('unexpected-response', (_req, res) => done(res.statusCode));
  });
  expect(status).toBe(401);
  expect(identity).toBeUndefined();
});

const UPGRADE = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];

test('an answer of the studio other than 101 is relayed', async () => {
  const answer = await sendRaw(
    mounted.port,
    head('GET /studio/refuse', 'Connection: Upgrade', 'Upgrade: websocket', ...UPGRADE),
  );
  expect(answer.status).toBe(403);
  expect(answer.text).toMatch(/\r\n\r\nno$/);
  expect(answer.text).not.toContain('console_session');
  expect(mounted.proxy.openStreams()).toBe(0);
});

test('an upgrade out of the prefix or to another protocol does not switch', async () => {
  const climbing = head('GET /studio/../ws', 'Connection: Upgrade', 'Upgrade: websocket', ...UPGRADE);
  expect((await sendRaw(mounted.port, climbing)).status).toBe(400);
  const h2c = head(
    'GET /studio/x',
    'Connection: Upgrade, HTTP2-Settings',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABk',
  );
  const answer = await sendRaw(mounted.port, h2c);
  expect(answer.status).toBe(200);
  expect(answer.text).toContain('plain');
});
