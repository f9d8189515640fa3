import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Diagnostics, diagnosticsAnswer } from '../../../../src-shared/api/diagnostics.ts';
import { serveConsole } from '../../../support/console-process.ts';
import { testConsole } from '../../../support/test-console.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'diagnostics-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('tell what a console is and what went wrong, and no secret', async () => {
  const console = await serveConsole(folder, {
    CONSOLE_ADMIN_PASSWORD: 'canary-password',
    CONSOLE_SESSION_ADMINS: 'operator@console.localhost',
    TTSD_URL: 'http://ada:canary-in-an-address@127.0.0.1:9',
  });
  try {
    const answer = await fetch(`${console.url}/api/diagnostics`, {
      headers: { cookie: await console.cookie() },
    });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).not.toContain('canary');
    const facts: Diagnostics = diagnosticsAnswer.parse(JSON.parse(text));
    expect(facts).toMatchObject({
      program: 'headless',
      platform: { system: process.platform, node: process.versions.node },
      store: { kind: 'sqlite', encrypted: true, key_source: 'file' },
      log: {
        file: join(folder, 'logs', 'console.log'),
        errors: [expect.stringContaining('The store key is in')],
      },
    });
    expect(facts.keys).toContainEqual({ name: 'CONSOLE_ADMIN_PASSWORD', set: true, source: 'env' });
    expect(facts.settings).toContainEqual({ name: 'CONSOLE_SESSION_ADMINS', source: 'env', size: 1 });
  } finally {
    await console.stop();
  }
});

it('are for session admins and the local operator only', async () => {
  const console = await testConsole({ CONSOLE_SESSION_ADMINS: 'ada@northgate.example' });
  try {
    const status = async (cookie: string) =>
      (await fetch(`${console.url}/api/diagnostics`, { headers: { cookie } })).status;
    expect([
      await status(''),
      await status(await console.cookieOf('sven@northgate.example')),
      await status(await console.cookieOf('ada@northgate.example')),
      await status(await console.cookie()),
    ]).toEqual([401, 403, 200, 200]);
  } finally {
    await console.close();
  }
});
