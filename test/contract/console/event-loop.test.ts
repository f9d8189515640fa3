import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveConsole } from '../../support/console-process.ts';

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
});
