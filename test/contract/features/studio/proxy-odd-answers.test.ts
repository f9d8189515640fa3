import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { head, type Mounted, mount, SESSION, sendRaw, startRawUpstream, until } from './proxy-harness.ts';

// What a studio may answer and Node cannot write: each becomes an answer, never an error that nobody catches.

/** The head and body of the studio's next answer, and the time between them in ms. */
let answer: { head: string; body: string; apart: number };
/** Connections of the studio that are open. */
let open = 0;
let studio: Awaited<ReturnType<typeof startRawUpstream>>;
let mounted: Mounted;

beforeAll(async () => {
  studio = await startRawUpstream((socket) => {
    open++;
    socket.on('close', () => open--);
    socket.on('data', async () => {
      if (answer.head === '') return;
      if (answer.apart === 0) {
        socket.end(Buffer.from(answer.head + answer.body, 'latin1'));
        return;
      }
      socket.write(Buffer.from(answer.head, 'latin1'));
      await sleep(answer.apart);
      socket.end(Buffer.from(answer.body, 'latin1'));
    });
  });
  mounted = await mount(studio.url);
});
afterAll(async () => {
  await mounted.stop();
  await studio.stop();
});

const sized = (status: string, ...lines: string[]): string =>
  [`HTTP/1.1 ${status}`, ...lines, 'Content-Length: 2', '', ''].join('\r\n');

const cases: [what: string, head: string, body: string, request: string][] = [
  ['a reason phrase in latin1', sized('200 caf\xe9'), 'ok', head('GET /studio/')],
  [
    'a reason phrase in UTF-8',
    sized(`200 ${Buffer.from('✓').toString('latin1')}`),
    'ok',
    head('GET /studio/'),
  ],
  ['a control character in its reason phrase', sized('200 a\x01'), 'ok', head('GET /studio/')],
  ['Trailer with a length', sized('200 OK', 'Trailer: X-A'), 'ok', head('GET /studio/')],
  [
    'Trailer with chunks to an HTTP/1.0 client',
    'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nTransfer-Encoding: chunked\r\n\r\n',
    '2\r\nok\r\n0\r\nX-A: 1\r\n\r\n',
    `GET /studio/ HTTP/1.0\r\nHost: console.test\r\nCookie: ${SESSION}\r\n\r\n`,
  ],
  [
    'Trailer with chunks and none sent',
    'HTTP/1.1 200 OK\r\nTrailer: X-A\r\nTransfer-Encoding: chunked\r\n\r\n',
    '2\r\nok\r\n0\r\n\r\n',
    head('GET /studio/'),
  ],
  ['Trailer with 204', 'HTTP/1.1 204 No Content\r\nTrailer: X-A\r\n\r\n', '', head('GET /studio/')],
  ['Trailer with 304', 'HTTP/1.1 304 Not Modified\r\nTrailer: X-A\r\n\r\n', '', head('GET /studio/')],
  ['Trailer with HEAD', sized('200 OK', 'Trailer: X-A'), '', head('HEAD /studio/')],
  ['Trailer and its end by closing', 'HTTP/1.1 200 OK\r\nTrailer: X-A\r\n\r\n', 'ok', head('GET /studio/')],
];

describe.each([
  ['in one packet', 0],
  ['with its body later', 60],
])('a studio that answers %s', (_how, apart) => {
  it.each(cases)('%s is passed on whole', async (_what, itsHead, body, request) => {
    answer = { head: itsHead, body, apart };
    const got = await sendRaw(mounted.port, request, apart === 0 ? undefined : 1_000);
    expect(got.status).toBe(Number(/ (\d{3})/.exec(itsHead)?.[1]));
    if (body !== '') expect(got.text).toMatch(/\r\n\r\n(?:2\r\n)?ok/);
    await until(() => mounted.proxy.openStreams() === 0);
  });
});

test('a WebSocket client that leaves before the studio has answered leaves nothing open', async () => {
  await until(() => open === 0);
  answer = { head: '', body: '', apart: 0 };
  const upgrade = head(
    'GET /studio/ws',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
  );
  for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
    const socket = connect(mounted.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(upgrade);
    await until(() => open === 1 && mounted.proxy.openStreams() === 1);
    socket[leave]();
    await until(() => open === 0 && mounted.proxy.openStreams() === 0);
  }
});
