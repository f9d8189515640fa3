import { createHash } from 'node:crypto';
import { Agent, request as ask, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { routeTable } from '../../../src-shared/api/index.ts';
import { tarBytes } from '../../support/tar-bytes.ts';

/** The load to put on a console. */
export type Load = {
  readonly url: string;
  /** Cookie headers of those who ask and upload, and who follow events. */
  readonly cookies: readonly string[];
  /** Event streams, spread over the people. */
  readonly streams: number;
  readonly halfBodies: number;
  readonly uploads: number;
  readonly requests: number;
};

/** What became of it: how often each status was answered, by the part of the load. */
export type Outcome = {
  readonly requests: Statuses;
  readonly uploads: Statuses;
  readonly streams: Statuses;
  /** Half bodies that the console had closed by the end. */
  readonly halfBodiesClosed: number;
  readonly events: number;
  readonly seconds: number;
};
type Statuses = Readonly<Record<string, number>>;

const requestsAtOnce = 24;

/** Addresses that a person's window asks for, from the route table: what reads, with no parameter. */
const readable: readonly string[] = routeTable
  .filter(
    ({ method, path, access, answer }) =>
      method === 'GET' &&
      path.startsWith('/api/') &&
      !path.includes('{') &&
      (access.kind === 'read' || access.kind === 'open') &&
      answer !== 'events' &&
      answer !== 'stream',
  )
  .map(({ path }) => path);
/** What it is asked besides: nothing there, no right to it, no JSON, a foreign page, the web app itself. */
const odd: readonly { readonly method: string; readonly path: string; readonly body?: string }[] = [
  { method: 'GET', path: '/' },
  { method: 'GET', path: '/api/nothing-here' },
  { method: 'GET', path: '/api/namespaces/not-there' },
  { method: 'POST', path: '/api/targets/select', body: '{"target":' },
  { method: 'POST', path: '/api/targets/select', body: JSON.stringify({ target: 'x'.repeat(100_000) }) },
  { method: 'DELETE', path: '/api/bundles/abcdefgh' },
  { method: 'GET', path: '/studio/' },
];

// Ends with the bench, however that ends.
process.on('disconnect', () => process.exit());
process.on('message', async (load: Load) => {
  process.send?.(await putOn(load));
});

async function putOn(load: Load): Promise<Outcome> {
  const from = performance.now();
  const streams = openStreams(load);
  const half = sendHalfBodies(load);
  const [requests, uploads] = await Promise.all([sendRequests(load), upload(load)]);
  const seconds = (performance.now() - from) / 1000;
  // Of nobody known the console waits 10 s for a body.
  await after(Math.max(0, 15_000 - seconds * 1000));
  const outcome = {
    requests,
    uploads,
    streams: streams.statuses,
    events: streams.events(),
    halfBodiesClosed: half.closed(),
    seconds,
  };
  streams.end();
  half.end();
  await closeBundles(load);
  return outcome;
}

function openStreams({ url, cookies, streams }: Load) {
  const statuses: Record<string, number> = {};
  const open = new Set<IncomingMessage>();
  let events = 0;
  for (let index = 0; index < streams; index += 1) {
    const asked = ask(`${url}/api/targets/changes`, {
      agent: false,
      headers: { accept: 'text/event-stream', cookie: cookies[index % cookies.length] },
    });
    asked.on('error', () => count(statuses, 'reset'));
    asked.on('response', (answer) => {
      count(statuses, String(answer.statusCode));
      open.add(answer);
      answer.on('error', () => undefined);
      answer.on('data', (bytes: Buffer) => {
        events += bytes.toString('latin1').split('event:').length - 1;
      });
    });
    asked.end();
  }
  return {
    statuses,
    events: () => events,
    end: () => {
      for (const answer of open) answer.destroy();
    },
  };
}

function sendHalfBodies({ url, halfBodies }: Load) {
  const { hostname, port, host } = new URL(url);
  const sockets: Socket[] = [];
  let closed = 0;
  for (let index = 0; index < halfBodies; index += 1) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
    socket.resume();
    socket.write(
      `POST /auth/password HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`,
    );
    sockets.push(socket);
  }
  return {
    closed: () => closed,
    end: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function sendRequests({ url, cookies, requests }: Load): Promise<Statuses> {
  const agent = new Agent({ keepAlive: true, maxSockets: requestsAtOnce });
  const statuses: Record<string, number> = {};
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < requests) {
      const index = next;
      next += 1;
      const one =
        index % 10 === 9
          ? odd[Math.floor(index / 10) % odd.length]
          : { method: 'GET', path: readable[index % readable.length] ?? '/', body: undefined };
      if (one === undefined) return;
      const cookie = cookies[index % cookies.length] ?? '';
      const headers = { cookie, ...(one.body === undefined ? {} : { 'content-type': 'application/json' }) };
      count(statuses, await send(`${url}${one.path}`, { agent, method: one.method, headers }, one.body));
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
  agent.destroy();
  return statuses;
}

/** A bundle of 10 MB in the archive, 40 MB unpacked. */
function bundle(index: number): Buffer {
  const lines = Array.from({ length: 40_000 }, (_, at) => {
    const hash = createHash('sha256').update(`${index} ${at}`).digest('hex');
    return `2026-01-01T00:00:00Z level=info msg="request done" id=${hash}\n`;
  });
  const log = Buffer.from(lines.join(''));
  const files = Array.from({ length: 10 }, (_, at) => ({
    name: `capture/namespaces/n${at}/pods/p/p/logs/current.log`,
    content: log,
  }));
  return gzipSync(tarBytes(files), { level: 1 });
}

async function upload({ url, cookies, uploads }: Load): Promise<Statuses> {
  const statuses: Record<string, number> = {};
  const bundles = [bundle(0), bundle(1)];
  await Promise.all(
    Array.from({ length: uploads }, async (_, index) => {
      const cookie = cookies[index % cookies.length] ?? '';
      const headers = { cookie, 'content-type': 'application/octet-stream' };
      const address = `${url}/api/bundles?name=bundle-${index}.tar.gz`;
      count(
        statuses,
        await send(address, { agent: false, method: 'POST', headers }, bundles[index % bundles.length]),
      );
    }),
  );
  return statuses;
}

/** Closes what each person opened, as they go. */
async function closeBundles({ url, cookies }: Load): Promise<void> {
  const answer = await fetch(`${url}/api/bundles`, { headers: { cookie: cookies[0] ?? '' } });
  const { items } = (await answer.json()) as { items: readonly { id: string }[] };
  for (const { id } of items)
    for (const cookie of cookies)
      await send(`${url}/api/bundles/${id}`, { agent: false, method: 'DELETE', headers: { cookie } });
}

/** Sends a request and reads its answer to the end. Returns its status, or `reset`. */
function send(
  address: string,
  options: {
    readonly agent: Agent | false;
    readonly method: string;
    readonly headers: Record<string, string>;
  },
  body?: string | Buffer,
): Promise<string> {
  return new Promise((resolve) => {
    const asked = ask(address, options);
    asked.on('error', () => resolve('reset'));
    asked.on('response', (answer) => {
      answer.on('error', () => resolve('reset'));
      answer.on('end', () => resolve(String(answer.statusCode)));
      answer.resume();
    });
    asked.end(body);
  });
}

function count(statuses: Record<string, number>, status: string): void {
  statuses[status] = (statuses[status] ?? 0) + 1;
}
