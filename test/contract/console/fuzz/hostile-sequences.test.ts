import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type ServingConsole, serveConsole } from '../../../support/console-process.ts';
import { listeningPorts } from '../../../support/listening-ports.ts';
import { sweepOf } from '../../../support/sweeps.ts';
import { type OddStudio, startOddStudio } from './odd-studio.ts';
import { playAll } from './play.ts';
import { type Door, sequenceOf } from './sequences.ts';

// Pipelines of one to four requests with upgrades among them, odd heads from clients and from the studio, connections
// reset at any byte, many at once, at every port the console and its sandbox open. FUZZ_SEQUENCES says how many, half for
// each; FUZZ_SEED where to begin, as a failure names it.

const count = Number(process.env.FUZZ_SEQUENCES ?? sweepOf(20_000, 1600));
const firstSeed = Number(process.env.FUZZ_SEED ?? 0);
const atOnce = 48;
/** What has not ended by then hangs, in ms: some neighbour keeps a connection for ever. */
const longestMs = sweepOf(1_800_000, 300_000);
/** Longest a busy machine may take to answer /healthz meanwhile, in ms. */
const longestHealthMs = 2000;

let folder: string;
let running: ServingConsole | undefined;
let studio: OddStudio | undefined;
afterEach(async () => {
  await running?.stop();
  await studio?.close();
  running = undefined;
  studio = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function start(env: Record<string, string>, args: readonly string[]): Promise<ServingConsole> {
  folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
  running = await serveConsole(folder, { CONSOLE_LOG_LEVEL: 'error', ...env }, args);
  return running;
}

/** Plays the sequences and holds the console to what it promises meanwhile and afterwards. */
async function survive(console_: ServingConsole, doors: readonly Door[], seed: number): Promise<void> {
  // What is started by its first connection is there, or given up, before the play begins.
  await Promise.all(doors.map(({ host }) => fetch(`http://${host}/`).catch(() => undefined)));
  const before = openSockets(console_);
  const playing = new AbortController();
  const slowest = watchHealth(console_.url, playing.signal);
  try {
    await playAll(count / 2, atOnce, (at) => sequenceOf(seed + at, doors));
  } finally {
    playing.abort();
  }
  expect(console_.child.exitCode, console_.said()).toBeNull();
  expect(await slowest).toBeLessThan(longestHealthMs);
  // Neither a fault that nobody caught, nor one that only the last net did.
  expect(faultsIn(console_.said())).toEqual([]);
  // Each connection has ended on the console's side, too: its idle ones within their five seconds.
  for (let waited = 0; openSockets(console_) > before + 4 && waited < 200; waited++) await sleep(100);
  expect(openSockets(console_)).toBeLessThanOrEqual(before + 4);
}

/** Lines of a log that report an error. */
function faultsIn(said: string): string[] {
  return said.split('\n').filter((line) => /"level":[56]0|Error|error:/.test(line));
}

/** Asks /healthz all the time; resolves to the slowest answer, in ms. */
async function watchHealth(url: string, signal: AbortSignal): Promise<number> {
  let slowest = 0;
  while (!signal.aborted) {
    const began = performance.now();
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer === undefined) return Number.POSITIVE_INFINITY;
    if ((await answer.text()) !== 'ok') return Number.POSITIVE_INFINITY;
    slowest = Math.max(slowest, performance.now() - began);
    await sleep(20);
  }
  return slowest;
}

/** Sockets the process has open; 0 where the system does not tell. */
function openSockets({ child }: ServingConsole): number {
  const fds = `/proc/${child.pid}/fd`;
  if (process.platform !== 'linux') return 0;
  return readdirSync(fds).filter((fd) => {
    try {
      return readlinkSync(`${fds}/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  }).length;
}

describe('hostile sequences', () => {
  it(
    `${count / 2} of them leave the console and the proxy of an odd studio as they were`,
    async () => {
      studio = await startOddStudio();
      const key = Buffer.alloc(32, 5).toString('base64');
      const console_ = await start({ STUDIO_UPSTREAM: studio.url, CONSOLE_STUDIO_IDENTITY_KEY: key }, []);
      const { host, port } = new URL(console_.url);
      const door: Door = {
        port: Number(port),
        host,
        ending: [
          '/',
          '/healthz',
          '/api/me',
          '/api/targets',
          '/api/metrics',
          '/studio/o/#',
          '/studio/o/#',
          '/studio',
          '/nothing',
        ],
        others: [
          '/studio/o/#',
          '/studio/o/#',
          '/api/events',
          '/api/targets/changes',
          '/api/session-commands?wait=1',
          '/api/openapi.json',
          '/api/objects/Pod/..?namespace=%00',
          '/api/studio',
          '/auth/password',
          '/auth/link?token=%zz',
          '/auth/callback',
          '/api/bundles',
          '/profile.v1.ProfileService/GetProfile',
          '/assets/none.js',
        ],
        admitted: [`Cookie: ${await console_.cookie()}`],
        http2: false,
      };
      await survive(console_, [door], firstSeed);
    },
    longestMs,
  );

  it(
    `${count / 2} of them leave every port of the sandbox as it was`,
    async () => {
      const console_ = await start({}, ['--sandbox']);
      const kubeconfig = readFileSync(join(folder, 'sandbox', 'kubeconfig'), 'utf8');
      const token = /token: "?([^"\s]+)/.exec(kubeconfig)?.[1] ?? '';
      const own = Number(new URL(console_.url).port);
      const ports = listeningPorts(console_.child.pid ?? 0).filter((port) => port !== own);
      if (ports.length === 0) ports.push(own);
      const doors = ports.map(
        (port): Door => ({
          port,
          host: `127.0.0.1:${port}`,
          ending: [
            '/',
            '/version',
            '/api/v1/pods?limit=5',
            '/apis',
            '/v2/',
            '/token?scope=x',
            '/health',
            '/metrics',
            '/nothing',
          ],
          others: [
            '/api/v1/pods?watch=1',
            '/api/v1/namespaces/default/pods/x/portforward?ports=80',
            '/api/v1/namespaces/default/pods/x:80/proxy/',
            '/api/v1/namespaces/aspen-campaign/services/campaign-backend/proxy/health',
            '/api/v1/namespaces/default/pods/x/log?follow=1',
            '/v2/northgate/campaign/manifests/latest',
            '/_sandbox/faults',
            '/archives/1/2.zip?se=1&sig=x',
            '/app/installations',
            '/v1/models',
            '/v1/embeddings',
            '/cockpit.v1.ModelService/Generate',
            '/studio.v1.StudioService/Chat',
            '/chat',
            '/auth/google',
            '/readyz',
          ],
          admitted: [`Authorization: Bearer ${token}`],
          http2: true,
        }),
      );
      await survive(console_, doors, firstSeed + count);
    },
    longestMs,
  );
});
