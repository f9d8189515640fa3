import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { repoRoot } from '../../../support/repo-root.ts';
import { testConsole } from '../../../support/test-console.ts';
import { listen, stopServer } from './proxy-harness.ts';

const corpus = resolve(repoRoot, process.env.DESYNC_CORPUS ?? '../shared/http-desync');
const absent = !existsSync(resolve(corpus, 'desync.mjs'));

// The corpus takes 60 ms a payload; disjoint parts run side by side. The last takes what the others leave.
const PARTS = ['(prespace|CL-)', 'postspace', 'midspace', 'endspace', '(xprespace|xmidspace|0a|0d)'];
const parts = PARTS.map((part, i) => (i === 0 ? part : `^(?!.*(${PARTS.slice(0, i).join('|')})).*${part}`));
parts.push(`^(?!.*(${PARTS.join('|')}))`);

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await stopServer(server);
  return port;
}

/**
 * Runs one part of the corpus against a whole console of its own and gives back the tally. The guard is told to accept
 * every Host, so that the parser and the forwarding are what is tested.
 */
async function run(only: string): Promise<{ tally: Record<string, number>; output: string }> {
  const originPort = await freePort();
  const console_ = await testConsole({
    CONSOLE_ALLOWED_HOSTS: '*',
    STUDIO_UPSTREAM: `http://127.0.0.1:${originPort}`,
  });
  const child = spawn(
    process.execPath,
    ['desync.mjs', '--proxy', console_.host, '--origin-port', String(originPort)].concat([
      '--path',
      '/studio',
      '--cookie',
      await console_.cookie(),
      '--only',
      only,
    ]),
    { cwd: corpus },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += String(data)));
  await new Promise((done) => child.on('close', done));
  await console_.close();
  const tally: Record<string, number> = {};
  const last = output.slice(output.lastIndexOf('{'));
  for (const [, name = '', count] of last.matchAll(/(\w+): (\d+)/g)) tally[name] = Number(count);
  return { tally, output };
}

test.skipIf(absent)(
  absent
    ? `(no corpus at ${corpus})`
    : 'no payload of the smuggling corpus reaches the studio ambiguous, hidden or hanging',
  async () => {
    const results = await Promise.all(parts.map(run));
    const sum: Record<string, number> = {};
    for (const { tally } of results)
      for (const [verdict, count] of Object.entries(tally)) sum[verdict] = (sum[verdict] ?? 0) + count;
    const { REFUSED = 0, clean = 0, ...bad } = sum;
    expect(bad, results.map(({ output }) => output).join('\n')).toEqual({});
    expect(REFUSED + clean).toBe(1449);
    // A proxy that is down would refuse everything.
    expect(clean).toBeGreaterThan(5);
  },
  240_000,
);
