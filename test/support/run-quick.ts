import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { createVitest } from 'vitest/node';
import { reachedTests } from './changed-tests.ts';
import { repoRoot } from './repo-root.ts';

/**
 * `npm run test:quick`: every unit test, and the contract tests nearest to what changed since the branch left main, in
 * a minute: what is not done then is left out, by name.
 */
const longest = 55_000;
/** More of them rarely end in time on two cores. */
const most = 10;
/** Tests to run when no changed file is reached by a contract test. */
const smoke = ['console/route-table', 'console/web-app', 'console/origin-guard'].map(
  (name) => `test/contract/${name}.test.ts`,
);

/** The lines git prints, or none: there is no such commit, or this is no clone. */
function git(...args: string[]): string[] {
  try {
    const output = execFileSync('git', args, {
      cwd: repoRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}

const since = git('merge-base', 'HEAD', 'main')[0] ?? git('merge-base', 'HEAD', 'origin/main')[0] ?? 'HEAD';
const changed = [
  ...git('diff', '--name-only', '--relative', since),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const reached = reachedTests(repoRoot, changed);
const chosen = reached.length === 0 ? smoke : reached.slice(0, most);
console.log(
  reached.length === 0
    ? 'No contract test reaches what changed: a few of them run all the same.'
    : `${chosen.length} of the ${reached.length} contract tests that reach what changed since ${since.slice(0, 10)} run, the nearest.`,
);

const vitest = await createVitest('test', {
  watch: false,
  project: ['unit', 'contract', 'contract-shared'],
});
const timer = setTimeout(() => void vitest.cancelCurrentRun('keyboard-input'), longest);
const { testModules, unhandledErrors } = await vitest.start(['test/unit/', ...chosen]);
clearTimeout(timer);
const states = new Map(testModules.map((module) => [relative(repoRoot, module.moduleId), module.state()]));
const ended = (file: string): boolean => ['passed', 'failed'].includes(states.get(file) ?? '');
for (const file of chosen) if (!ended(file)) console.log(`left out, the minute is over: ${file}`);
if (unhandledErrors.length > 0 || [...states.values()].includes('failed')) process.exitCode = 1;
await vitest.close();
