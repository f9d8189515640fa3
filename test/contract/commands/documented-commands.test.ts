import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { serveConsole } from '../../support/console-process.ts';
import { startTestCluster } from '../../support/kube-api.ts';
import { program } from '../../support/program.ts';
import { repoRoot } from '../../support/repo-root.ts';

const pages = [
  ...readdirSync(repoRoot).filter((file) => file.endsWith('.md')),
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
const isServer = (line: string): boolean => line.startsWith('npm run console -- ');
/** Commands that serve, each with what its page says to do in the shell before it. */
const servers = blocks.flatMap(({ page, line }, at) => {
  const before = blocks.slice(0, at).filter((other) => other.page === page && !other.line.startsWith('npm '));
  return isServer(line) ? [{ page, line, before: before.map((other) => other.line) }] : [];
});

/** An address of the program that a line starts, that answers 200 when all is well. */
function healthOf(line: string): string {
  if (line.includes(' backend campaign')) return '/health';
  return line.includes(' backend cockpit') ? '/readyz' : '/healthz';
}

const clusterCommands = blocks.filter(({ line }) => /^operator-console (?:capture|bundle) /.test(line));

describe('the documentation', () => {
  it.each(servers)('$page: `$line` runs', async ({ line, before }) => {
    const folder = mkdtempSync(join(tmpdir(), 'documented-'));
    const ready = join(folder, 'ready.json');
    // As written, but for where it keeps its files, and a port that may be in use on this machine.
    const args = line
      .replace('npm run console -- ', '')
      .replace(/127\.0\.0\.1:\d+/, '127.0.0.1:0')
      .replace('./data', join(folder, 'data'))
      .replace(/ --ready-file \S+/, '');
    const script = [
      ...before,
      `exec npm --prefix '${repoRoot}' run -s console -- ${args} --ready-file '${ready}'`,
    ];
    const child = spawn('bash', ['-ec', script.join('\n')], {
      cwd: folder,
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
      const { url } = JSON.parse(readFileSync(ready, 'utf8')) as { url: string };
      expect((await fetch(`${url}${healthOf(line)}`)).status).toBe(200);
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
        [program, ...line.replace('NAME', 'test').replace('FILE.tar.gz', file).split(' ').slice(1)],
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

  it('follows event streams as its lines say, over connections of their own and one for several', async () => {
    const lines = blocks.filter(({ page }) => page === 'docs/events.md').map(({ line }) => line);
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['curl', 'curl', 'curl', 'curl', 'curl']);
    const folder = mkdtempSync(join(tmpdir(), 'documented-'));
    const open = { CONSOLE_LOCAL_OPERATOR: 'off', KUBECONFIG: join(folder, 'none') };
    const console_ = await serveConsole(join(folder, 'data'), open, ['--listen', '127.0.0.1:0']);
    const running: ChildProcess[] = [];
    /** What a line prints, as it comes. */
    const run = (line: string): { text: string; child: ChildProcess } => {
      const child = spawn('bash', ['-c', line.replace('http://127.0.0.1:8700', console_.url)]);
      running.push(child);
      const printed = { text: '', child };
      child.stdout.on('data', (piece) => {
        printed.text += String(piece);
      });
      return printed;
    };
    const [changes = '', diagnosis = '', connection = '', subscribe = '', unsubscribe = ''] = lines;
    try {
      const changing = run(changes);
      await vi.waitFor(() => expect(changing.text).toMatch(/^event: state\ndata: \{/m), 10_000);
      const report = run(diagnosis);
      await vi.waitFor(() => expect(report.text).toMatch(/^event: report\ndata: \{/m), 10_000);
      const events = run(connection);
      await vi.waitFor(() => expect(events.text).toContain('event: connection'), 10_000);
      const [, id = ''] = /"id":"([\w-]+)"/.exec(events.text) ?? [];
      const subscribed = run(subscribe.replace('CONNECTION', id));
      await vi.waitFor(() => expect(events.text).toContain('{"subscription":"a","event":"state"'), 10_000);
      expect(subscribed.text).toBe('{"subscription":"a"}');
      const ended = run(unsubscribe.replace('CONNECTION', id));
      await vi.waitFor(() => expect(ended.text).toBe('{"ended":true}'), 10_000);
    } finally {
      for (const child of running) child.kill();
      await console_.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);

  it('names only scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [...textOf(page).matchAll(/npm run (?:-s )?([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(scripts).toHaveProperty([name]);
  });

  it('tells contributors to run tests that exist', () => {
    const named = [...textOf('CONTRIBUTING.md').matchAll(/npx vitest run ([^`]+)/g)].flatMap(
      ([, args = '']) => args.split(' ').filter((arg) => arg.startsWith('test/') && !arg.includes('<')),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const path of named) expect([path, existsSync(join(repoRoot, path))]).toEqual([path, true]);
  });

  it('names only files and folders that exist', () => {
    const named = pages.flatMap((page) =>
      [
        ...textOf(page).matchAll(
          /`((?:src-main|src-renderer|src-shared|test|resources|docs|\.ci)\/[\w./-]+)`/g,
        ),
      ].map(([, path = '']) => ({ page, path })),
    );
    expect(named.length).toBeGreaterThan(20);
    for (const { page, path } of named) {
      expect([page, path, existsSync(join(repoRoot, path))]).toEqual([page, path, true]);
    }
  });

  it('links only to pages that exist', () => {
    for (const page of pages) {
      for (const [, target = ''] of textOf(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
        expect([page, target, existsSync(join(repoRoot, page, '..', target))]).toEqual([page, target, true]);
      }
    }
  });
});
