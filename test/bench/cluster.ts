// bench: a cluster of 500 nodes, 10,000 pods and 20,000 events: first answer, p95, memory, idle CPU, a change (about 2 minutes)
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { repoRoot } from '../support/repo-root.ts';
import type { FromApi, ToApi } from './cluster/api.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '500' },
    pods: { type: 'string', default: '10000' },
    events: { type: 'string', default: '20000' },
    namespaces: { type: 'string', default: '100' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- cluster [--nodes 500] [--pods 10000] [--events 20000] [--namespaces 100]');
  process.exit(0);
}
const program = join(repoRoot, 'out/main/cli.js');
if (!existsSync(program)) {
  console.error('Build it first: npm run build.');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'bench-cluster-'));
const password = 'only for measuring';

const api = fork(join(import.meta.dirname, 'cluster/api.ts'));
const ask = async (message: ToApi): Promise<FromApi> => {
  api.send(message);
  const [answer] = (await once(api, 'message')) as [FromApi];
  return answer;
};
const size = {
  nodes: Number(values.nodes),
  pods: Number(values.pods),
  events: Number(values.events),
  namespaces: Number(values.namespaces),
};
const started = await ask({ start: size });
if (!('url' in started)) throw new Error('The API did not start.');

const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(
  kubeconfig,
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'bench',
    clusters: [{ name: 'bench', cluster: { server: started.url } }],
    users: [{ name: 'bench', user: { token: 'bench' } }],
    contexts: [{ name: 'bench', context: { cluster: 'bench', user: 'bench' } }],
  }),
);
const ready = join(folder, 'ready.json');
const child = spawn(
  process.execPath,
  [program, 'serve', '--data-dir', join(folder, 'data'), '--ready-file', ready],
  {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CONSOLE_KEYCHAIN: 'off',
      CONSOLE_LOG_LEVEL: 'error',
      CONSOLE_ADMIN_PASSWORD: password,
      CONSOLE_KUBECONFIG: kubeconfig,
    },
  },
);
while (!existsSync(ready)) await after(10);
await after(1000);
const { url } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string };
const signedIn = await request(`${url}/auth/password`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ username: 'operator@console.localhost', password }),
});
await signedIn.body.dump();
const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';

type Answer = {
  source: string;
  complete: boolean;
  unmeasured: string[];
  items: { counts: { pods?: number } }[];
};
async function timed<T>(path: string): Promise<{ body: T; ms: number }> {
  const from = performance.now();
  const answer = await request(`${url}${path}`, { headers: { cookie } });
  const body = (await answer.body.json()) as T;
  return { body, ms: performance.now() - from };
}
/** Resident bytes and CPU milliseconds of the console (proc(5)). */
function usage(): { rss: number; peak: number; cpuMs: number } {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const kb = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024;
  return { rss: kb('VmRSS'), peak: kb('VmHWM'), cpuMs: (Number(stat[11]) + Number(stat[12])) * 10 };
}

const before = usage();
const first = await timed<Answer>('/api/namespaces');
const pods = first.body.items.reduce((sum, { counts }) => sum + (counts.pods ?? 0), 0);
if (pods !== size.pods || !first.body.complete)
  throw new Error(`${pods} of ${size.pods} pods were read: ${first.body.unmeasured.join(' ')}`);
// The other pages that are open in a day.
for (const path of ['/api/dashboard', '/api/cluster-nodes', '/api/services']) await timed(path);

const warm: number[] = [];
for (let round = 0; round < 200; round += 1) warm.push((await timed('/api/namespaces')).ms);
warm.sort((a, b) => a - b);

const changes: number[] = [];
for (let round = 0; round < 5; round += 1) {
  const reason = `Touched${round}`;
  const touched = await ask({ touch: reason });
  if (!('touched' in touched)) throw new Error('Nothing was touched.');
  const from = performance.now();
  for (;;) {
    const { body } = await timed<{ pods: { name: string; status: string }[] }>(
      `/api/namespaces/${touched.namespace}`,
    );
    if (body.pods.some(({ name, status }) => name === touched.touched && status === reason)) break;
    if (performance.now() - from > 10_000) throw new Error('A change was not seen in 10 s.');
    await after(20);
  }
  changes.push(performance.now() - from);
  await after(300);
}

await after(5000);
const idleFrom = usage();
await after(20_000);
const idle = usage();
const idleShare = (idle.cpuMs - idleFrom.cpuMs) / 20_000;
const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

let within = true;
const row = (name: string, value: string, budget: string, holds: boolean): void => {
  within &&= holds;
  console.log(
    `${name.padEnd(44)} ${value.padStart(12)}   budget ${budget.padEnd(10)} ${holds ? '' : 'OVER'}`,
  );
};
console.log(
  `${values.nodes} nodes, ${values.pods} pods, ${values.events} events, ${values.namespaces} namespaces\n`,
);
const p95 = warm[Math.floor(warm.length * 0.95)] ?? Number.NaN;
row('first answer of /api/namespaces', `${first.ms.toFixed(0)} ms`, '3000 ms', first.ms <= 3000);
row('/api/namespaces from the cache, p95 of 200', `${p95.toFixed(1)} ms`, '50 ms', p95 <= 50);
row('resident, all lists kept', mb(idle.rss), '250 MB', idle.rss <= 250e6);
row('idle CPU while followed', `${(idleShare * 100).toFixed(2)} %`, '1 %', idleShare <= 0.01);
const slowest = Math.max(...changes);
row("one pod's change, slowest of 5", `${slowest.toFixed(0)} ms`, '1000 ms', slowest <= 1000);
console.log(`\nbefore the first read ${mb(before.rss)}; most ever resident ${mb(idle.peak)}`);

child.kill('SIGTERM');
await once(child, 'exit');
api.kill();
rmSync(folder, { recursive: true, force: true });
process.exitCode = within ? 0 : 1;
