import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveConsole } from '../../support/console-process.ts';
import { repoRoot } from '../../support/repo-root.ts';
import { testConsole } from '../../support/test-console.ts';

// Every test that runs a console as a process of its own fails when a request held the event loop for more than 200 ms;
// here are the requests that once did, and the watchdog itself.

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loop-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the event loop', () => {
  it('is not held by a text of 900,000 spaces, nor by reading the OpenAPI document', async () => {
    const running = await serveConsole(folder);
    const cookie = await running.cookie();
    const headers = { cookie, 'content-type': 'application/json' };
    const body = JSON.stringify({ text: ' '.repeat(900_000) });
    const read = await fetch(`${running.url}/api/troubleshoot/text`, { method: 'POST', headers, body });
    expect(read.status).toBe(200);
    for (let i = 0; i < 20; i++) await (await fetch(`${running.url}/api/openapi.json`, { headers })).text();
    await running.stop();
  });

  it('is watched: a request that holds it is named', async () => {
    const hold = join(folder, 'hold.mjs');
    writeFileSync(
      hold,
      `import { subscribe } from 'node:diagnostics_channel';
       subscribe('http.server.request.start', ({ request }) => {
         const ms = Number(/hold=(\\d+)/.exec(request.url)?.[1] ?? 0);
         const end = process.threadCpuUsage().user + ms * 1000;
         while (ms > 0 && process.threadCpuUsage().user < end);
       });`,
    );
    const running = await serveConsole(join(folder, 'data'), { NODE_OPTIONS: `--import=${hold}` });
    await fetch(`${running.url}/healthz?hold=60`);
    expect(running.said()).not.toContain('event loop held');
    await fetch(`${running.url}/healthz?hold=400`);
    await expect(running.stop()).rejects.toThrow(/^event loop held for \d{3,4} ms by GET \/healthz/);
  });

  it.skipIf(process.platform !== 'linux')(
    "is watched in the tests' own process: the console's code that holds it is named",
    async () => {
      const begin = (file: string, ms: number) =>
        new Script(
          `(function holdingOn(message) {
             if (!message.request.url.includes('held')) return;
             const begun = process.threadCpuUsage();
             for (let held = 0; held < ${ms} * 1000; ) {
               const { user, system } = process.threadCpuUsage(begun);
               held = user + system;
             }
           })`,
          { filename: join(repoRoot, file) },
        ).runInThisContext();
      const answered = async (file: string, ms: number): Promise<() => Promise<void>> => {
        const running = await testConsole();
        const hold = begin(file, ms);
        subscribe('http.server.request.start', hold);
        await fetch(`${running.url}/healthz?held`);
        unsubscribe('http.server.request.start', hold);
        return () => running.close();
      };
      await expect((await answered('src-main/features/slow.ts', 400))()).rejects.toThrow(
        /^event loop held for \d{3} ms and more by\n +at holdingOn \(.*src-main\/features\/slow\.ts:\d\)/,
      );
      await (await answered('src-main/features/slow.ts', 60))();
      // A peer that the test made may take its time.
      await (await answered('test/support/slow-peer.ts', 400))();
    },
  );
});
