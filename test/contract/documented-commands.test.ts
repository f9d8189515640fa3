import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startTestCluster } from '../support/kube-api.ts';
import { repoRoot } from '../support/repo-root.ts';

const pages = [
  'README.md',
  ...readdirSync(join(repoRoot, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const textOf = (page: string): string => readFileSync(join(repoRoot, page), 'utf8');
const blocks = pages.flatMap((page) =>
  [...textOf(page).matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .map((line) => ({ page, line })),
  ),
);
const servers = blocks.filter(({ line }) => line.startsWith('npm run console -- '));

const clusterCommands = blocks.filter(({ line }) => /^operator-console (?:capture|bundle) /.test(line));

describe('the documentation', () => {
  it.each(servers)('$page: `$line` runs', async ({ line }) => {
    const folder = mkdtempSync(join(tmpdir(), 'documented-'));
    const ready = join(folder, 'ready.json');
    // As written, but for where it keeps its files, and a port that may be in use on this machine.
    const args = line
      .replace('npm run console -- ', '')
      .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:0')
      .replace('./data', join(folder, 'data'))
      .replace(/ --ready-file \S+/, '')
      .split(' ');
    const child = spawn('npm', ['run', '-s', 'console', '--', ...args, '--ready-file', ready], {
      cwd: repoRoot,
      env: {
        ...process.env,
        HOME: folder,
        CONSOLE_STUDIO_IDENTITY_KEY: Buffer.alloc(32, 1).toString('base64'),
      },
      stdio: 'ignore',
      detached: true,
    });
    try {
      await vi.waitFor(() => expect(existsSync(ready)).toBe(true), { timeout: 15_000, interval: 50 });
      expect((await fetch(`${JSON.parse(readFileSync(ready, 'utf8')).url}/healthz`)).status).toBe(200);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await new Promise((resolve) => child.on('close', resolve));
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('takes a bundle and serves it as its lines say', async () => {
    expect(clusterCommands.map(({ line }) => line.split(' ')[1])).toEqual(['capture', 'bundle']);
    const folder = mkdtempSync(join(tmpdir(), 'documented-'));
    const cluster = await startTestCluster([
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } },
    ]);
    const file = join(folder, 'FILE.tar.gz');
    const run = (line: string): ChildProcess =>
      spawn(
        process.execPath,
        ['src-main/cli.ts', ...line.replace('NAME', 'test').replace('FILE.tar.gz', file).split(' ').slice(1)],
        { cwd: repoRoot, env: { ...process.env, HOME: folder, KUBECONFIG: cluster.kubeconfig } },
      );
    const [capture = '', serve = ''] = clusterCommands.map(({ line }) => line);
    let served: ChildProcess | undefined;
    try {
      expect((await once(run(capture), 'close'))[0]).toBe(0);
      served = run(serve);
      const [printed] = await once(served.stdout ?? served, 'data');
      const [, kubeconfig = ''] = /^KUBECONFIG=(.+)$/m.exec(String(printed)) ?? [];
      expect(readFileSync(kubeconfig, 'utf8')).toContain('https://127.0.0.1:');
      served.kill('SIGTERM');
      expect((await once(served, 'close'))[0]).toBe(0);
      expect(existsSync(kubeconfig)).toBe(false);
    } finally {
      served?.kill('SIGKILL');
      await cluster.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [...textOf(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(scripts).toHaveProperty([name]);
  });

  it('links only to pages that exist', () => {
    for (const page of pages) {
      for (const [, target = ''] of textOf(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
        expect([page, target, existsSync(join(repoRoot, page, '..', target))]).toEqual([page, target, true]);
      }
    }
  });
});
