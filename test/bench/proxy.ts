// bench: the studio proxy beside other proxies: CPU, latency, streams, memory (about 3 minutes)
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  type Contestant,
  cpuMicroseconds,
  firstLine,
  has,
  residentBytes,
  startContestant,
  startNode,
} from './proxy/children.ts';
import { addedDelay, bytesPerStream, giantBodies } from './proxy/streams.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '6000' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- proxy [--requests 6000] [--rounds 5] [--only small|streams]');
  process.exit(0);
}
if (process.platform !== 'linux') {
  console.error('This bench reads /proc: it runs on Linux only.');
  process.exit(2);
}

const OURS = 'ours';
// As it comes it opens a connection for every request; with an agent that keeps them it is at its best.
const BASELINE = 'http-proxy';
const BASELINE_KEPT = 'http-proxy keep-alive';
const GO = 'Go ReverseProxy';
const names = [
  OURS,
  BASELINE,
  BASELINE_KEPT,
  'http-proxy-3',
  'httpxy',
  '@fastify/reply-from',
  'fast-proxy',
  ...(has('go') ? [GO] : []),
  ...(has('nginx') ? ['nginx'] : []),
];

type Small = { cpu: number; p50: number; p99: number };
const median = (numbers: number[]): number =>
  numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const folder = mkdtempSync(join(tmpdir(), 'bench-proxy-'));
const running: { stop(): void }[] = [];

async function start(name: string, port: number): Promise<Contestant> {
  const contestant = await startContestant(name, port, folder);
  running.push(contestant);
  return contestant;
}

async function load(contestant: Contestant, requests: number): Promise<Small> {
  const before = cpuMicroseconds(contestant.pids);
  const child = startNode('load.ts', [String(contestant.port), '64', String(requests)]);
  const { p50, p99 }: { p50: number; p99: number } = JSON.parse(await firstLine(child));
  return { cpu: (cpuMicroseconds(contestant.pids) - before) / requests, p50, p99 };
}

const table = (head: string[], rows: string[][]): void => {
  const widths = head.map((cell, i) => Math.max(cell.length, ...rows.map((row) => row[i]?.length ?? 0)));
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows])
    console.log(
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  '),
    );
  console.log();
};

/** Small gRPC-web POSTs: all contestants up, rounds interleaved, medians of the rounds. */
async function small(port: number): Promise<void> {
  const contestants: Contestant[] = [];
  for (const name of names) contestants.push(await start(name, port));
  const requests = Number(values.requests);
  const rounds = new Map(names.map((name) => [name, [] as Small[]]));
  // The first round only warms the compilers up.
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const contestant of contestants) {
      const result = await load(contestant, round === 0 ? requests * 3 : requests);
      if (round > 0) rounds.get(contestant.name)?.push(result);
    }
  const cpuOf = (name: string): number => median((rounds.get(name) ?? []).map(({ cpu }) => cpu));
  console.log(
    `Small gRPC-web POST, 64 connections, ${values.rounds} interleaved rounds of ${requests}, medians`,
  );
  table(
    [
      'proxy',
      'CPU µs/request',
      `× ${BASELINE}`,
      `× ${BASELINE_KEPT}`,
      `× ${GO}`,
      'p50 ms',
      'p99 ms',
      'RSS MB',
    ],
    contestants.map((contestant) => {
      const of = rounds.get(contestant.name) ?? [];
      const cpu = cpuOf(contestant.name);
      return [
        contestant.name,
        cpu.toFixed(0),
        (cpu / cpuOf(BASELINE)).toFixed(2),
        (cpu / cpuOf(BASELINE_KEPT)).toFixed(2),
        (cpu / cpuOf(GO)).toFixed(2),
        median(of.map(({ p50 }) => p50)).toFixed(1),
        median(of.map(({ p99 }) => p99)).toFixed(1),
        (residentBytes(contestant.pids) / 1e6).toFixed(0),
      ];
    }),
  );
  for (const contestant of contestants) contestant.stop();
}

/** Delay of streamed messages, memory of open streams, memory of giant bodies. */
async function streams(port: number): Promise<void> {
  const rows: string[][] = [];
  for (const name of [OURS, BASELINE_KEPT, ...(has('go') ? [GO] : [])]) {
    // A process of its own for each question: memory is measured from a fresh start.
    const delayed = await start(name, port);
    const delay = await addedDelay(delayed, port);
    delayed.stop();
    const holding = await start(name, port);
    const perStream = await bytesPerStream(holding);
    holding.stop();
    const carrying = await start(name, port);
    const giant = await giantBodies(carrying);
    carrying.stop();
    rows.push([
      name,
      delay.p50.toFixed(2),
      delay.p99.toFixed(2),
      (perStream / 1000).toFixed(1),
      (giant.growth / 1e6).toFixed(0),
      giant.seconds.toFixed(1),
    ]);
  }
  console.log('Streams: added delay of a message; 2,000 open streams; 1 GiB down and 1 GiB up');
  table(['proxy', 'delay p50 ms', 'delay p99 ms', 'kB/stream', '2 GiB: RSS growth MB', 'seconds'], rows);
}

try {
  const studio = startNode('upstream.ts', []);
  running.push({ stop: () => studio.kill('SIGKILL') });
  const [smallPort = 0, streamsPort = 0] = (await firstLine(studio)).split(' ').map(Number);
  if (values.only !== 'streams') await small(smallPort);
  if (values.only !== 'small') await streams(streamsPort);
} finally {
  for (const child of running) child.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
