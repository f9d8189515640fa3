import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Contestant, firstLine, residentBytes, startNode } from './children.ts';

const COOKIE = 'console_session=test';
const GIB = 1024 ** 3;

const ask = (port: number, path: string, method = 'GET', size?: number): ReturnType<typeof request> =>
  request({
    port,
    host: '127.0.0.1',
    path,
    method,
    agent: false,
    headers: {
      cookie: COOKIE,
      'x-console-identity': 'x',
      ...(size === undefined ? {} : { 'content-length': size }),
    },
  });

const answerOf = (asked: ReturnType<typeof request>): Promise<IncomingMessage> =>
  new Promise((done, fail) => asked.on('response', done).on('error', fail));

const percentile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/**
 * Returns the latency the proxy adds to a streamed message, in milliseconds: ten streams through it and ten
 * beside it at the same time, so that the machine's load affects both.
 */
export async function addedDelay(
  contestant: Contestant,
  directPort: number,
): Promise<{ p50: number; p99: number }> {
  const sides = await Promise.all(
    [contestant.port, directPort].map(async (port) => {
      const delays: number[] = [];
      const responses = await Promise.all(
        Array.from({ length: 10 }, async () => {
          const asked = ask(port, '/studio/ticks');
          asked.end();
          const response = await answerOf(asked);
          response.on('error', () => {});
          response.on('data', (message: Buffer) => {
            const now = process.hrtime.bigint();
            for (let at = 0; at + 8 <= message.length; at += 64)
              delays.push(Number(now - message.readBigUInt64BE(at)) / 1e6);
          });
          return response;
        }),
      );
      await sleep(500);
      const windows: Float64Array[] = [];
      for (let window = 0; window < 7; window++) {
        delays.length = 0;
        await sleep(700);
        windows.push(Float64Array.from(delays).sort());
      }
      for (const response of responses) response.destroy();
      return windows;
    }),
  );
  const [through = [], direct = []] = sides;
  // The median of the windows: one window in which the machine did something else does not decide.
  const added = (share: number): number => {
    const differences = through.map(
      (window, i) => percentile(window, share) - percentile(direct[i] ?? window, share),
    );
    return percentile(Float64Array.from(differences).sort(), 0.5);
  };
  return { p50: added(0.5), p99: added(0.99) };
}

/** Bytes of the proxy's memory for each of 2,000 open streams that have sent a message. */
export async function bytesPerStream(contestant: Contestant): Promise<number> {
  const COUNT = 2_000;
  // The heap at its working size: V8's young generation grows to 48 MB with any traffic and is no stream's share.
  await firstLine(startNode('load.ts', [String(contestant.port), '64', '10000']));
  await contestant.collect();
  const before = residentBytes(contestant.pids);
  const sockets: Socket[] = [];
  for (let begun = 0; begun < COUNT; begun += 100)
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = connect(contestant.port, '127.0.0.1');
        sockets.push(socket);
        socket.write(`GET /studio/hold HTTP/1.1\r\nHost: a\r\nCookie: ${COOKIE}\r\n\r\n`);
        let got = '';
        await new Promise<void>((done, fail) => {
          socket.on('error', fail);
          socket.on('data', (data) => {
            got += String(data);
            if (got.includes('first')) done();
          });
        });
      }),
    );
  await sleep(500);
  await contestant.collect();
  const after = residentBytes(contestant.pids);
  for (const socket of sockets) socket.destroy();
  await sleep(300);
  return (after - before) / COUNT;
}

/** Growth of the proxy's memory in bytes, at its highest, while 1 GiB goes up and 1 GiB comes down; and the seconds. */
export async function giantBodies(contestant: Contestant): Promise<{ growth: number; seconds: number }> {
  // A first transfer fills the buffers and pools a running proxy has anyway.
  await download(contestant, 64 * 1024 ** 2);
  await contestant.collect();
  const before = residentBytes(contestant.pids);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(contestant.pids));
  }, 20);
  const begin = performance.now();
  await download(contestant, GIB);
  await upload(contestant, GIB);
  clearInterval(watch);
  return { growth: most - before, seconds: (performance.now() - begin) / 1000 };
}

async function download(contestant: Contestant, size: number): Promise<void> {
  const asked = ask(contestant.port, `/studio/source?bytes=${size}`);
  asked.end();
  let bytes = 0;
  for await (const chunk of await answerOf(asked)) bytes += chunk.length;
  if (bytes !== size) throw new Error(`${contestant.name} delivered ${bytes} of ${size} bytes`);
}

async function upload(contestant: Contestant, size: number): Promise<void> {
  const asked = ask(contestant.port, '/studio/sink', 'POST', size);
  const block = Buffer.alloc(256 * 1024, 1);
  for (let sent = 0; sent < size; sent += block.length)
    if (!asked.write(block)) await new Promise((done) => asked.once('drain', done));
  asked.end();
  let text = '';
  for await (const chunk of await answerOf(asked)) text += String(chunk);
  if (text !== String(size)) throw new Error(`${contestant.name} uploaded ${text} of ${size} bytes`);
}
