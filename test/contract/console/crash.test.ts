import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveConsole } from '../../support/console-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'crash-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a headless console', () => {
  it.each([
    ['an error that nobody caught', 'throw new Error(words)', 'uncaughtException'],
    ['a rejection that nobody waited for', 'void Promise.reject(new Error(words))', 'unhandledRejection'],
  ])('ends after %s, closed, with a report and one line that names it', async (_what, fault, origin) => {
    const fail = join(folder, 'fail.mjs');
    writeFileSync(
      fail,
      `const words = 'a socket broke for Bearer canary-of-this-test-0123456789';\nprocess.on('SIGUSR2', () => setImmediate(() => { ${fault}; }));\n`,
    );
    const data = join(folder, 'data');
    const console = await serveConsole(data, { NODE_OPTIONS: `--import=${fail}` });
    const ended = new Promise<number | null>((resolve) => console.child.once('close', resolve));
    const started = performance.now();
    console.child.kill('SIGUSR2');
    expect(await ended).toBe(1);
    expect(performance.now() - started).toBeLessThan(15_000);

    const logs = join(data, 'logs');
    const reports = readdirSync(logs).filter((name) => name.startsWith('crash-'));
    expect(reports).toHaveLength(1);
    const file = join(logs, reports[0] ?? '');
    expect(console.said()).toContain(
      `error: The console stopped because of an unexpected error: a socket broke for Bearer [redacted]. Report: ${file}`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('canary');
    expect(JSON.parse(text)).toMatchObject({
      origin,
      version: expect.stringMatching(/^\d+\./),
      error: { name: 'Error', stack: expect.arrayContaining([expect.stringContaining('fail.mjs')]) },
      platform: { system: process.platform, node: process.versions.node },
      log: expect.arrayContaining([expect.stringContaining('uncaught error')]),
    });
    // Closed: the note of a running console is gone, and its store has no writer's file beside it.
    expect(readdirSync(data).filter((name) => name === 'running.json' || name.endsWith('-wal'))).toEqual([]);
  });
});
