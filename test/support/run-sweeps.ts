import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from './repo-root.ts';

/** `npm run test:sweeps`: the test files with a sweep, each sweep taken whole. Arguments go to vitest. */
const files = globSync('test/{unit,contract}/**/*.test.ts', { cwd: repoRoot }).filter((file) =>
  readFileSync(join(repoRoot, file), 'utf8').includes('support/sweeps.ts'),
);
const vitest = join(repoRoot, 'node_modules/vitest/vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', ...process.argv.slice(2), ...files], {
  cwd: repoRoot,
  stdio: 'inherit',
  env: { ...process.env, TEST_SWEEPS: 'whole' },
});
process.exitCode = status ?? 1;
