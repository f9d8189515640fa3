// bench: GET /api/studio: cold, revalidated and warm, with a slow code host behind (about 1 minute)
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { request } from 'undici';
import { repository, world } from '../../src-main/sandbox/code-host/builders.ts';
import { type SandboxCodeHost, startSandboxCodeHost } from '../../src-main/sandbox/code-host/index.ts';
import { studioListAnswer } from '../../src-shared/api/studio.ts';
import { repoRoot } from '../support/repo-root.ts';

const { values } = parseArgs({
  options: {
    latency: { type: 'string', default: '50' },
    apps: { type: 'string', default: '30' },
    rounds: { type: 'string', default: '7' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log('npm run bench -- studio-list [--latency 50] [--apps 30] [--rounds 7]');
  process.exit(0);
}
const latencyMs = Number(values.latency);
const budgetMs = 600;
const program = join(repoRoot, 'out/main/cli.js');
if (!existsSync(program)) {
  console.error('Build it first: npm run build.');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'bench-studio-list-'));
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** A console on this code host, as a process of its own; `studio` answers milliseconds. */
async function consoleOn(codeHost: SandboxCodeHost, round: number) {
  const ready = join(folder, `ready-${round}.json`);
  const password = 'only for measuring';
  const child = spawn(
    process.execPath,
    [program, 'serve', '--data-dir', join(folder, `data-${round}`), '--ready-file', ready],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        CONSOLE_KEYCHAIN: 'off',
        CONSOLE_LOG_LEVEL: 'error',
        CONSOLE_ADMIN_PASSWORD: password,
        CONSOLE_GITHUB_APP_ID: codeHost.appId,
        CONSOLE_GITHUB_PRIVATE_KEY: codeHost.privateKey,
        CONSOLE_GITHUB_API_URL: codeHost.url,
      },
    },
  );
  while (!existsSync(ready)) await after(10);
  // As a person would: not in the first second of its life.
  await after(1000);
  const { url } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string };
  const signedIn = await request(`${url}/auth/password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'operator@console.localhost', password }),
  });
  await signedIn.body.dump();
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] ?? '';
  return {
    async studio(): Promise<number> {
      const started = performance.now();
      const answer = await request(`${url}/api/studio`, { headers: { cookie } });
      const list = studioListAnswer.parse(await answer.body.json());
      const took = performance.now() - started;
      const read = list.apps.filter(({ status }) => status !== undefined).length;
      if (read !== 12) throw new Error(`${read} of 12 statuses were read: ${list.unmeasured.join(' ')}`);
      return took;
    },
    stop: () => new Promise((resolve) => child.once('exit', resolve).kill('SIGTERM')),
  };
}

/** The same requests one after another on kept connections: what a program does that does not share the work out. */
async function oneAfterAnother(codeHost: SandboxCodeHost, paths: readonly string[]): Promise<number> {
  const authorization = `Bearer ${codeHost.tokenOf(codeHost.installationId)}`;
  const started = performance.now();
  for (const path of paths) {
    const answer = await request(`${codeHost.url}${path}`, { headers: { authorization } });
    await answer.body.json();
  }
  return performance.now() - started;
}

const cold: number[] = [];
const warm: number[] = [];
const sequential: number[] = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const apps = Array.from({ length: Number(values.apps) }, (_, index) =>
    repository({ name: `app-${index}`, topics: ['studio-app'], updatedAt: Date.now() - index * 1000 }),
  );
  const codeHost = await startSandboxCodeHost({ world: world(apps), latencyMs });
  const console_ = await consoleOn(codeHost, round);
  cold.push(await console_.studio());
  const paths = codeHost.requests
    .map(({ path }) => path)
    .filter((path) => /^\/(repos|installation)\//.test(path));
  warm.push(await console_.studio());
  sequential.push(await oneAfterAnother(codeHost, paths));
  await console_.stop();
  await codeHost.close();
}
rmSync(folder, { recursive: true, force: true });

const row = (name: string, times: readonly number[], more = ''): void =>
  console.log(
    `${name.padEnd(46)} median ${median(times).toFixed(0).padStart(5)} ms   worst ${Math.max(...times)
      .toFixed(0)
      .padStart(5)} ms   ${more}`,
  );
console.log(
  `${values.apps} apps, 12 read, ${latencyMs} ms to the code host, ${values.rounds} fresh consoles\n`,
);
row('cold: the list and 24 reads, nothing kept', cold, `budget ${budgetMs} ms`);
row('warm: nothing is asked', warm);
row(
  'the same reads one after another',
  sequential,
  `cold is ${(median(cold) / median(sequential)).toFixed(2)} x`,
);
const within = median(cold) <= budgetMs;
console.log(`\n${within ? 'within' : 'OVER'} the budget of ${budgetMs} ms cold at ${latencyMs} ms latency`);
process.exitCode = within ? 0 : 1;
