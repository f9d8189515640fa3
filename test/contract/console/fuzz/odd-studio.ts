import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf } from './random.ts';

const statuses = [
  '200 OK',
  '200 OK',
  '200 caf\xe9',
  '200 \xe2\x9c\x93',
  '200 a\x01',
  '200',
  '204 No Content',
  '304 Not Modified',
  '205 Reset',
  '101 Switching Protocols',
  '100 Continue',
  '103 Early Hints',
  '099 Low',
  '999 High',
  '1000 Higher',
  '000 None',
  '302 Found',
  '407 Proxy',
  '500 Oh',
  'OK 200',
];

const lines = [
  'Content-Type: text/html',
  'Trailer: X-A',
  'Trailer: Content-Length, X-A',
  'Connection: close',
  'Connection: keep-alive, trailer',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Upgrade: h2c',
  'Keep-Alive: timeout=0',
  'Content-Length: 2',
  'Content-Length: 3',
  'Content-Length: 0',
  'Content-Length: -1',
  'Content-Length: 2\r\nContent-Length: 3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: identity',
  'Set-Cookie: console_session=x',
  'Set-Cookie: a=\xff',
  'Location: //elsewhere\x7f',
  'X-Bell: a\x07b',
  'X-Nul: a\0b',
  ' folded: line',
  'no colon',
  'X Y: z',
  ': nameless',
  'Date: never',
  'Content-Encoding: gzip',
  'Grpc-Status: 0',
  `X-Long: ${'z'.repeat(30_000)}`,
  `X-Longer: ${'z'.repeat(70_000)}`,
];

const bodies = [
  '',
  'ok',
  'okay',
  '2\r\nok\r\n0\r\n\r\n',
  '2\r\nok\r\n0\r\nX-A: 1\r\n\r\n',
  '2\r\nok\r\n0\r\nX-A: \x01\r\nContent-Length: 1\r\n\r\n',
  '2\r\nok\r\n',
  'zz\r\nok\r\n',
  'ok'.repeat(20_000),
  '\x81\x02hi',
];

/** A studio whose answer is made of the number in the address it is asked for. */
export type OddStudio = { readonly url: string; close(): Promise<void> };

/** Starts it on loopback. Each of its connections ends within a moment. */
export async function startOddStudio(): Promise<OddStudio> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    socket.setEncoding('latin1');
    let head = '';
    socket.on('data', (text) => {
      head += text;
      if (!head.includes('\r\n\r\n')) return;
      const seed = Number(/ \/o\/(\d+)/.exec(head)?.[1] ?? 1);
      head = '';
      void answer(socket, seed);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(socket: Socket, seed: number): Promise<void> {
  const random = randomOf(seed);
  const count = random.below(4);
  const head = [
    `HTTP/1.${random.chance(0.9) ? 1 : random.below(3)} ${random.pick(statuses)}`,
    ...Array.from({ length: count }, () => random.pick(lines)),
    '',
    '',
  ].join('\r\n');
  const early = random.chance(0.1) ? 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n' : '';
  const bytes = Buffer.from(early + head + random.pick(bodies), 'latin1');
  const cut = random.chance(0.15) ? random.below(bytes.length) : bytes.length;
  const apart = random.chance(0.5) ? Math.min(cut, head.length) : cut;
  socket.write(bytes.subarray(0, apart));
  if (apart < cut) {
    await sleep(random.below(12));
    socket.write(bytes.subarray(apart, cut));
  }
  // Some answers leave the connection open for another, but not for ever.
  if (random.chance(0.5)) await sleep(random.below(30));
  if (random.chance(0.15)) socket.resetAndDestroy();
  else socket.end();
}
