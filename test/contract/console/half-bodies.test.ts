import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ServingConsole, serveConsole } from '../../support/console-process.ts';
import { rawRequest } from '../../support/raw-request.ts';

// Half a body, half a head or silence holds no place for long, and never the last one.

/** Descriptors the console may have: a process of a busy server has few to spare. */
const descriptors = 200;

let folder: string;
let running: ServingConsole;
let studio: Server;
const clients: Socket[] = [];
const fewDescriptors = (): boolean =>
  spawnSync('prlimit', ['--pid', String(running.child.pid), `--nofile=${descriptors}:4096`]).status === 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'half-'));
  // A studio that accepts and never answers: its half bodies are under way.
  studio = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => studio.listen(0, '127.0.0.1', resolve));
  running = await serveConsole(folder, {
    STUDIO_UPSTREAM: `http://127.0.0.1:${(studio.address() as AddressInfo).port}`,
    CONSOLE_STUDIO_IDENTITY_KEY: Buffer.alloc(32, 5).toString('base64'),
  });
});
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});
afterAll(async () => {
  await running.stop();
  studio.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens connections that send these bytes and nothing more. */
function hold(count: number, bytes: string): void {
  const { port } = new URL(running.url);
  for (let i = 0; i < count; i++) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => socket.destroy());
    if (bytes !== '') socket.write(bytes);
    socket.resume();
    clients.push(socket);
  }
}

const open = (): number => clients.filter((socket) => !socket.destroyed).length;

/** Milliseconds until /healthz answers, asked anew each time it does not. */
async function reachable(): Promise<number> {
  const began = performance.now();
  for (;;) {
    const answer = await rawRequest(running.url, head('GET /healthz', 'Connection: close')).catch(() => '');
    if (answer.endsWith('ok')) return performance.now() - began;
    if (performance.now() - began > 20_000) return Number.POSITIVE_INFINITY;
    await sleep(50);
  }
}

const head = (line: string, ...lines: string[]): string =>
  [`${line} HTTP/1.1`, `Host: ${new URL(running.url).host}`, ...lines, '', ''].join('\r\n');
const password = (): string =>
  `${head('POST /auth/password', 'Content-Type: application/json', 'Content-Length: 1000000')}{`;
const rpc = (): string =>
  `${head('POST /profile.v1.ProfileService/Get', 'Content-Type: application/grpc-web+proto', 'Content-Length: 1000')}x`;

describe('a console', () => {
  it('holds 96 of 1,000 half bodies without a session for ten seconds at most, and answers meanwhile', async () => {
    hold(500, password());
    hold(500, rpc());
    expect(await reachable()).toBeLessThan(3000);
    await sleep(2500);
    expect(open()).toBeLessThanOrEqual(96);
    await sleep(10_500);
    expect(open()).toBe(0);
  });

  it.each([
    ['half bodies', password],
    ['half heads', () => 'GET / HTTP/1.1\r\nHos'],
    ['silent connections', () => ''],
  ])(`is reached within seconds while 260 %s want its ${descriptors} descriptors`, async (_what, bytes) => {
    if (!fewDescriptors()) return;
    hold(260, bytes());
    await sleep(300);
    expect(await reachable()).toBeLessThan(5000);
  });

  it('keeps 64 half bodies of one session for the studio', async () => {
    const cookie = await running.cookie();
    const bytes = `${head('POST /studio/upload', `Cookie: ${cookie}`, 'Content-Length: 1000000')}x`;
    hold(80, bytes);
    await sleep(3000);
    expect(open()).toBe(64);
  });
});
