import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServingConsole, serveConsole } from '../../support/console-process.ts';
import { listeningPorts } from '../../support/listening-ports.ts';

// Nothing that a peer sends without a session ends the process. It runs as a process of its own, with its sandbox.

let folder: string;
let running: ServingConsole;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  running = await serveConsole(folder, {}, ['--sandbox']);
});
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

const upgradeLines = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
];

const head = (line: string, ...lines: string[]): string =>
  [`${line} HTTP/1.1`, `Host: ${new URL(running.url).host}`, ...lines, '', ''].join('\r\n');

/** Sends bytes to a port and resets the connection after `ms`, its answer unread. */
async function sendAndReset(port: number, bytes: string, ms: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.pause();
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  socket.write(bytes);
  await sleep(ms);
  socket.resetAndDestroy();
}

/** Fails when the console has ended, or does not answer. */
async function expectAlive(): Promise<void> {
  await sleep(50);
  expect(running.child.exitCode, running.said()).toBeNull();
  const answer = await fetch(`${running.url}/healthz`, { signal: AbortSignal.timeout(5000) });
  expect(await answer.text()).toBe('ok');
  expect(running.said()).not.toContain('uncaught error');
}

const port = (): number => Number(new URL(running.url).port);

describe('a console', () => {
  it.each(['GET /', 'GET /api/me', 'GET /studio/', 'POST /auth/password', 'GET /healthz'])(
    'outlives %s with a WebSocket upgrade of the studio pipelined behind it',
    async (line) => {
      const bytes = head(line) + head('GET /studio/', ...upgradeLines);
      for (const ms of [0, 1, 5, 100]) await sendAndReset(port(), bytes, ms);
      await sendAndReset(port(), head(line) + bytes, 100);
      await expectAlive();
    },
  );

  it.each([
    ['of a foreign Host', () => head('GET /x', ...upgradeLines).replace(/^Host: .*$/m, 'Host: elsewhere')],
    ['of an address that has none', () => head('GET /api/me', ...upgradeLines)],
    ['of the studio without a session', () => head('GET /studio/', ...upgradeLines)],
  ])('outlives a refused upgrade %s whose client resets', async (_what, bytes) => {
    for (let round = 0; round < 12; round++) {
      const resets = Array.from({ length: 12 }, (_, i) => sendAndReset(port(), bytes(), i % 8));
      await Promise.all(resets);
    }
    await expectAlive();
  });

  it('closes the connection of a refused upgrade whose client does not', async () => {
    const socket = connect({ port: port(), host: '127.0.0.1', allowHalfOpen: true });
    socket.write(head('GET /api/me', ...upgradeLines));
    const began = Date.now();
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes;
    });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // A byte now and then shows whether the other side is still there.
    const timer = setInterval(() => socket.write('x'), 200);
    socket.on('error', () => socket.destroy());
    await closed;
    clearInterval(timer);
    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
    expect(Date.now() - began).toBeLessThan(5000);
  });

  it.each(['//[', '//%%%/', 'http://[::1/', '/\\', '*', '//a:b@[::/', '/%'])(
    'outlives GET %s at every port it and its sandbox open',
    async (target) => {
      const ports = listeningPorts(running.child.pid ?? 0);
      if (process.platform === 'linux') expect(ports.length).toBeGreaterThan(10);
      for (const each of ports) {
        const line = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${each}\r\n`;
        await sendAndReset(each, `${line}\r\n`, 5);
        await sendAndReset(each, `${line}Content-Type: application/grpc-web+proto\r\n\r\n`, 5);
      }
      await expectAlive();
    },
  );
});
