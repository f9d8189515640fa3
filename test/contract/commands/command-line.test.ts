import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../../src-main/config/index.ts';
import { openConsoleStore } from '../../../src-main/start/console-store.ts';
import { program } from '../../support/program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'command-line-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Run = {
  child: ChildProcess;
  output: () => { stdout: string; stderr: string };
  code: Promise<number | null>;
};

const run = (args: string[], env: Record<string, string> = {}): Run => {
  const child = spawn(process.execPath, [program, ...args], {
    // Nothing of this machine's own settings, and no display.
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: folder,
      CONSOLE_LOG_LEVEL: 'silent',
      CONSOLE_KEYCHAIN: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  return {
    child,
    output: () => ({ stdout, stderr }),
    code: new Promise((resolve) => child.on('close', resolve)),
  };
};
const finished = async (args: string[], env?: Record<string, string>) => {
  const it_ = run(args, env);
  const code = await it_.code;
  return { code, ...it_.output() };
};
let count = 0;
const serving = async (args: string[], env?: Record<string, string>) => {
  count += 1;
  const file = join(folder, `ready-${count}.json`);
  const it_ = run([...args, '--ready-file', file], env);
  await vi.waitFor(() => expect(existsSync(file), it_.output().stderr).toBe(true), {
    timeout: 15_000,
    interval: 20,
  });
  const ready = JSON.parse(readFileSync(file, 'utf8')) as { url: string; pid: number; sign_in_url?: string };
  return { ...it_, file, ready };
};

describe('operator-console', () => {
  it.each([
    [['--help']],
    [['serve', '--help']],
    [['backend', '--help']],
    [['backend', 'studio', '--help']],
    [['start', '--help']],
  ])('%j explains itself and exits 0', async (args) => {
    const { code, stdout } = await finished(args);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: operator-console')]);
  });

  it.each([
    [['serve', '--port', '1'], {}, '--port'],
    [['serve', '--listen', 'everywhere'], {}, '--listen'],
    [['nonsense'], {}, 'nonsense'],
    [['backend', 'nonsense'], {}, 'nonsense'],
    [['serve'], { STUDIO_UPSTREAM: 'studio:8080' }, 'STUDIO_UPSTREAM'],
    [['serve'], { CONSOLE_SESSION_HOURS: 'long' }, 'CONSOLE_SESSION_HOURS'],
    [['backend', 'studio'], {}, 'CONSOLE_STUDIO_IDENTITY_KEY'],
  ])('%j %j is one clear line and exit code 2', async (args, env, named) => {
    const { code, stdout, stderr } = await finished(args, env);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(named)]);
  });
});

describe('serve', () => {
  it('writes the ready file when it accepts requests, for its owner only, with a sign-in link that works (CON-068)', async () => {
    const { child, code, file, ready } = await serving([
      'serve',
      '--sandbox',
      '--data-dir',
      join(folder, 'a'),
    ]);
    expect(ready.pid).toBe(child.pid);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const health = await request(`${ready.url}/healthz`);
    expect(await health.body.text()).toBe('ok');
    const { pathname, search } = new URL(ready.sign_in_url ?? '');
    const { headers, body } = await request(`${ready.url}${pathname}${search}`);
    await body.dump();
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    const chats = await request(`${ready.url}/studio/`, { headers: { cookie } });
    await chats.body.dump();
    expect(chats.statusCode).toBe(200);
    const platform = await request(`${ready.url}/api/platform`, { headers: { cookie } });
    expect(await platform.body.json()).toMatchObject({ sandbox: true, studio: { state: 'ready' } });
    expect(statSync(join(folder, 'a/console.db')).mode & 0o777).toBe(0o600);
    child.kill('SIGTERM');
    expect(await code).toBe(0);
  });

  it('lets an open request finish on SIGTERM, takes no new one, and exits 0 within 5 s', async () => {
    const { child, code, ready } = await serving(['serve', '--data-dir', join(folder, 'b')]);
    const { hostname, port } = new URL(ready.url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify({ credential: 'x' });
    socket.write(
      `POST /auth/google HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 3)}`,
    );
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const since = Date.now();
    child.kill('SIGTERM');
    await vi.waitFor(() => expect(request(ready.url)).rejects.toThrow());
    socket.write(body.slice(3));
    expect(await code).toBe(0);
    expect(answer).toMatch(/^HTTP\/1\.1 404/);
    expect(Date.now() - since).toBeLessThan(5000);
  });

  it('drains on SIGHUP, as when its terminal closes, and leaves no note of a running console', async () => {
    const data = join(folder, 'hung-up');
    const { child, code } = await serving(['serve', '--data-dir', data]);
    expect(existsSync(join(data, 'running.json'))).toBe(true);
    child.kill('SIGHUP');
    expect(await code).toBe(0);
    expect(existsSync(join(data, 'running.json'))).toBe(false);
  });

  it('serves on without the identity key and answers 503 naming it (CON-049, CON-056, CON-182)', async () => {
    for (const key of ['', 'not base64!', Buffer.alloc(31).toString('base64')]) {
      const { child, code, ready } = await serving(['serve', '--data-dir', join(folder, 'c')], {
        CONSOLE_STUDIO_IDENTITY_KEY: key,
      });
      const { pathname, search } = new URL(ready.sign_in_url ?? '');
      const { headers, body } = await request(`${ready.url}${pathname}${search}`);
      await body.dump();
      const studio = await request(`${ready.url}/studio/`, {
        headers: { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '' },
      });
      expect([studio.statusCode, await studio.body.json()]).toEqual([
        503,
        { error: expect.stringContaining('CONSOLE_STUDIO_IDENTITY_KEY') },
      ]);
      child.kill('SIGTERM');
      expect(await code).toBe(0);
    }
  });

  it('refuses a store that a newer program made, and leaves it as it is', async () => {
    const data = join(folder, 'newer');
    const first = await serving(['serve', '--data-dir', data]);
    first.child.kill('SIGTERM');
    await first.code;
    const { store } = await openConsoleStore(readConfig({ CONSOLE_DATA_DIR: data, CONSOLE_KEYCHAIN: 'off' }));
    await sql`insert into kysely_migration (name, timestamp) values ('2099-01-01-future', '2099')`.execute(
      store.db,
    );
    await store.close();
    const { code, stderr } = await finished(['serve', '--data-dir', data]);
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/newer version.*2099-01-01-future/)],
    ]);
  });
});

describe('sign-in-link', () => {
  it('prints a link that signs in to the console that runs with the same data folder, and says when none runs', async () => {
    const data = join(folder, 'link');
    expect(await finished(['sign-in-link', '--data-dir', data])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No console is running'),
    });
    const { child, code, ready } = await serving(['serve', '--data-dir', data]);
    const { stdout } = await finished(['sign-in-link', '--data-dir', data]);
    const link = new URL(stdout.trim());
    expect(link.port).toBe(new URL(ready.url).port);
    const { headers, body } = await request(`${ready.url}${link.pathname}${link.search}`);
    await body.dump();
    expect(headers).toMatchObject({
      location: '/',
      'set-cookie': expect.stringContaining('console_session='),
    });
    // A console that crashed leaves its note behind, and must not be taken for one that runs.
    child.kill('SIGKILL');
    await code;
    expect((await finished(['sign-in-link', '--data-dir', data])).stderr).toContain('No console is running');
  });
});

describe('start', () => {
  it('says in one line why there is no window, and comes up on the sandbox', async () => {
    const { child, code, output } = run(['start']);
    await vi.waitFor(() => expect(output().stdout).toContain('/auth/link?token='), { timeout: 15_000 });
    expect(output().stdout).toMatch(
      /^No window: [^\n]+\nOperator Console on http:\/\/console\.localhost:\d+, on the sandbox platform\n/,
    );
    child.kill('SIGTERM');
    expect(await code).toBe(0);
  });
});

describe('backend studio', () => {
  it('runs alone behind its key', async () => {
    const { child, code, ready } = await serving(['backend', 'studio', '--listen', '127.0.0.1:0'], {
      CONSOLE_STUDIO_IDENTITY_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    const refused = await request(ready.url);
    await refused.body.dump();
    expect(refused.statusCode).toBe(401);
    child.kill('SIGTERM');
    expect(await code).toBe(0);
  });
});
