// bench: a cluster of 500 nodes, 10,000 pods and 20,000 events: first answer, p95, memory, idle CPU, a change (about 2 minutes)
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { repoRoot } from '../support/repo-root.ts';
import { type BenchConsole, startConsole } from './cluster/console.ts';
import type { FromPeer } from './cluster/peer.ts';
import { type BenchApi, startApi } from './cluster/start-api.ts';
import { createRows, load, mb, ms, percentile } from './rows.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '500' },
    pods: { type: 'string', default: '10000' },
    events: { type: 'string', default: '20000' },
    namespaces: { type: 'string', default: '100' },
    program: { type: 'string', default: join(repoRoot, 'out/main/cli.js') },
    help: { type: 'boolean', default: false },
  },
});
const size = {
  nodes: Number(values.nodes),
  pods: Number(values.pods),
  events: Number(values.events),
  namespaces: Number(values.namespaces),
};
const { row, allHold } = createRows();

/** Measures the API's own time to return all pods and events, a page at a time each: nobody can be faster. */
async function floor(url: string): Promise<{ ms: number; bytes: number }> {
  const from = performance.now();
  const readAll = async (path: string): Promise<number> => {
    let bytes = 0;
    let next: string | undefined = '';
    while (next !== undefined) {
      const page: string = `${url}${path}?limit=500${next === '' ? '' : `&continue=${next}`}`;
      const answer = await request(page);
      const body: Buffer = Buffer.from(await answer.body.arrayBuffer());
      bytes += body.length;
      next = /"continue":"([^"]+)"/.exec(body.toString('latin1', 0, 1000))?.[1];
    }
    return bytes;
  };
  const sizes = await Promise.all([readAll('/api/v1/pods'), readAll('/api/v1/events')]);
  return { ms: performance.now() - from, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
}

async function peer(kubeconfig: string): Promise<FromPeer> {
  const child = fork(join(import.meta.dirname, 'cluster/peer.ts'), [kubeconfig]);
  const [answer] = (await once(child, 'message')) as [FromPeer];
  child.kill();
  return answer;
}

type Namespaces = {
  readonly complete: boolean;
  readonly unmeasured: readonly string[];
  readonly items: readonly { readonly counts: { readonly pods?: number } }[];
};

async function measure(console_: BenchConsole, api: BenchApi): Promise<void> {
  const before = console_.usage();
  const from = performance.now();
  const { body: first, ms: firstMs } = await console_.get<Namespaces>('/api/namespaces');
  row('first answer of /api/namespaces', ms(firstMs), '3000 ms', firstMs <= 3000);
  // A busy machine may need more than the time a page waits.
  for (let { complete, items } = first; !complete || podsOf(items) !== size.pods; ) {
    const passed = performance.now() - from;
    if (passed > 60_000) throw new Error(`Not everything was read in 60 s: ${first.unmeasured.join(' ')}`);
    ({ complete, items } = (await console_.get<Namespaces>('/api/namespaces')).body);
  }
  const all = performance.now() - from;
  row('everything is in it', ms(all), '3000 ms', all <= 3000);
  const { cpuMs } = console_.usage();
  const spent = cpuMs - before.cpuMs;
  // The other pages that are open in a day.
  for (const path of ['/api/dashboard', '/api/cluster-nodes', '/api/services']) await console_.get(path);

  const warm: number[] = [];
  for (let round = 0; round < 200; round += 1) warm.push((await console_.get('/api/namespaces')).ms);
  const p95 = percentile(warm, 0.95);
  row('/api/namespaces from the cache, p95 of 200', ms(p95), '20 ms', p95 <= 20);

  const changes: number[] = [];
  const judged = new Map(judgedPages.map((page) => [page, [] as number[]]));
  for (let round = 0; round < 20; round += 1) {
    const touched = await api.ask({ touch: `Touched${round}` });
    if (!('touched' in touched)) throw new Error('Nothing was touched.');
    changes.push(await untilSeen(console_, touched, `Touched${round}`));
    // The first answer after a change is computed anew.
    for (const [page, times] of judged) times.push((await console_.get(page)).ms);
    await after(300);
  }
  for (const [page, times] of judged) {
    const again = percentile(times, 0.95);
    row(`${page} after a change, p95 of 20`, ms(again), '50 ms', again <= 50);
  }
  const slowest = Math.max(...changes);
  row("one pod's change is seen, slowest of 20", ms(slowest), '1000 ms', slowest <= 1000);

  const searches = await search(console_);
  row('search of 10,000 pods as one types, p95 of 200', ms(searches), '50 ms', searches <= 50);

  await whileDiagnosed(console_);
  // A window is open on it.
  await console_.follow('targets.changes');
  // What was read is still being collected for a while.
  await after(60_000);
  const idleFrom = console_.usage();
  await after(20_000);
  const idle = console_.usage();
  const share = (idle.cpuMs - idleFrom.cpuMs) / 20_000;
  row('resident, all lists kept', mb(idle.rss), '250 MB', idle.rss <= 250e6);
  row('idle CPU, a window open', `${(share * 100).toFixed(2)} %`, '1 %', share <= 0.01);
  console.log(
    `\nThe console had ${mb(before.rss)} resident before the first read and ${mb(idle.peak)} at most; the first answer took it ${spent} ms of CPU.`,
  );
}

/** Types some queries letter by letter, and returns the 95th percentile in milliseconds of the answers once all is read. */
async function search(console_: BenchConsole): Promise<number> {
  const queries = ['pod', 'worker-1', 'ns-4 web', 'a', 'zqx', 'crashloop'].flatMap((query) =>
    [...query].map((_, index) => query.slice(0, index + 1)),
  );
  const find = (q: string) =>
    console_.get<{ readonly pending: boolean }>(`/api/search?q=${encodeURIComponent(q)}`);
  for (let pending = true; pending; ) ({ pending } = (await find('a')).body);
  const times: number[] = [];
  while (times.length < 200) for (const query of queries) times.push((await find(query)).ms);
  return percentile(times, 0.95);
}

const judgedPages = ['/api/namespaces', '/api/dashboard', '/api/cluster-nodes'] as const;

/** Asks `/healthz` while everything is diagnosed. */
async function whileDiagnosed(console_: BenchConsole): Promise<void> {
  const times: number[] = [];
  let isDone = false;
  const diagnosis = console_.get('/api/troubleshoot').finally(() => {
    isDone = true;
  });
  while (!isDone) {
    times.push(await console_.ping());
    await after(10);
  }
  const { ms: took } = await diagnosis;
  const p95 = percentile(times, 0.95);
  row(`/healthz while all is diagnosed (${ms(took)}), p95`, ms(p95), '100 ms', p95 <= 100);
}

function podsOf(items: Namespaces['items']): number {
  return items.reduce((sum, { counts }) => sum + (counts.pods ?? 0), 0);
}

/** Milliseconds until a pod's page shows why it failed. */
async function untilSeen(
  console_: BenchConsole,
  { touched, namespace }: { readonly touched: string; readonly namespace: string },
  reason: string,
): Promise<number> {
  const from = performance.now();
  for (;;) {
    const { body } = await console_.get<{ pods: { name: string; status: string }[] }>(
      `/api/namespaces/${namespace}`,
    );
    const passed = performance.now() - from;
    if (body.pods.some(({ name, status }) => name === touched && status === reason)) return passed;
    if (passed > 10_000) throw new Error('A change was not seen in 10 s.');
    await after(20);
  }
}

if (values.help) {
  console.log('npm run bench -- cluster [--nodes 500] [--pods 10000] [--events 20000] [--namespaces 100]');
} else if (!existsSync(values.program)) {
  console.error('Build it first: npm run build.');
  process.exitCode = 1;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cluster-'));
  let api: BenchApi | undefined;
  let console_: BenchConsole | undefined;
  try {
    api = await startApi(size);
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, api.kubeconfig);
    console.log(
      `${size.nodes} nodes, ${size.pods} pods, ${size.events} events, ${size.namespaces} namespaces\n`,
    );
    const least = await floor(api.url);
    console.log(`the API gives ${mb(least.bytes)} of pods and events in ${ms(least.ms)}   load ${load()}`);
    const known = await peer(kubeconfig);
    console.log(
      `@kubernetes/client-node, two informers: ${known.counts.join(' and ')} objects in ${ms(known.ms)}, ${mb(known.rss)} resident   load ${load()}\n`,
    );
    console_ = await startConsole(values.program, folder, kubeconfig);
    await measure(console_, api);
    process.exitCode = allHold() ? 0 : 1;
  } finally {
    await console_?.stop();
    api?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
