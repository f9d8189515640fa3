// bench: 12,000 requests, 2,000 event streams, 1,000 half bodies and 40 uploads at once: /healthz and memory (about 4 minutes)
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as ask } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startAnyIssuer } from '../support/any-issuer.ts';
import { repoRoot } from '../support/repo-root.ts';
import { type BenchConsole, signIn, startConsole } from './cluster/console.ts';
import { startApi } from './cluster/start-api.ts';
import type { Load, Outcome } from './load/clients.ts';
import { createRows, mb, ms, percentile } from './rows.ts';

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '10000' },
    requests: { type: 'string', default: '12000' },
    streams: { type: 'string', default: '2000' },
    'half-bodies': { type: 'string', default: '1000' },
    uploads: { type: 'string', default: '40' },
    program: { type: 'string', default: join(repoRoot, 'out/main/cli.js') },
    help: { type: 'boolean', default: false },
  },
});
const rows = createRows();

/** Interval between two probes, in ms, and how long a probe may take before it counts as lost. */
const probe = { every: 20, longest: 10_000 };

/** Asks `/healthz` again and again, as a supervisor would. */
function watchHealth(url: string): { stop(): Promise<readonly number[]> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  let stopped = false;
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const from = performance.now();
      const done = (): void => {
        times.push(performance.now() - from);
        resolve();
      };
      const asked = ask(`${url}/healthz`, { agent, timeout: probe.longest }, (answer) => {
        answer.resume().on('end', done);
      });
      asked.on('timeout', () => asked.destroy()).on('error', done);
      asked.end();
    });
  const ended = (async () => {
    while (!stopped) {
      await one();
      await after(probe.every);
    }
    agent.destroy();
  })();
  return {
    async stop() {
      stopped = true;
      await ended;
      return times;
    },
  };
}

/** Returns seconds until the console has less than the budget resident, and what it has then; a minute at most. */
async function untilGivenBack(
  console_: BenchConsole,
  budget: number,
): Promise<{ seconds: number; rss: number }> {
  const from = performance.now();
  for (;;) {
    const { rss } = console_.usage();
    const seconds = (performance.now() - from) / 1000;
    if (rss <= budget || seconds > 60) return { seconds, rss };
    await after(500);
  }
}

/** Eight people: the console gives each 256 streams. */
const emails = Array.from({ length: 8 }, (_, index) => `p${index}@example.com`);

function signInPeople(
  { url }: BenchConsole,
  issuer: Awaited<ReturnType<typeof startAnyIssuer>>,
): Promise<string[]> {
  return Promise.all(
    emails.map(async (email) => {
      const credential = await issuer.sign({ sub: email, email });
      return signIn(`${url}/auth/google`, { credential });
    }),
  );
}

async function untilRead(console_: BenchConsole): Promise<void> {
  for (const from = performance.now(); ; ) {
    const { body } = await console_.get<{ complete: boolean; unmeasured: readonly string[] }>(
      '/api/namespaces',
    );
    if (body.complete) return;
    if (performance.now() - from > 60_000)
      throw new Error(`Not everything was read in 60 s: ${body.unmeasured.join(' ')}`);
    await after(200);
  }
}

async function measure(console_: BenchConsole, load: Load): Promise<void> {
  const health = watchHealth(load.url);
  const clients = fork(join(import.meta.dirname, 'load/clients.ts'));
  clients.send(load);
  const ended = once(clients, 'exit').then(([code, signal]) => {
    throw new Error(`The clients ended with ${code ?? signal}.`);
  });
  const [outcome] = (await Promise.race([once(clients, 'message'), ended])) as [Outcome];
  ended.catch(() => undefined);
  clients.kill();
  const { seconds, rss } = await untilGivenBack(console_, 250e6);
  const times = await health.stop();
  console.log(JSON.stringify(outcome, null, 1));
  const p95 = percentile(times, 0.95);
  row(`/healthz, p95 of ${times.length}`, ms(p95), '50 ms', p95 <= 50);
  row('/healthz, slowest', ms(Math.max(...times)), '250 ms', Math.max(...times) <= 250);
  row(`resident ${seconds.toFixed(0)} s after the load`, mb(rss), '250 MB', rss <= 250e6);
  row('resident at most', mb(console_.usage().peak), '', true);
  const failed = (outcome.requests['500'] ?? 0) + (outcome.requests.reset ?? 0);
  row('requests that failed', String(failed), '0', failed === 0);
  const taken = outcome.uploads['200'] ?? 0;
  row('bundles open of 40 uploads', String(taken), '8', taken <= 8);
  row(
    'half bodies closed after 15 s',
    String(outcome.halfBodiesClosed),
    String(load.halfBodies),
    outcome.halfBodiesClosed === load.halfBodies,
  );
}

const { row } = rows;
if (values.help) {
  console.log(
    'npm run bench -- load [--pods 10000] [--requests 12000] [--streams 2000] [--half-bodies 1000] [--uploads 40]',
  );
} else if (!existsSync(values.program)) {
  console.error('Build it first: npm run build.');
  process.exitCode = 1;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'bench-load-'));
  const pods = Number(values.pods);
  const issuer = await startAnyIssuer('bench');
  const api = await startApi({ nodes: Math.ceil(pods / 20), pods, events: pods * 2, namespaces: 100 });
  let console_: BenchConsole | undefined;
  try {
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, api.kubeconfig);
    console_ = await startConsole(values.program, folder, kubeconfig, {
      CONSOLE_GOOGLE_CLIENT_ID: 'bench',
      CONSOLE_OIDC_ISSUER: issuer.issuer,
      CONSOLE_ALLOWED_EMAILS: emails.join(','),
    });
    await untilRead(console_);
    await measure(console_, {
      url: console_.url,
      cookies: await signInPeople(console_, issuer),
      streams: Number(values.streams),
      halfBodies: Number(values['half-bodies']),
      uploads: Number(values.uploads),
      requests: Number(values.requests),
    });
    process.exitCode = rows.allHold() ? 0 : 1;
  } finally {
    await console_?.stop();
    api.stop();
    await issuer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
