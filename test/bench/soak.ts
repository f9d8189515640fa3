// bench: 24 hours in an hour (the clock runs 24 times as fast): churn, cut watches, tokens, sessions, bundles, logs; nothing grows
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startAnyIssuer } from '../support/any-issuer.ts';
import { repoRoot } from '../support/repo-root.ts';
import { type BenchConsole, signIn, startConsole } from './cluster/console.ts';
import { createRows, mb, percentile } from './rows.ts';
import type { FromSoakApi, ToSoakApi } from './soak/api.ts';
import { liveDays } from './soak/people.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    pods: { type: 'string', default: '2000' },
    people: { type: 'string', default: '4' },
    program: { type: 'string', default: join(repoRoot, 'out/main/cli.js') },
    help: { type: 'boolean', default: false },
  },
});
const hours = 24;
/** Between two breaks of the watches, and between two tokens, in ms. */
const cutEvery = 20_000;
const tokenEvery = 60_000;

type Sample = {
  readonly rss: number;
  readonly handles: number;
  readonly threads: number;
  readonly files: number;
  readonly bytes: number;
};

function sample(console_: BenchConsole, folder: string): Sample {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return {
    rss: console_.usage().rss,
    handles: readdirSync(`/proc/${console_.pid}/fd`).length,
    threads: readdirSync(`/proc/${console_.pid}/task`).length,
    files: files.length,
    // The audit trail is kept for good; everything else is bounded.
    bytes: files
      .filter(({ name }) => !name.startsWith('console.db'))
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0),
  };
}

/** Runs the hours, and returns what the console held at the end of each, with nobody there. */
async function run(
  console_: BenchConsole,
  folder: string,
  newDay: () => Promise<string>,
  log: string,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  let days = 0;
  for (let hour = 0; hour < hours; hour += 1) {
    const end = performance.now() + (Number(values.minutes) * 60_000) / hours;
    // The rest of the hour nobody is there.
    const busyUntil = end - Math.min(20_000, (Number(values.minutes) * 60_000) / hours / 2);
    const stopped = (): boolean => performance.now() > busyUntil;
    const lives = Array.from({ length: Number(values.people) }, () =>
      liveDays({ url: console_.url, signIn: newDay, log }, stopped),
    );
    days += (await Promise.all(lives)).reduce((sum, count) => sum + count, 0);
    await after(Math.max(0, end - performance.now()));
    const taken = sample(console_, folder);
    samples.push(taken);
    console.log(
      `hour ${String(hour + 1).padStart(2)}   ${mb(taken.rss).padStart(7)}   ${taken.handles} handles   ${taken.threads} threads   ${taken.files} files   ${mb(taken.bytes)}   ${days} days of people`,
    );
  }
  return samples;
}

function judge(samples: readonly Sample[]): boolean {
  const { row, allHold } = createRows();
  const third = Math.floor(samples.length / 3);
  const median = (part: readonly Sample[], of: keyof Sample): number =>
    percentile(
      part.map((each) => each[of]),
      0.5,
    );
  // The first hour fills caches.
  const early = samples.slice(1, 1 + third);
  const late = samples.slice(-third);
  const grown = (of: keyof Sample): number => median(late, of) - median(early, of);
  console.log('\nthe last third of the day against the first:');
  row('resident', `+${mb(grown('rss'))}`, '10 %', grown('rss') <= median(early, 'rss') * 0.1);
  row('handles', `+${grown('handles')}`, '+4', grown('handles') <= 4);
  row('threads', `+${grown('threads')}`, '+1', grown('threads') <= 1);
  row('files', `+${grown('files')}`, '+1', grown('files') <= 1);
  row('bytes of files beside the store', `+${mb(grown('bytes'))}`, '+1 MB', grown('bytes') <= 1e6);
  return allHold();
}

async function soak(folder: string): Promise<void> {
  const issuer = await startAnyIssuer('soak');
  const api = fork(join(import.meta.dirname, 'soak/api.ts'));
  const tell = (message: ToSoakApi): void => void api.send(message);
  const pods = Number(values.pods);
  tell({ start: { nodes: Math.ceil(pods / 20), pods, events: pods, namespaces: 20 }, token: 'token-0' });
  const [{ url, pod }] = (await once(api, 'message')) as [FromSoakApi];
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, 'token-0');
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'soak',
      clusters: [{ name: 'soak', cluster: { server: url } }],
      users: [{ name: 'soak', user: { tokenFile } }],
      contexts: [{ name: 'soak', context: { cluster: 'soak', user: 'soak' } }],
    }),
  );
  const data = join(folder, 'data');
  const begun = Date.now();
  const speed = (hours * 60) / Number(values.minutes);
  const console_ = await startConsole(values.program, folder, kubeconfig, {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'soak/fast-clock.ts')}`,
    CLOCK_FROM: String(begun),
    CLOCK_SPEED: String(speed),
    CONSOLE_GOOGLE_CLIENT_ID: 'soak',
    CONSOLE_OIDC_ISSUER: issuer.issuer,
    CONSOLE_ALLOWED_EMAILS: 'p@example.com',
    CONSOLE_LOG_LEVEL: 'info',
  });
  const cuts = setInterval(() => tell({ cut: true }), cutEvery);
  let token = 0;
  const tokens = setInterval(() => {
    token += 1;
    tell({ token: `token-${token}` });
    writeFileSync(tokenFile, `token-${token}`);
  }, tokenEvery);
  try {
    const newDay = async (): Promise<string> => {
      // By the console's clock.
      const at = Math.floor((begun + (Date.now() - begun) * speed) / 1000);
      const credential = await issuer.sign({ email: 'p@example.com', iat: at, exp: at + 3600 });
      return signIn(`${console_.url}/auth/google`, { credential });
    };
    const log = `/api/pods/${pod.namespace}/${pod.name}/logs?follow=true`;
    process.exitCode = judge(await run(console_, data, newDay, log)) ? 0 : 1;
  } finally {
    clearInterval(cuts);
    clearInterval(tokens);
    await console_.stop();
    api.kill();
    await issuer.close();
  }
}

if (values.help) console.log('npm run bench -- soak [--minutes 60] [--pods 2000] [--people 4]');
else if (!existsSync(values.program)) {
  console.error('Build it first: npm run build.');
  process.exitCode = 1;
} else {
  const folder = mkdtempSync(join(tmpdir(), 'bench-soak-'));
  try {
    await soak(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
