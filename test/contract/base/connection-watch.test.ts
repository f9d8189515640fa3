import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { knownSender, type WaitingBounds } from '../../../src-main/base/connection-watch.ts';
import { answerWith, httpServer } from '../../../src-main/base/http-server.ts';

const bounds: WaitingBounds = { unknownStill: 500, knownStill: 1500, mostWaiting: 5, mostOfOne: 3 };

let server: Server;
const clients = new Set<Socket>();
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients.clear();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Bytes that the server's handlers have read. */
let taken = 0;

/** A server that takes bodies, and knows senders by a header. */
async function start(reads = true): Promise<void> {
  taken = 0;
  server = httpServer({ waiting: bounds });
  answerWith(server, {
    request(request, response) {
      const { from } = request.headers;
      if (from !== undefined) knownSender(request, from);
      if (!reads) return;
      request.on('data', (bytes: Buffer) => {
        taken += bytes.length;
      });
      request.on('end', () => response.end('taken'));
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

/** A client that has sent these bytes; its answer is kept, and when it was closed. */
function client(bytes: string): { socket: Socket; answer: () => string; closed: Promise<number> } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  clients.add(socket);
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    answer += data;
  });
  const began = performance.now();
  const closed = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now() - began)),
  );
  if (bytes !== '') socket.write(bytes);
  return { socket, answer: () => answer, closed };
}

const half = (from?: string): string =>
  `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n${from === undefined ? '' : `From: ${from}\r\n`}\r\nx`;

const isOpen = ({ socket }: { socket: Socket }): boolean => !socket.destroyed;

describe('a half body', () => {
  it('of somebody unknown that stands still is answered 408 and its connection closed', async () => {
    await start();
    const { answer, closed } = client(half());
    expect(await closed).toBeLessThan(3000);
    expect(answer()).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('of somebody known has longer, and is cut as well', async () => {
    await start();
    const known = client(half('ann'));
    const ms = await known.closed;
    expect(ms).toBeGreaterThan(1400);
    expect(ms).toBeLessThan(4500);
  });

  it('that keeps moving is taken whole, however long it takes', async () => {
    await start();
    const moving = client(half('ann'));
    for (let sent = 1; sent < 100_000; sent += 11_111) {
      await sleep(400);
      moving.socket.write('y'.repeat(Math.min(11_111, 100_000 - sent)));
    }
    await sleep(200);
    expect(moving.answer()).toMatch(/^HTTP\/1\.1 200 [\s\S]*taken/);
    expect(taken).toBe(100_000);
  });

  it('that is not read here is not held against its sender', async () => {
    await start(false);
    const unread = client(`${half()}${'x'.repeat(99_000)}`);
    await sleep(2500);
    expect(isOpen(unread)).toBe(true);
  });
});

describe('of connections that wait', () => {
  it('the longest waiting are closed above their bound: silent ones, half heads and half bodies together', async () => {
    await start();
    const silent = Array.from({ length: 4 }, () => client(''));
    await sleep(50);
    const heads = Array.from({ length: 4 }, () => client('GET / HTTP/1.1\r\nHos'));
    await sleep(2300);
    expect(silent.filter(isOpen).length + heads.filter(isOpen).length).toBe(5);
    expect(heads.filter(isOpen)).toHaveLength(4);
  });

  it('none of a burst is closed before it had its turn to be read', async () => {
    await start();
    const burst = Array.from({ length: 30 }, () => client(''));
    await sleep(1300);
    expect(burst.filter(isOpen)).toHaveLength(30);
    for (const { socket } of burst) socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await sleep(500);
    expect(burst.filter(({ answer }) => answer().startsWith('HTTP/1.1 '))).toHaveLength(30);
  });

  it('each known sender may have so many half bodies, and no other loses one for them', async () => {
    await start();
    const ben = client(half('ben'));
    const ann = Array.from({ length: 6 }, () => client(half('ann')));
    await expect.poll(() => ann.filter(isOpen).length, { timeout: 10_000, interval: 20 }).toBe(3);
    expect(isOpen(ben)).toBe(true);
  });
});
