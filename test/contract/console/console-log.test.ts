import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../../src-main/config/index.ts';
import { openConsoleStore } from '../../../src-main/start/console-store.ts';
import { serveConsole, terminalMissing } from '../../support/console-process.ts';
import { program } from '../../support/program.ts';
import { testConsole } from '../../support/test-console.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'console-log-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const linesOf = (file: string): { msg: string; request_id?: string; level: number }[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the log of a console', () => {
  it('is JSON lines in the data folder and on standard error, for its owner only', async () => {
    const console = await serveConsole(folder);
    try {
      const file = join(folder, 'logs', 'console.log');
      const inFile = linesOf(file).map(({ msg }) => msg);
      expect(inFile).toEqual([expect.stringContaining('store.key')]);
      expect(console.said()).toContain(JSON.stringify(inFile[0]));
      expect(statSync(file).mode & 0o777).toBe(0o600);
    } finally {
      await console.stop();
    }
  });

  it('is no reason not to serve when it cannot be written', async () => {
    writeFileSync(join(folder, 'logs'), 'a file where the folder should be');
    const console = await serveConsole(folder);
    try {
      expect((await fetch(`${console.url}/healthz`)).status).toBe(200);
    } finally {
      expect(await console.stop()).toBe(0);
    }
  });

  it.skipIf(terminalMissing !== undefined)(
    `is words on a terminal, coloured unless NO_COLOR is set${terminalMissing === undefined ? '' : ` (skipped: ${terminalMissing})`}`,
    async () => {
      for (const NO_COLOR of ['', '1']) {
        const shown = await onTerminal({ CONSOLE_DATA_DIR: folder, NO_COLOR });
        const words = shown.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '');
        expect(words).toMatch(/\d\d:\d\d:\d\d warn {2}The store key is in .*store\.key/);
        expect(shown).toContain('Operator Console on http://');
        expect(shown).not.toContain('{"level"');
        expect(shown.includes(String.fromCharCode(27))).toBe(NO_COLOR === '');
      }
    },
  );
});

/** What `serve` shows on a terminal until it is ready. */
async function onTerminal(env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('script', ['-qfec', `'${process.execPath}' '${program}' serve`, '/dev/null'], {
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'xterm', CONSOLE_KEYCHAIN: 'off', ...env },
  });
  let shown = '';
  child.stdout.on('data', (data) => {
    shown += data;
  });
  try {
    await vi.waitFor(() => expect(shown).toContain('Sign in (once'), { timeout: 25_000, interval: 50 });
    return shown;
  } finally {
    const gone = new Promise((resolve) => child.once('close', resolve));
    child.stdin.write(String.fromCharCode(3));
    await gone;
  }
}

describe('an error', () => {
  it('names its request in the header and in the body, never by a name from outside', async () => {
    const console = await testConsole();
    try {
      const ids = [];
      for (const [path, init] of [
        ['/api/no-such-thing', {}],
        ['/api/audit?nonsense=1', {}],
        [
          '/api/session-admins',
          { method: 'PUT', body: '{', headers: { 'content-type': 'application/json' } },
        ],
        ['/api/session-admins', { method: 'PUT', headers: { origin: 'https://evil.example' } }],
      ] as const) {
        const answer = await fetch(`${console.url}${path}`, {
          ...init,
          headers: { ...('headers' in init ? init.headers : {}), 'x-request-id': 'mine' },
        });
        const { error, request_id } = (await answer.json()) as Record<string, unknown>;
        expect({ path, error, request_id }).toEqual({
          path,
          error: expect.any(String),
          request_id: expect.stringMatching(/^[0-9a-f]{16}$/),
        });
        expect(answer.headers.get('x-request-id')).toBe(request_id);
        ids.push(request_id);
      }
      expect(new Set(ids).size).toBe(ids.length);
      const studio = await fetch(`${console.url}/studio/`);
      expect([studio.status, studio.headers.get('x-request-id')]).toEqual([
        401,
        expect.stringMatching(/^[0-9a-f]{16}$/),
      ]);
      expect(await studio.json()).toEqual({ error: expect.any(String) });
      const fine = await fetch(`${console.url}/healthz`);
      expect(fine.headers.has('x-request-id')).toBe(false);
    } finally {
      await console.close();
    }
  });

  it('nobody expected is in the log under the id that its answer names', async () => {
    const console = await serveConsole(folder);
    try {
      const cookie = await console.cookie();
      const { store } = await openConsoleStore(
        readConfig({ CONSOLE_DATA_DIR: folder, CONSOLE_KEYCHAIN: 'off' }),
      );
      await store.db.schema.dropTable('session_admins_change').execute();
      await store.close();
      const answer = await fetch(`${console.url}/api/session-admins`, { headers: { cookie } });
      const { error, request_id } = (await answer.json()) as { error: string; request_id: string };
      expect([answer.status, error]).toEqual([
        500,
        `The console failed on this request. Its log has the reason under ${request_id}.`,
      ]);
      expect(linesOf(join(folder, 'logs', 'console.log'))).toContainEqual(
        expect.objectContaining({
          msg: 'request failed',
          level: 50,
          request_id,
          path: '/api/session-admins',
        }),
      );
    } finally {
      await console.stop();
    }
  });
});
