import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeFault, oldestNode } from '../../../src-main/base/node-version.ts';
import { repoRoot } from '../../support/repo-root.ts';

/** A Node of this machine that is too old, or why there is none. */
const old = ['/usr/local/bin/node', '/usr/bin/node'].find((file) => {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return stdout && nodeFault(stdout.slice(1).trim()) !== undefined;
});
const why = old === undefined ? ' (skipped: no older Node on this machine)' : '';

it('names the version that .nvmrc asks for', () => {
  expect(readFileSync(join(repoRoot, '.nvmrc'), 'utf8').trim()).toBe(String(oldestNode));
  expect(nodeFault(process.versions.node)).toBeUndefined();
});

it
  .skipIf(old === undefined)
  .each([
    [['--import', './resources/build/need-node.js', 'src-main/cli.ts', 'serve']],
    [['resources/build/need-node.js']],
    [['out/main/cli.js', 'serve']],
  ])(`%j of an older Node says which one it needs, and no stack${why}`, (args) => {
  if (args[0]?.startsWith('out/') === true && !existsSync(join(repoRoot, 'out/main/cli.js'))) return;
  const { status, stdout, stderr } = spawnSync(old ?? '', args, { cwd: repoRoot, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^error: The Operator Console needs Node 24 or newer; this is Node \d+\.\S+ .*\n$/),
  ]);
});
